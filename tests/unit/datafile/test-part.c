/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/example-file.h"

/* Where sample @i is in the data of a finished file made here: behind the first checkpoint. */
static size_t sample_at(const struct bytes *b, size_t i)
{
	uint64_t data = word_at(b, 40);
	uint16_t checkpoint;

	memcpy(&checkpoint, b->data + data + 6, sizeof(checkpoint));
	return data + checkpoint + i * SAMPLE_SIZE;
}

static void check(struct bytes *b, size_t samples, const char *note)
{
	struct reading r = read_bytes(b);

	assert_int_equal(r.samples, samples);
	if (note) {
		assert_true(*r.note);
		assert_non_null(strstr(r.note, note));
	} else {
		assert_int_equal(r.notes, 0);
	}
	bytes_done(b);
}

static void a_size_of_nothing_costs_its_record_only(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	memset(b.data + sample_at(&b, 3) + 6, 0, 2);
	check(&b, SAMPLES - 1, "no records in 24 bytes");
}

static void a_size_that_swallows_others_does_not_keep_them(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	/* 24 becomes 32: the next header would be taken from the middle of a sample. */
	b.data[sample_at(&b, 3) + 6] = 32;
	check(&b, SAMPLES, "no records");
}

static void a_size_that_is_too_small_is_found_out(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	b.data[sample_at(&b, 3) + 6] = 16;
	check(&b, SAMPLES, "no records");
}

static void zeros_in_the_middle_are_passed_over(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	memset(b.data + sample_at(&b, 5), 0, 3 * SAMPLE_SIZE);
	check(&b, SAMPLES - 3, "no records in 72 bytes");
}

static void records_of_newer_versions_are_handed_out(void **state)
{
	(void)state;
	static const uint32_t types[] = { 40, 87, 1000, 0x7fffffff };

	for (size_t i = 0; i < 4; i++) {
		struct bytes b = bytes_of_file((struct making){ 0 });

		memcpy(b.data + sample_at(&b, 7), &types[i], sizeof(types[i]));
		check(&b, SAMPLES - 1, NULL);
	}
}

static void records_of_other_programs_may_follow_each_other(void **state)
{
	struct bytes b = bytes_of_file((struct making){ 0 });

	(void)state;
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t type = 32769 + i % 9;

		if (i % 7 == 6)
			continue;
		memcpy(b.data + sample_at(&b, i), &type, sizeof(type));
		memset(b.data + sample_at(&b, i) + 4, 0, 2);
	}
	check(&b, SAMPLES / 7, NULL);
}

static void the_last_record_may_be_cut(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	b.n = sample_at(&b, SAMPLES - 1) + 10;
	check(&b, SAMPLES - 1, "missing");
}

static void text_behind_a_stream_is_left_out(void **state)
{
	(void)state;
	char *path = make((struct making){ .form = WRITER_PIPE });
	struct bytes b = slurp(path);

	bytes_add(&b, "[ perf record: Woken up 1 times to write data ]", 47);
	unlink(path);
	free(path);
	check(&b, SAMPLES, "no records");
}

static void check_damaged_payload(struct making how)
{
	char *path = make(how);
	struct bytes b = slurp(path);

	memset(b.data + sample_at(&b, 0) + (how.aligned ? 16 : 8), 0xff, 8);
	unlink(path);
	free(path);
	check(&b, 0, "compressed data is damaged");
}

static void damaged_compressed_data_ends_what_is_compressed(void **state)
{
	(void)state;
	check_damaged_payload((struct making){ .level = 1 });
	check_damaged_payload((struct making){ .level = 1, .aligned = true });
}

/* A recorder that was killed in the middle of a record. */
static void what_is_whole_of_a_cut_compressed_record_is_read(void **state)
{
	(void)state;
	for (int aligned = 0; aligned < 2; aligned++) {
		char *path = make((struct making){ .level = 1, .aligned = aligned });
		struct bytes b = slurp(path);
		size_t at = sample_at(&b, 0);
		struct record_header h = record_header_at(b.data + at, false);

		uint64_t size = 0;

		if (aligned)
			memcpy(&size, b.data + at + 8, sizeof(size));
		b.n = at + h.size - 1;
		unlink(path);
		free(path);
		check(&b, aligned && 16 + size < h.size ? SAMPLES : 0, "");
	}
}

static void data_that_follows_a_record_is_lent_with_it(void **state)
{
	(void)state;
	char *path = temporary();
	struct bytes b = { 0 };
	struct diag diag = { 0 };
	struct raw_record rec;
	struct datafile *df;

	bytes_add(&b, "PERFILE2", 8);
	bytes_u64(&b, 16);
	bytes_u32(&b, PERF_RECORD_AUXTRACE);
	bytes_u16(&b, 0);
	bytes_u16(&b, 48);
	bytes_u64(&b, 5);
	bytes_zero(&b, 32);
	bytes_add(&b, "trace", 5);
	sample_put(&b, 1);
	spill(path, &b);
	df = open_example(path);
	assert_int_equal(datafile_next(df, &rec, &diag), 1);
	assert_int_equal(rec.payload_size, 5);
	assert_memory_equal(rec.payload, "trace", 5);
	assert_int_equal(datafile_next(df, &rec, &diag), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_SAMPLE);
	assert_int_equal(datafile_next(df, &rec, &diag), 0);
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void trace_data_without_end_does_not_hold_up_a_stream(void **state)
{
	(void)state;
	struct bytes b = { 0 };
	struct diag diag = { 0 };
	struct raw_record rec;
	struct datafile *df = NULL;
	int fds[2], saved = dup(STDIN_FILENO);
	bool told = false;

	bytes_add(&b, "PERFILE2", 8);
	bytes_u64(&b, 16);
	bytes_u32(&b, PERF_RECORD_AUXTRACE);
	bytes_u16(&b, 0);
	bytes_u16(&b, 48);
	bytes_u64(&b, UINT64_C(1) << 62);
	bytes_zero(&b, 32);
	sample_put(&b, 1);
	sample_put(&b, 2);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], b.data, b.n), b.n);
	assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	close(fds[0]);
	assert_int_equal(datafile_open("-", true, &df, &diag), 0);
	/* The writer goes on: what is there must come out without waiting for its end. */
	assert_int_equal(datafile_next(df, &rec, &diag), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_AUXTRACE);
	assert_null(rec.payload);
	assert_int_equal(datafile_next(df, &rec, &diag), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_SAMPLE);
	for (size_t i = 0; i < datafile_note_count(df); i++)
		told |= !!strstr(datafile_note(df, i), "said to follow");
	assert_true(told);
	datafile_free(df);
	close(fds[1]);
	dup2(saved, STDIN_FILENO);
	close(saved);
	bytes_done(&b);
}

/* Reads @limit bytes; whatever is left out, nothing is noted. */
static struct reading read_limited(struct making how, uint64_t limit, bool *ret_is_limited)
{
	char *path = how.form == WRITER_DIRECTORY ? temporary() : make(how);
	struct datafile *df;
	struct reading r;

	if (how.form == WRITER_DIRECTORY) {
		unlink(path);
		make_at(path, how);
	}
	df = open_example(path);
	datafile_limit(df, limit);
	r = read_samples(df);
	*ret_is_limited = datafile_is_limited(df);
	assert_true(datafile_total_bytes(df) > 0);
	datafile_free(df);
	for (unsigned i = 0; how.form == WRITER_DIRECTORY && i <= how.parts; i++) {
		char inner[512];

		snprintf(inner, sizeof(inner), i ? "%s/data.%u" : "%s/data", path, i - 1);
		unlink(inner);
	}
	remove(path);
	free(path);
	return r;
}

static void only_the_beginning_is_read_on_request(void **state)
{
	static const struct making forms[] = {
		{ 0 },
		{ .form = WRITER_PIPE },
		{ .level = HAVE_ZSTD ? 1 : 0 },
	};
	struct reading r;
	bool is_limited;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		r = read_limited(forms[i], SAMPLE_SIZE * SAMPLES / 20, &is_limited);
		assert_true(r.samples < SAMPLES);
		assert_int_equal(r.notes, 0);
		assert_true(is_limited);
		r = read_limited(forms[i], 100 * SAMPLE_SIZE * SAMPLES, &is_limited);
		assert_int_equal(r.samples, SAMPLES);
		assert_int_equal(r.notes, 0);
		assert_false(is_limited);
	}
}

static void all_files_of_a_directory_have_a_beginning(void **state)
{
	bool is_limited;
	struct reading r = read_limited((struct making){ .form = WRITER_DIRECTORY, .parts = 2 }, 1,
					&is_limited);

	(void)state;
	/* Each is smaller than what is read of it in any case. */
	assert_int_equal(r.samples, 3 * SAMPLES);
	assert_int_equal(r.notes, 0);
	assert_false(is_limited);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_of_nothing_costs_its_record_only),
		cmocka_unit_test(a_size_that_swallows_others_does_not_keep_them),
		cmocka_unit_test(a_size_that_is_too_small_is_found_out),
		cmocka_unit_test(zeros_in_the_middle_are_passed_over),
		cmocka_unit_test(records_of_newer_versions_are_handed_out),
		cmocka_unit_test(records_of_other_programs_may_follow_each_other),
		cmocka_unit_test(the_last_record_may_be_cut),
		cmocka_unit_test(text_behind_a_stream_is_left_out),
		cmocka_unit_test(damaged_compressed_data_ends_what_is_compressed),
		cmocka_unit_test(what_is_whole_of_a_cut_compressed_record_is_read),
		cmocka_unit_test(data_that_follows_a_record_is_lent_with_it),
		cmocka_unit_test(trace_data_without_end_does_not_hold_up_a_stream),
		cmocka_unit_test(only_the_beginning_is_read_on_request),
		cmocka_unit_test(all_files_of_a_directory_have_a_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
