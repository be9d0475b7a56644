/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>

#include "scratch.h"
#include "skip.h"
#include "symbol/buildid/debuginfod.h"

static const struct build_id id = { .bytes = { 0xab, 0xcd, 0xef, 0x12 }, .size = 4 };

static void nothing_is_asked_without_servers(void **state)
{
	(void)state;
	unsetenv("DEBUGINFOD_URLS");
	assert_null(debuginfod_new(NULL));
	setenv("DEBUGINFOD_URLS", "", 1);
	assert_null(debuginfod_new(NULL));
}

/* The library accepts directories in the place of servers. */
static void a_debug_file_is_found_by_its_id(void **state)
{
	_cleanup_(freep) char *served = scratch_path(*state, "buildid/abcdef12/debuginfo");
	_cleanup_(freep) char *cache = scratch_path(*state, "cache/x");
	_cleanup_(freep) char *url = xasprintf("file://%s", (char *)*state);
	_cleanup_(freep) char *text = NULL;

	scratch_write(served, "its symbols");
	*strrchr(cache, '/') = '\0';
	setenv("DEBUGINFOD_CACHE_PATH", cache, 1);
	setenv("DEBUGINFOD_URLS", url, 1);

	_cleanup_(debuginfod_freep) struct debuginfod *d = debuginfod_new(NULL);

	if (!d)
		skip_because("built without debuginfod");

	_cleanup_(freep) char *path = debuginfod_debug_file(d, &id);
	_cleanup_(freep) char *program = debuginfod_program(d, &id);
	_cleanup_(freep) char *nobody = debuginfod_debug_file(d, &(struct build_id){ .size = 0 });

	assert_non_null(path);
	assert_int_equal(file_read(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_string_equal(text, "its symbols");
	assert_null(program);
	assert_null(nobody);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_asked_without_servers),
		cmocka_unit_test_setup_teardown(a_debug_file_is_found_by_its_id, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
