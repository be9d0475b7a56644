/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "elf/built-elf.h"
#include "scratch.h"
#include "symbol/buildid/cache.h"

static const struct build_id right = { { 0xab, 0xcd, 0xef }, 3 }, wrong = { { 0xab, 0xcd, 0 }, 3 };

/* Stores a program with the id above, below @dir. The caller frees its path. */
static char *program(const char *dir)
{
	char *path = scratch_path(dir, "bin/program");
	struct built_elf b;

	built_begin(&b);
	built_add_note(&b, ".note.gnu.build-id", "GNU", NT_GNU_BUILD_ID, right.bytes, right.size);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_true(built_store(&b, path));
	return path;
}

static void a_program_is_linked_into_the_cache(void **state)
{
	_cleanup_(freep) char *path = program(*state), *cache = scratch_path(*state, "cache");
	struct stat a, b;

	assert_int_equal(buildid_cache_add(cache, path, &right, BUILDID_CACHE_ELF), 1);

	_cleanup_(freep) char *elf = buildid_cache_find(cache, &right, "elf");
	_cleanup_(freep) char *probes = buildid_cache_find(cache, &right, "probes");
	_cleanup_(freep) char *origin = buildid_cache_origin(cache, &right);

	assert_string_equal(origin, path);
	assert_int_equal(stat(path, &a), 0);
	assert_int_equal(stat(elf, &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	assert_non_null(probes);
	assert_int_equal(buildid_cache_add(cache, path, &right, BUILDID_CACHE_ELF), 0);
}

static void a_link_is_cached_as_what_it_leads_to(void **state)
{
	_cleanup_(freep) char *path = program(*state), *cache = scratch_path(*state, "cache");
	_cleanup_(freep) char *other = scratch_path(*state, "bin/link");

	assert_int_equal(symlink("program", other), 0);
	assert_int_equal(buildid_cache_add(cache, other, &right, BUILDID_CACHE_ELF), 1);

	_cleanup_(freep) char *origin = buildid_cache_origin(cache, &right);

	assert_string_equal(origin, path);
}

static void an_image_that_has_grown_replaces_what_is_there(void **state)
{
	_cleanup_(freep) char *cache = scratch_path(*state, "cache");
	struct stat a;

	assert_int_equal(buildid_cache_put(cache, "/interpreted/x", &right, "1", 1), 0);
	assert_int_equal(buildid_cache_put(cache, "/interpreted/x", &right, "12", 2), 0);

	_cleanup_(freep) char *elf = buildid_cache_find(cache, &right, "elf");
	_cleanup_(freep) char *origin = buildid_cache_origin(cache, &right);

	assert_int_equal(stat(elf, &a), 0);
	assert_int_equal(a.st_size, 2);
	assert_string_equal(origin, "/interpreted/x");
	assert_int_equal(buildid_cache_put(cache, "../x", &right, "1", 1), -EINVAL);
	assert_int_equal(buildid_cache_put(NULL, "/x", &right, "1", 1), -EINVAL);
}

static void a_program_in_a_container_has_the_name_it_has_there(void **state)
{
	_cleanup_(freep) char *path = program(*state), *cache = scratch_path(*state, "cache");

	assert_int_equal(buildid_cache_add_from(cache, "/usr/bin/inside", path, &right), 1);

	_cleanup_(freep) char *origin = buildid_cache_origin(cache, &right);

	assert_string_equal(origin, "/usr/bin/inside");
}

/* A program chooses the name of its memfd, and the owner of a container chooses its root. */
static void a_name_that_leads_out_of_the_cache_is_refused(void **state)
{
	static const char *const names[] = { "/memfd:/../../outside (deleted)",
					     "/..",
					     "../outside",
					     "/./.build-id/ab/x",
					     "/.build-id/ab",
					     "//.build-id",
					     "/.kept/ab/cdef.symbols" };
	_cleanup_(freep) char *path = program(*state), *cache = scratch_path(*state, "a/cache");
	_cleanup_(freep) char *outside = scratch_path(*state, "a/outside (deleted)");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_false(buildid_cache_accepts(names[i]));
		assert_int_equal(buildid_cache_add_from(cache, names[i], path, &right), -EINVAL);
	}
	assert_int_equal(access(outside, F_OK), -1);
	assert_int_equal(access(cache, F_OK), -1);
	assert_true(buildid_cache_accepts("/opt/.build-id/a..b/...x"));
	assert_true(buildid_cache_accepts("[vdso]"));
}

static void another_build_is_refused(void **state)
{
	_cleanup_(freep) char *path = program(*state), *cache = scratch_path(*state, "cache");

	assert_int_equal(buildid_cache_add(cache, path, &wrong, BUILDID_CACHE_ELF), -ESTALE);
	assert_int_equal(buildid_cache_add(cache, "/no/such", &right, BUILDID_CACHE_ELF), -ENOENT);
	assert_int_equal(access(cache, F_OK), -1);
}

static void another_kernel_is_refused(void **state)
{
	int r = buildid_cache_add(*state, "[kernel.kallsyms]", &wrong, BUILDID_CACHE_KERNEL);

	/* Without /sys the build-id is not known. */
	assert_true(r == -ESTALE || r == -ENOENT || r == -EACCES);
	r = buildid_cache_add(*state, "[vdso]", &wrong, BUILDID_CACHE_VDSO);
	assert_true(r == -ESTALE || r == -ENOENT || r == -ENODATA);
}

static void without_a_cache_nothing_happens(void **state)
{
	(void)state;
	assert_int_equal(buildid_cache_add(NULL, "/bin/sh", &right, BUILDID_CACHE_ELF), 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(a_program_is_linked_into_the_cache),
		IN_SCRATCH(a_link_is_cached_as_what_it_leads_to),
		IN_SCRATCH(an_image_that_has_grown_replaces_what_is_there),
		IN_SCRATCH(a_program_in_a_container_has_the_name_it_has_there),
		IN_SCRATCH(another_build_is_refused),
		IN_SCRATCH(another_kernel_is_refused),
		IN_SCRATCH(a_name_that_leads_out_of_the_cache_is_refused),
		cmocka_unit_test(without_a_cache_nothing_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
