/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/notes.h"
#include "elf/file.h"
#include "tools/buildid-cache/image-cache-work.h"
#include "scratch-folder.h"
#include "skip.h"

/* A cache in this folder, and a file with a build-id to add to it: this test. */
struct fixture {
	struct image_cache cache;
	struct notes notes;
	char self[PATH_MAX];
};

static void begin(struct fixture *f)
{
	struct build_id id;

	*f = (struct fixture){ .cache = { .dir = "cache", .notes = &f->notes } };
	if (readlink("/proc/self/exe", f->self, sizeof(f->self) - 1) < 0 ||
	    elf_build_id_read(f->self, &id) < 0)
		skip_because("this program has no build-id");
}

static void end(struct fixture *f)
{
	notes_done(&f->notes);
}

static void count(void *arg, const struct build_id *id, const char *name)
{
	(void)id, (void)name;
	(*(unsigned *)arg)++;
}

static unsigned current(const struct fixture *f)
{
	unsigned n = 0;

	image_cache_for_each_current(&f->cache, count, &n);
	return n;
}

static void what_is_added_can_be_removed(void **state)
{
	_cleanup_(end) struct fixture f;

	(void)state;
	begin(&f);
	image_cache_add(&f.cache, f.self);
	assert_int_equal(current(&f), 1);
	image_cache_update(&f.cache, f.self);
	assert_int_equal(current(&f), 1);
	image_cache_remove(&f.cache, f.self);
	assert_int_equal(current(&f), 0);
	assert_false(f.cache.failed);
	assert_int_equal(f.notes.n, 0);
}

static void a_path_or_everything_can_be_purged(void **state)
{
	_cleanup_(end) struct fixture f;

	(void)state;
	begin(&f);
	image_cache_add(&f.cache, f.self);
	image_cache_purge(&f.cache, f.self);
	assert_int_equal(current(&f), 0);
	image_cache_add(&f.cache, f.self);
	f.cache.verbose = true;
	image_cache_purge_all(&f.cache);
	assert_int_equal(current(&f), 0);
	assert_string_equal(f.notes.items[f.notes.n - 1].what.message, "Purged all: Ok");
}

static void a_file_that_fails_does_not_keep_the_others(void **state)
{
	_cleanup_(end) struct fixture f;
	_cleanup_(freep) char *list = NULL;

	(void)state;
	begin(&f);
	list = xasprintf("/no/such/file,%s", f.self);
	image_cache_add(&f.cache, list);
	assert_true(f.cache.failed);
	assert_int_equal(f.notes.n, 1);
	assert_string_equal(f.notes.items[0].what.message,
			    "Couldn't add /no/such/file: No such file or directory");
	assert_int_equal(current(&f), 1);
}

static void what_a_profile_refers_to_may_be_missing(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(end) struct fixture f;
	unsigned missing = 0;

	(void)state;
	begin(&f);
	example_recording("x.data");
	assert_int_equal(
		image_cache_for_each_missing(&f.cache, "x.data", false, count, &missing, &d), 0);
	assert_int_equal(missing, 3);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_is_added_can_be_removed),
		IN_FOLDER(a_path_or_everything_can_be_purged),
		IN_FOLDER(a_file_that_fails_does_not_keep_the_others),
		IN_FOLDER(what_a_profile_refers_to_may_be_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
