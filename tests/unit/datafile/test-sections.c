/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/example-file.h"

/* All samples are there, and the one event with its ids, after @b was damaged. */
static void check_all(struct bytes *b, const char *note)
{
	char *path = temporary();
	struct datafile *df;
	struct reading r;

	spill(path, b);
	df = open_example(path);
	r = read_samples(df);
	assert_int_equal(r.samples, SAMPLES);
	assert_int_equal(datafile_event_count(df), 1);
	assert_int_equal(datafile_event(df, 0)->attr.sample_type, 7);
	assert_int_equal(datafile_event(df, 0)->n_ids, 2);
	assert_int_equal(datafile_event(df, 0)->ids[1], 12);
	assert_true(*r.note);
	assert_non_null(strstr(r.note, note));
	datafile_free(df);
	bytes_done(b);
	unlink(path);
	free(path);
}

static void a_killed_recorder_leaves_all_and_the_names(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ .unfinished = true });

	check_all(&b, "not finished");
}

static void data_without_a_size_goes_to_the_end(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, 48, 0);
	memset(b.data + 72, 0, 32);
	check_all(&b, "features are lost");
}

static void data_beyond_the_end_is_what_there_is(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, 48, UINT64_MAX / 2);
	check_all(&b, "missing");
}

static void data_that_begins_in_the_attrs_is_looked_for(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, 40, 104);
	word_set(&b, 48, 8);
	check_all(&b, "place of its data");
}

static void attrs_of_a_wrong_size_know_their_own(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, 16, 7);
	check_all(&b, "size of its events");
}

static void attrs_that_are_nowhere_are_described_a_second_time(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, 24, UINT64_MAX);
	word_set(&b, 32, 1 << 20);
	check_all(&b, "events are damaged");
}

static void ids_that_are_nowhere_are_described_a_second_time(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	word_set(&b, word_at(&b, 24) + 128, UINT64_MAX);
	check_all(&b, "ids of event 0");
}

static void an_attr_larger_than_its_entry_is_as_large_as_that(void **state)
{
	(void)state;
	struct bytes b = bytes_of_file((struct making){ 0 });

	b.data[word_at(&b, 24) + 4] = 0xf0;
	check_all(&b, "size of an event");
}

/* A file of version 1 in big-endian order, as a machine long ago wrote it. */
static struct bytes old_file(void)
{
	struct bytes b = { 0 };
	static const uint64_t words[] = { 104, 80, 104, 80, 184, 24, 208, 72, 0, 0, 0, 0 };
	uint64_t config;

	bytes_add(&b, "PERFFILE", 8);
	for (size_t i = 0; i < 12; i++)
		bytes_u64(&b, __builtin_bswap64(words[i]));
	bytes_u32(&b, __builtin_bswap32(2));
	bytes_u32(&b, __builtin_bswap32(64));
	bytes_u64(&b, __builtin_bswap64(77));
	bytes_zero(&b, 64);
	bytes_u32(&b, __builtin_bswap32(PERF_RECORD_SAMPLE));
	bytes_u16(&b, __builtin_bswap16(2));
	bytes_u16(&b, __builtin_bswap16(SAMPLE_SIZE));
	bytes_u64(&b, __builtin_bswap64(1234));
	bytes_u64(&b, 0);
	config = __builtin_bswap64(77);
	bytes_u64(&b, config);
	bytes_string(&b, "sched:sched_switch", 64);
	return b;
}

static void version_1_of_another_byte_order_has_names_in_a_section(void **state)
{
	(void)state;
	struct bytes b = old_file();
	char *path = temporary();
	struct datafile *df;
	struct reading r;

	spill(path, &b);
	df = open_example(path);
	r = read_samples(df);
	assert_true(datafile_swapped(df));
	assert_int_equal(r.samples, 1);
	assert_int_equal(r.words, 1234);
	assert_int_equal(datafile_event(df, 0)->attr.config, 77);
	assert_string_equal(datafile_event(df, 0)->name, "sched:sched_switch");
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

/* A file of @n events, each of which claims all of it as ids. */
static void overlapping(struct bytes *b, size_t n)
{
	const struct attr attr = { .type = 1, .size = 64, .sample_type = 7 };
	uint64_t size = 104 + n * 80;

	bytes_add(b, "PERFILE2", 8);
	bytes_u64(b, 104);
	bytes_u64(b, 80);
	bytes_u64(b, 104);
	bytes_u64(b, n * 80);
	bytes_u64(b, size);
	bytes_zero(b, 24 + 32);
	for (size_t i = 0; i < n; i++) {
		bytes_add(b, &attr, 64);
		bytes_u64(b, 0);
		bytes_u64(b, size / 8 * 8);
	}
}

static void ids_that_claim_the_file_again_and_again_are_left_out(void **state)
{
	enum {
		EVENTS = 2000
	};
	struct bytes b = { 0 };
	char *path = temporary();
	struct datafile *df;
	size_t ids = 0;
	bool told = false;

	(void)state;
	overlapping(&b, EVENTS);
	spill(path, &b);
	df = open_example(path);
	assert_int_equal(datafile_event_count(df), EVENTS);
	for (size_t i = 0; i < EVENTS; i++)
		ids += datafile_event(df, i)->n_ids;
	assert_true(ids > 0 && 8 * ids <= b.n + (64 << 10));
	for (size_t i = 0; i < datafile_note_count(df); i++)
		told |= !!strstr(datafile_note(df, i), "sections overlap");
	assert_true(told);
	datafile_free(df);
	unlink(path);
	free(path);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_killed_recorder_leaves_all_and_the_names),
		cmocka_unit_test(data_without_a_size_goes_to_the_end),
		cmocka_unit_test(data_beyond_the_end_is_what_there_is),
		cmocka_unit_test(data_that_begins_in_the_attrs_is_looked_for),
		cmocka_unit_test(attrs_of_a_wrong_size_know_their_own),
		cmocka_unit_test(attrs_that_are_nowhere_are_described_a_second_time),
		cmocka_unit_test(ids_that_are_nowhere_are_described_a_second_time),
		cmocka_unit_test(an_attr_larger_than_its_entry_is_as_large_as_that),
		cmocka_unit_test(version_1_of_another_byte_order_has_names_in_a_section),
		cmocka_unit_test(ids_that_claim_the_file_again_and_again_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
