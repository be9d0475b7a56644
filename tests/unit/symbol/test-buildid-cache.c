/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "scratch.h"
#include "symbol/buildid/cache.h"

static struct build_id id_of(const char *text)
{
	struct build_id id;

	assert_int_equal(build_id_parse(text, &id), 0);
	return id;
}

/* Makes a correct entry by hand. */
static void put(const char *dir, const char *name, const char *id, const char *file)
{
	_cleanup_(freep) char *inside = xasprintf("%s/%s/%s", name, id, file);
	_cleanup_(freep) char *path = scratch_path(dir, inside);
	_cleanup_(freep) char *link_name = xasprintf(".build-id/%.2s/%s", id, id + 2);
	_cleanup_(freep) char *link_path = scratch_path(dir, link_name);
	_cleanup_(freep) char *target = xasprintf("../../%s/%s", name, id);

	scratch_write(path, "x");
	unlink(link_path);
	assert_int_equal(symlink(target, link_path), 0);
}

static void the_root_is_configured_or_in_the_home(void **state)
{
	_cleanup_(freep) char *given = buildid_cache_dir("/some/where");
	_cleanup_(freep) char *none = buildid_cache_dir("/dev/null");

	(void)state;
	assert_string_equal(given, "/some/where");
	assert_null(none);
	setenv("HOME", "/users/somebody", 1);

	_cleanup_(freep) char *usual = buildid_cache_dir(NULL);

	assert_string_equal(usual, "/users/somebody/.debug");
}

static void an_entry_is_found_by_its_id(void **state)
{
	struct build_id id = id_of("abcdef01"), other = id_of("abcdef02");

	put(*state, "usr/bin/x", "abcdef01", "elf");

	_cleanup_(freep) char *path = buildid_cache_find(*state, &id, "elf");
	_cleanup_(freep) char *debug = buildid_cache_find(*state, &id, "debug");
	_cleanup_(freep) char *origin = buildid_cache_origin(*state, &id);

	assert_non_null(path);
	assert_int_equal(access(path, R_OK), 0);
	assert_null(debug);
	assert_string_equal(origin, "/usr/bin/x");
	assert_true(buildid_cache_contains(*state, &id));
	assert_false(buildid_cache_contains(*state, &other));
	assert_null(buildid_cache_origin(*state, &other));
}

static void what_is_no_file_keeps_its_brackets(void **state)
{
	struct build_id id = id_of("12345678");

	put(*state, "[vdso]", "12345678", "vdso");

	_cleanup_(freep) char *origin = buildid_cache_origin(*state, &id);

	assert_string_equal(origin, "[vdso]");
	assert_true(buildid_cache_contains(*state, &id));
}

static void an_entry_can_be_removed(void **state)
{
	struct build_id id = id_of("abcdef01");

	put(*state, "usr/bin/x", "abcdef01", "elf");
	put(*state, "usr/bin/x", "abcdef01", "probes");
	assert_int_equal(buildid_cache_remove(*state, &id), 0);
	assert_false(buildid_cache_contains(*state, &id));
	assert_int_equal(buildid_cache_remove(*state, &id), -ENOENT);
}

static void a_link_that_leads_out_of_the_cache_is_none(void **state)
{
	_cleanup_(freep) char *cache = scratch_path(*state, "cache");
	_cleanup_(freep) char *kept = scratch_path(*state, "x/abcdef01/elf");
	_cleanup_(freep) char *link = scratch_path(*state, "cache/.build-id/ab/cdef01");
	struct build_id id = id_of("abcdef01");

	scratch_write(kept, "x");
	assert_int_equal(symlink("../../../x/abcdef01", link), 0);
	assert_null(buildid_cache_origin(cache, &id));
	assert_int_equal(buildid_cache_remove(cache, &id), -ENOENT);
	assert_int_equal(access(kept, F_OK), 0);
}

static int collect(const struct build_id *id, void *arg)
{
	char text[BUILD_ID_TEXT_MAX];

	text_addf(arg, "%s ", build_id_format(id, text));
	return 0;
}

static void entries_are_told_in_order(void **state)
{
	struct text seen = TEXT_EMPTY;
	_cleanup_(freep) char *junk = scratch_path(*state, ".build-id/zz/nothing");

	put(*state, "usr/bin/x", "cc01", "elf");
	put(*state, "usr/bin/y", "ab02", "elf");
	put(*state, "usr/bin/y", "ab01", "elf");
	put(*state, "usr/bin/z", "ab03", "probes"); /* no image */
	scratch_write(junk, "");
	assert_int_equal(buildid_cache_for_each(*state, collect, &seen), 0);
	assert_string_equal(seen.chars, "ab01 ab02 cc01 ");
	text_clear(&seen);
	assert_int_equal(buildid_cache_for_each_of(*state, "/usr/bin/y", collect, &seen), 0);
	assert_string_equal(seen.chars, "ab01 ab02 ");
	text_done(&seen);
}

static void no_cache_is_an_empty_one(void **state)
{
	struct build_id id = id_of("ab");
	struct text seen = TEXT_EMPTY;

	(void)state;
	assert_null(buildid_cache_find(NULL, &id, "elf"));
	assert_false(buildid_cache_contains(NULL, &id));
	assert_int_equal(buildid_cache_remove(NULL, &id), -ENOENT);
	assert_int_equal(buildid_cache_for_each(NULL, collect, &seen), 0);
	assert_int_equal(buildid_cache_for_each("/no/such/dir", collect, &seen), 0);
	assert_int_equal(buildid_cache_for_each_of("/no/such/dir", "/x", collect, &seen), 0);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_is_configured_or_in_the_home),
		IN_SCRATCH(an_entry_is_found_by_its_id),
		IN_SCRATCH(what_is_no_file_keeps_its_brackets),
		IN_SCRATCH(an_entry_can_be_removed),
		IN_SCRATCH(a_link_that_leads_out_of_the_cache_is_none),
		IN_SCRATCH(entries_are_told_in_order),
		cmocka_unit_test(no_cache_is_an_empty_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
