/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "example-file.h"

/* Checks that all samples are found, and the one event with its ids, after @b was damaged. */
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
	check_all(&b, "its events are damaged: read from their description");
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

/* Makes a file of @n events, each of which claims the whole file as its ids. */
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

/*
 * A file made by hand: 4 ids at 0x68, the attrs of 2 events at 0x88, samples at 0x128, and nothing
 * behind them.
 */
#define IDS_AT   0x68
#define ATTRS_AT 0x88
#define DATA_AT  0x128
#define END      (DATA_AT + SAMPLES * SAMPLE_SIZE)

/* The offsets of the words in the header. */
enum {
	ATTR_SIZE_WORD = 16,
	ATTRS_WORD = 24,
	ATTRS_SIZE_WORD = 32,
	DATA_WORD = 40,
	DATA_SIZE_WORD = 48,
};

static struct bytes by_hand(void)
{
	const struct attr attr = { .type = 1, .size = 64, .sample_type = 7 };
	struct bytes b = { 0 }, data = samples();

	bytes_add(&b, "PERFILE2", 8);
	for (size_t i = 0; i < 6; i++)
		bytes_u64(&b, ((const uint64_t[]){ 104, 80, ATTRS_AT, 160, DATA_AT,
						   SAMPLES * SAMPLE_SIZE })[i]);
	bytes_zero(&b, 16 + 32);
	for (uint64_t i = 1; i <= 4; i++)
		bytes_u64(&b, i);
	for (uint64_t i = 0; i < 2; i++) {
		bytes_add(&b, &attr, 64);
		bytes_u64(&b, IDS_AT + 16 * i);
		bytes_u64(&b, 16);
	}
	bytes_add(&b, data.data, data.n);
	bytes_done(&data);
	return b;
}

/* Appends all notes, one a line, except the one that the file has no features. */
static void notes_of(struct datafile *df, struct bytes *out)
{
	for (size_t i = 0; i < datafile_note_count(df); i++) {
		if (strstr(datafile_note(df, i), "features are lost"))
			continue;
		bytes_add(out, datafile_note(df, i), strlen(datafile_note(df, i)));
		bytes_u8(out, '\n');
	}
	bytes_u8(out, 0);
}

/*
 * Reads @b and frees it. Checks the numbers of samples, of events and of ids in total, and the
 * notes.
 */
static void assert_found(struct bytes *b, size_t n_samples, size_t n_events, size_t n_ids,
			 const char *notes)
{
	_cleanup_(bytes_done) struct bytes text = { 0 };
	char *path = temporary();
	struct datafile *df;
	size_t ids = 0;

	spill(path, b);
	df = open_example(path);
	assert_int_equal(read_samples(df).samples, n_samples);
	notes_of(df, &text);
	assert_string_equal(text.data, notes);
	assert_int_equal(datafile_event_count(df), n_events);
	for (size_t i = 0; i < n_events; i++) {
		assert_int_equal(datafile_event(df, i)->attr.sample_type, 7);
		for (size_t j = 0; j < datafile_event(df, i)->n_ids; j++)
			assert_int_equal(datafile_event(df, i)->ids[j], ++ids);
	}
	assert_int_equal(ids, n_ids);
	datafile_free(df);
	unlink(path);
	free(path);
	bytes_done(b);
}

/* Checks the same after one word was changed. */
static void assert_found_after(size_t at, uint64_t word, size_t n_samples, size_t n_events,
			       const char *notes)
{
	struct bytes b = by_hand();

	word_set(&b, at, word);
	assert_found(&b, n_samples, n_events, 2 * n_events, notes);
}

#define NO_EVENTS "its events are damaged: samples cannot be understood\n"

static void what_is_sound_has_no_notes(void **state)
{
	(void)state;
	assert_found_after(0x38, 0, SAMPLES, 2, "");
}

static void attrs_beyond_the_end_are_looked_for_before_the_data(void **state)
{
	static const char note[] = "the place of its events is damaged\n";

	(void)state;
	assert_found_after(ATTRS_WORD, UINT64_MAX, SAMPLES, 2, note);
	assert_found_after(ATTRS_WORD, END - 159, SAMPLES, 2, note);
	assert_found_after(ATTRS_SIZE_WORD, 8000, SAMPLES, 0, NO_EVENTS);
	assert_found_after(ATTRS_SIZE_WORD, 79, SAMPLES, 0, NO_EVENTS);
	assert_found_after(ATTRS_SIZE_WORD, 80, SAMPLES, 1, "");
	assert_found_after(ATTRS_SIZE_WORD, 0, SAMPLES, 0, "");
}

static void the_size_of_an_entry_must_be_sane(void **state)
{
	static const char note[] = "the size of its events is damaged\n";
	static const uint64_t damaged[] = { 0, 8, 40, 72, 79, 81, 88, 4096, 4104, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damaged); i++)
		assert_found_after(ATTR_SIZE_WORD, damaged[i], SAMPLES, 2, note);
	assert_found_after(ATTR_SIZE_WORD, 80, SAMPLES, 2, "");
}

/* Checks the result if the first attr claims this size, and the size in the header is damaged. */
static void assert_found_by_attr(uint32_t size, size_t n_events, const char *notes)
{
	struct bytes b = by_hand();

	word_set(&b, ATTR_SIZE_WORD, 7);
	memcpy(b.data + ATTRS_AT + 4, &size, sizeof(size));
	assert_found(&b, SAMPLES, n_events, 2 * n_events, notes);
}

static void an_attr_that_says_nonsense_of_its_size_helps_nobody(void **state)
{
	static const char sane[] = "the size of its events is damaged\n";
	static const char lost[] = "the size of its events is damaged\n" NO_EVENTS;

	(void)state;
	assert_found_by_attr(0, 2, sane);
	assert_found_by_attr(64, 2, sane);
	assert_found_by_attr(16, 0, lost);
	assert_found_by_attr(63, 0, lost);
	assert_found_by_attr(72, 0, lost);
	assert_found_by_attr(UINT32_MAX, 0, lost);
}

/* Returns a file with one event whose entry has this size. */
static struct bytes with_entry(uint32_t size)
{
	const uint64_t words[] = { 104, size, 104, size, 104 + size, SAMPLES * SAMPLE_SIZE };
	struct attr attr = { .type = 1, .size = size - 16, .sample_type = 7 };
	struct bytes b = { 0 }, data = samples();

	bytes_add(&b, "PERFILE2", 8);
	for (size_t i = 0; i < 6; i++)
		bytes_u64(&b, words[i]);
	bytes_zero(&b, 16 + 32);
	bytes_add(&b, &attr, 64);
	bytes_zero(&b, size - 64);
	bytes_add(&b, data.data, data.n);
	bytes_done(&data);
	return b;
}

static void an_entry_has_at_most_4096_bytes(void **state)
{
	struct bytes b = with_entry(4096);

	(void)state;
	assert_found(&b, SAMPLES, 1, 0, "");
	b = with_entry(4104);
	assert_found(&b, SAMPLES, 0, 0, "the size of its events is damaged\n" NO_EVENTS);
	b = with_entry(4096);
	b.data[104 + 4000] = 1;
	assert_found(&b, SAMPLES, 1, 0, "an event has settings that this version does not know\n");
}

static void ids_are_words_and_within_the_file(void **state)
{
	struct bytes b = by_hand();

	(void)state;
	word_set(&b, ATTRS_AT + 80 + 72, 15);
	assert_found(&b, SAMPLES, 2, 2, "the ids of event 1 are damaged\n");
	b = by_hand();
	word_set(&b, ATTRS_AT + 80 + 72, END - IDS_AT - 16 + 8);
	assert_found(&b, SAMPLES, 2, 2, "the ids of event 1 are damaged\n");
	b = by_hand();
	word_set(&b, ATTRS_AT + 80 + 72, 0);
	assert_found(&b, SAMPLES, 2, 2, "");
}

/* Checks the result if the header claims that the data is at @offset and has @size bytes. */
static void assert_data_at(uint64_t offset, uint64_t size, size_t n_samples, const char *notes)
{
	struct bytes b = by_hand();

	word_set(&b, DATA_WORD, offset);
	word_set(&b, DATA_SIZE_WORD, size);
	assert_found(&b, n_samples, 2, 4, notes);
}

#define MOVED      "the place of its data is damaged: it is read from 0x128\n"
#define UNFINISHED "the recording was not finished: what had been written is shown\n"

static void data_is_behind_the_attrs_and_ends_where_it_said(void **state)
{
	(void)state;
	assert_data_at(DATA_AT, END - DATA_AT, SAMPLES, "");
	assert_data_at(DATA_AT, 2 * SAMPLE_SIZE, 2, "");
	assert_data_at(DATA_AT + SAMPLE_SIZE, 2 * SAMPLE_SIZE, 2, "");
	assert_data_at(DATA_AT - 1, 1 + 2 * SAMPLE_SIZE, 2, MOVED);
	assert_data_at(104, END - 104, SAMPLES, MOVED);
	assert_data_at(104, END - 104 + 1, SAMPLES, MOVED);
	assert_data_at(104, DATA_AT - 104, SAMPLES, MOVED UNFINISHED);
	assert_data_at(104, 8, SAMPLES, MOVED UNFINISHED);
	assert_data_at(END + 1, 8, SAMPLES, MOVED);
}

static void data_that_is_missing_is_counted(void **state)
{
	(void)state;
	assert_data_at(DATA_AT, END - DATA_AT + 1, SAMPLES,
		       "1 bytes of its data are missing: the file was cut or is damaged\n");
	assert_data_at(DATA_AT, END - DATA_AT + 1000, SAMPLES,
		       "1000 bytes of its data are missing: the file was cut or is damaged\n");
	assert_data_at(DATA_AT, 0, SAMPLES, UNFINISHED);
	assert_data_at(END, 0, 0, UNFINISHED);
	assert_data_at(END, 5, 0,
		       "5 bytes of its data are missing: the file was cut or is damaged\n");
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
		cmocka_unit_test(what_is_sound_has_no_notes),
		cmocka_unit_test(attrs_beyond_the_end_are_looked_for_before_the_data),
		cmocka_unit_test(the_size_of_an_entry_must_be_sane),
		cmocka_unit_test(an_attr_that_says_nonsense_of_its_size_helps_nobody),
		cmocka_unit_test(an_entry_has_at_most_4096_bytes),
		cmocka_unit_test(ids_are_words_and_within_the_file),
		cmocka_unit_test(data_is_behind_the_attrs_and_ends_where_it_said),
		cmocka_unit_test(data_that_is_missing_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
