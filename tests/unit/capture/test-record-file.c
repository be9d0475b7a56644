/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/opened-events.h"
#include "capture/record-file.h"
#include "datafile/features.h"
#include "wire/record.h"
#include "skip.h"

static const struct file_event event = { .attr = { .size = 128 } };
static const struct features none;

static void a_file_begins_where_the_kernel_s_data_begins(void **state)
{
	(void)state;
	char dir[] = "/tmp/record-file-XXXXXX";
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct opened_events events = { 0 };
	struct writer *w = NULL;
	struct stat st;

	assert_non_null(mkdtemp(dir));
	_cleanup_(freep) char *path = xasprintf("%s/p.data", dir);
	const struct record_file f = {
		.path = path, .events = &event, .n_events = 1, .early = &none
	};

	assert_int_equal(record_file_begin(&f, true, &w, &diag), 0);
	/*
	 * Without synthesised records there is FINISHED_INIT, and the records that the writer
	 * itself needs.
	 */
	assert_in_range(writer_data_size(w), RECORD_HEADER_SIZE, 512);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(record_file_end(&f, w, &events, &diag), 0);
	writer_free(w);
	unlink(path);
	rmdir(dir);
}

static int complete(void *arg, const char *path, struct features *f, struct diag *diag)
{
	(void)path;
	(void)diag;
	(*(int *)arg)++;
	f->sample_time.first = 1;
	features_mark(f, FEATURE_SAMPLE_TIME);
	return 0;
}

static void what_the_data_tells_is_added_at_the_end(void **state)
{
	(void)state;
	char dir[] = "/tmp/record-file-XXXXXX";
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct opened_events events = { 0 };
	struct writer *w = NULL;
	int calls = 0;

	assert_non_null(mkdtemp(dir));
	_cleanup_(freep) char *path = xasprintf("%s/p.data", dir);
	const struct record_file f = { .path = path,
				       .events = &event,
				       .n_events = 1,
				       .early = &none,
				       .complete = complete,
				       .arg = &calls };

	assert_int_equal(record_file_begin(&f, false, &w, &diag), 0);
	assert_int_equal(record_file_end(&f, w, &events, &diag), 0);
	assert_int_equal(calls, 1);
	writer_free(w);
	unlink(path);
	rmdir(dir);
}

static void how_well_it_was_packed_is_known_at_the_end(void **state)
{
	(void)state;
	char dir[] = "/tmp/record-file-XXXXXX";
	_cleanup_(features_done) struct features early = {
		.compressed = { .type = 1, .level = 1, .ratio = 1, .mmap_len = 4096 },
	};
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct opened_events events = { 0 };
	uint64_t records[512] = { 0 };
	struct writer *w = NULL;
	struct datafile *df = NULL;

	features_mark(&early, FEATURE_COMPRESSED);
	for (size_t i = 0; i < ARRAY_SIZE(records); i += 2)
		records[i] = (uint64_t)16 << 48 | PERF_RECORD_EXIT;
	assert_non_null(mkdtemp(dir));
	_cleanup_(freep) char *path = xasprintf("%s/p.data", dir);
	const struct record_file f = { .path = path,
				       .options = { .compression_level = 1 },
				       .events = &event,
				       .n_events = 1,
				       .early = &early };

	if (record_file_begin(&f, true, &w, &diag) == -EOPNOTSUPP) {
		rmdir(dir);
		skip_because("built without zstd");
	}
	assert_int_equal(writer_compress(w, 0, records, sizeof(records)), 0);

	uint64_t packed = writer_compressed_size(w);

	assert_int_equal(record_file_end(&f, w, &events, &diag), 0);
	writer_free(w);
	assert_int_equal(datafile_open(path, true, &df, &diag), 0);
	assert_int_equal(datafile_features(df)->compressed.ratio,
			 (sizeof(records) + packed / 2) / packed);
	assert_true(datafile_features(df)->compressed.ratio > 1);
	assert_int_equal(datafile_features(df)->compressed.mmap_len, 4096);
	datafile_free(df);
	unlink(path);
	rmdir(dir);
}

static void a_place_that_is_not_there_is_said(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct writer *w = NULL;
	const struct record_file f = {
		.path = "/nonexistent/p.data", .events = &event, .n_events = 1, .early = &none
	};

	assert_int_equal(record_file_begin(&f, true, &w, &diag), -ENOENT);
	assert_null(w);
	assert_non_null(diag.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_begins_where_the_kernel_s_data_begins),
		cmocka_unit_test(what_the_data_tells_is_added_at_the_end),
		cmocka_unit_test(how_well_it_was_packed_is_known_at_the_end),
		cmocka_unit_test(a_place_that_is_not_there_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
