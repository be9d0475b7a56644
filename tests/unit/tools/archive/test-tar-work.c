/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/name-list.h"
#include "base/progress.h"
#include "scratch-folder.h"
#include "tools/archive/tar-work.h"

static void what_is_packed_comes_out_again(void **state)
{
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = NULL;

	(void)state;
	assert_int_equal(mkdir("in", 0700), 0);
	assert_int_equal(mkdir("out", 0700), 0);
	fclose(fopen("in/a\nb", "w"));
	name_list_add(&files, "a\nb");
	assert_int_equal(archive_pack("x", "in", &files, NULL, &path, &d), 0);
	assert_int_equal(archive_unpack(path, "out", &d), 0);
	assert_int_equal(access("out/a\nb", F_OK), 0);
}

struct told {
	struct progress progress;
	uint64_t total;
	unsigned updates, ends;
};

static void on_update(struct progress *p, const char *title, uint64_t done, uint64_t total)
{
	struct told *t = (struct told *)p;

	(void)done;
	assert_string_equal(title, "Packing");
	t->total = total;
	t->updates++;
}

static void on_finish(struct progress *p)
{
	((struct told *)p)->ends++;
}

static void how_far_packing_is_can_be_told(void **state)
{
	struct told told = { .progress = { .update = on_update, .finish = on_finish } };
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = NULL;
	FILE *f;

	(void)state;
	assert_int_equal(mkdir("in", 0700), 0);
	f = fopen("in/a", "w");
	assert_non_null(f);
	fprintf(f, "%1000s", "");
	fclose(f);
	name_list_add(&files, "a");
	assert_int_equal(archive_pack("x", "in", &files, &told.progress, &path, &d), 0);
	/* A program that ends at once is not asked for its progress. */
	assert_true(!told.updates || told.total == 1000);
	assert_int_equal(told.ends, 1);
}

static void an_archive_that_is_not_there_is_an_error(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(archive_unpack("x.tar.gz", ".", &d), -ENOENT);
	assert_non_null(d.message);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(what_is_packed_comes_out_again),
		IN_FOLDER(how_far_packing_is_can_be_told),
		IN_FOLDER(an_archive_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
