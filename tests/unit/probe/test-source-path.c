/* SPDX-License-Identifier: MIT */
/* Tests the lookup of sources that were compiled elsewhere. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "probe/source-path.h"
#include "symbol/scratch.h"

static void assert_found(const char *dir, const char *path, const char *directory,
			 const char *source, const char *expected)
{
	_cleanup_(freep) char *found = source_path_find(path, directory, source);
	_cleanup_(freep) char *full = expected ? xasprintf("%s/%s", dir, expected) : NULL;

	if (!expected) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, full);
}

static void store(const char *dir, const char *name)
{
	_cleanup_(freep) char *path = scratch_path(dir, name);

	scratch_write(path, "int x;\n");
}

static void below_the_source_directory_leading_parts_fall_off(void **state)
{
	const char *dir = *state;

	store(dir, "net/ipv4/tcp.c");
	assert_found(dir, "/build/linux-6.1/net/ipv4/tcp.c", NULL, dir, "net/ipv4/tcp.c");
	assert_found(dir, "../../../net/ipv4/tcp.c", "/build", dir, "net/ipv4/tcp.c");
	assert_found(dir, "net/ipv4/tcp.c", NULL, dir, "net/ipv4/tcp.c");
	assert_found(dir, "/build/net/ipv6/tcp.c", NULL, dir, NULL);
}

static void without_one_the_compilers_names_count(void **state)
{
	const char *dir = *state;
	_cleanup_(freep) char *absolute = scratch_path(dir, "a.c");

	store(dir, "a.c");
	assert_found(dir, absolute, NULL, NULL, "a.c");
	assert_found(dir, "a.c", dir, NULL, "a.c");
	assert_found(dir, "missing.c", dir, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(below_the_source_directory_leading_parts_fall_off,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(without_one_the_compilers_names_count, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
