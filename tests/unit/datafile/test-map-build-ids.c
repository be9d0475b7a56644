/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "datafile/map-build-ids.h"
#include "datafile/reader.h"
#include "datafile/writer.h"
#include "wire/record.h"

static const struct attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 128 };

static const struct file_id old = { 8, 1, 6, 70 }, new = { 8, 1, 7, 71 };

static void add_map(struct bytes *b, const char *name, const struct file_id *file)
{
	const struct record r = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.mmap = { .pid = 7,
			  .addr = 0x1000,
			  .len = 0x1000,
			  .pgoff = 3,
			  .filename = name,
			  .maj = file->maj,
			  .min = file->min,
			  .ino = file->ino,
			  .ino_generation = file->generation,
			  .prot = 5,
			  .flags = 2 },
	};

	assert_int_equal(record_encode(&r, &attr, b), 0);
}

/* Writes a file with two images that were called /bin/x, and one whose name is unique. */
static int make_file(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(features_done) struct features early = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct writer_options o = { .form = WRITER_FILE };
	const struct file_event event = { .attr = attr };
	char *path = strdup("/tmp/perf-test-XXXXXX");

	close(mkstemp(path));
	*state = path;
	add_map(&b, "/bin/x", &old);
	add_map(&b, "/bin/alone", &(struct file_id){ 8, 1, 9, 0 });
	add_map(&b, "/bin/x", &new);
	add_map(&b, "/bin/other", &old);
	assert_int_equal(writer_open(path, -1, &o, &w, &d), 0);
	assert_int_equal(writer_begin(w, &event, 1, &early, &d), 0);
	assert_int_equal(writer_write(w, 0, b.data, b.n), 0);
	assert_int_equal(writer_flush(w), 0);
	return 0;
}

static int remove_file(void **state)
{
	unlink(*state);
	free(*state);
	return 0;
}

static size_t read_maps(const char *path, struct record ret[8], char names[8][16])
{
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct raw_record raw;
	size_t n = 0;

	assert_int_equal(datafile_open(path, true, &df, &d), 0);
	while (datafile_next(df, &raw, &d) > 0 && n < 8)
		if (raw.header.type == PERF_RECORD_MMAP2) {
			assert_int_equal(
				record_decode(raw.bytes, raw.header.size, false, &attr, &ret[n]),
				0);
			strncpy(names[n], ret[n].mmap.filename, 15);
			n++;
		}
	return n;
}

static struct build_id_entry entry(const char *name, uint8_t id, const struct file_id *file)
{
	return (struct build_id_entry){
		.pid = -1,
		.build_id = { .bytes = { id, 2, 3, 4, [18] = 5, [19] = 6 }, .size = 20 },
		.filename = (char *)name,
		.file = file ? *file : (struct file_id){ 0 },
	};
}

static void maps_of_files_with_namesakes_get_their_build_ids(void **state)
{
	struct build_id_entry e[] = { entry("/bin/x", 0xaa, &old), entry("/bin/x", 0xbb, &new),
				      entry("/bin/alone", 0xcc, NULL) };
	struct features f = { .build_ids = { e, 3, 0 } };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct record maps[8];
	char names[8][16] = { "" };

	assert_int_equal(map_build_ids_write(*state, &f, &d), 2);
	assert_int_equal(read_maps(*state, maps, names), 4);
	assert_int_equal(maps[0].mmap.build_id.bytes[0], 0xaa);
	assert_int_equal(maps[0].mmap.build_id.size, 20);
	assert_int_equal(maps[0].header.misc,
			 PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_int_equal(maps[0].mmap.pgoff, 3);
	assert_int_equal(maps[0].mmap.prot, 5);
	assert_string_equal(names[0], "/bin/x");
	assert_int_equal(maps[1].mmap.ino, 9);
	assert_int_equal(maps[1].header.misc, PERF_RECORD_MISC_USER);
	assert_int_equal(maps[2].mmap.build_id.bytes[0], 0xbb);
	assert_int_equal(maps[3].mmap.ino, 6);
	assert_string_equal(names[3], "/bin/other");
	/* Once is enough. */
	assert_int_equal(map_build_ids_write(*state, &f, &d), 0);
}

static void a_file_without_namesakes_is_not_even_opened(void **state)
{
	struct build_id_entry e = entry("/bin/alone", 0xcc, NULL);
	struct features f = { .build_ids = { &e, 1, 0 } };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(map_build_ids_write("/nowhere/perf.data", &f, &d), 0);
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
	struct build_id_entry e = entry("/bin/x", 0xaa, &old);
	struct features f = { .build_ids = { &e, 1, 0 } };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_true(map_build_ids_write("/nowhere/perf.data", &f, &d) < 0);
	assert_non_null(d.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(maps_of_files_with_namesakes_get_their_build_ids,
						make_file, remove_file),
		cmocka_unit_test(a_file_without_namesakes_is_not_even_opened),
		cmocka_unit_test(a_file_that_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
