/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "datafile/deflater.h"
#include "datafile/part.h"
#include "example-file.h"
#include "skip.h"

/*
 * Returns the offset of sample @i in a finished file made here: its data begins with the first
 * checkpoint.
 */
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

	/* The size 24 becomes 32, which would take the next header from the middle of a sample. */
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

/* The recorder was killed in the middle of a record. */
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
	/*
	 * The writer has not ended: the records that are there must come out without waiting for
	 * it.
	 */
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

/* Reads @limit bytes. The rest is left out without a note. */
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
	/* Each file is smaller than the part that is read in any case. */
	assert_int_equal(r.samples, 3 * SAMPLES);
	assert_int_equal(r.notes, 0);
	assert_false(is_limited);
}

/* A part over bytes of the test, and the damage that it reports. */
struct fed {
	struct part p;
	struct damage damage;
};

static void feed(struct fed *f, const struct bytes *b, bool as_stream)
{
	int fd = memfd_create("part", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->data, b->n), b->n);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	*f = (struct fed){ 0 };
	if (as_stream)
		f->p.input = (struct input){
			.fd = fd, .owns_fd = true, .is_stream = true, .end = UINT64_MAX
		};
	else
		input_init(&f->p.input, fd, true);
	f->p.damage = &f->damage;
	part_start(&f->p, 0);
}

static void fed_done(struct fed *f)
{
	part_done(&f->p);
	damage_done(&f->damage);
}

/* Appends a record of @size bytes, with zeros behind its header. */
static void record_put(struct bytes *b, uint32_t type, uint16_t size)
{
	bytes_u32(b, type);
	bytes_u16(b, 0);
	bytes_u16(b, size);
	if (size > RECORD_HEADER_SIZE)
		bytes_zero(b, size - RECORD_HEADER_SIZE);
}

static void samples_put(struct bytes *b, size_t n)
{
	for (uint64_t i = 0; i < n; i++)
		sample_put(b, i);
}

static size_t count_records(struct fed *f)
{
	struct raw_record rec;
	size_t n = 0;
	int r;

	while ((r = part_next(&f->p, &rec)) > 0)
		n++;
	assert_int_equal(r, 0);
	return n;
}

/*
 * Reads @b and frees it. Checks the number of records, and that @note is the only note, or that
 * there is none.
 */
static void assert_reads(struct bytes *b, bool as_stream, size_t records, const char *note)
{
	struct fed f;

	feed(&f, b, as_stream);
	assert_int_equal(count_records(&f), records);
	assert_int_equal(f.damage.n, note ? 1 : 0);
	if (note)
		assert_string_equal(f.damage.items[0], note);
	fed_done(&f);
	bytes_done(b);
}

#define IN_FILE_AND_STREAM(as_stream) for (int as_stream = 0; as_stream < 2; as_stream++)

static void parts_are_called_data_and_a_number(void **state)
{
	(void)state;
	assert_true(part_name_is("data.0"));
	assert_true(part_name_is("data.12"));
	assert_false(part_name_is("data"));
	assert_false(part_name_is("data."));
	assert_false(part_name_is("data.x"));
	assert_false(part_name_is("data.1x"));
	assert_false(part_name_is("datas1"));
	assert_false(part_name_is("old.1"));
}

static void a_record_tells_where_it_is(void **state)
{
	struct bytes b = samples();
	struct raw_record rec;
	struct fed f;

	(void)state;
	feed(&f, &b, false);
	f.p.number = 3;
	part_start(&f.p, 1000);
	assert_int_equal(part_position(&f.p), 1000);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.offset, SAMPLE_SIZE);
	assert_int_equal(rec.position, 1000 + SAMPLE_SIZE);
	assert_int_equal(rec.part, 3);
	assert_false(rec.decompressed);
	assert_int_equal(rec.payload_size, 0);
	assert_int_equal(part_position(&f.p), 1000 + 2 * SAMPLE_SIZE);
	fed_done(&f);
	bytes_done(&b);
}

/* Appends @places gaps of 24 bytes, with 5 samples before, between and behind them. */
static void put_gaps(struct bytes *b, size_t places)
{
	samples_put(b, 5);
	for (size_t i = 0; i < places; i++) {
		bytes_zero(b, 24);
		samples_put(b, 5);
	}
}

static void four_damaged_places_are_noted_singly_and_the_others_in_one(void **state)
{
	(void)state;
	IN_FILE_AND_STREAM(as_stream)
	{
		struct bytes b = { 0 };
		struct fed f;

		put_gaps(&b, 4);
		feed(&f, &b, as_stream);
		f.p.name = xstrdup("data.1");
		assert_int_equal(count_records(&f), 25);
		assert_int_equal(f.damage.n, 4);
		assert_string_equal(f.damage.items[0],
				    "there are no records in 24 bytes at 0x78 of data.1: they are "
				    "skipped");
		fed_done(&f);
		b.n = 0;
		put_gaps(&b, 6);
		feed(&f, &b, as_stream);
		assert_int_equal(count_records(&f), 35);
		assert_int_equal(f.damage.n, 5);
		assert_string_equal(f.damage.items[3],
				    "there are no records in 24 bytes at 0x228: they are skipped");
		assert_string_equal(f.damage.items[4], "2 more places without records are skipped, "
						       "144 bytes in all");
		fed_done(&f);
		bytes_done(&b);
	}
}

static void a_gap_larger_than_the_window_of_the_search_is_one(void **state)
{
	(void)state;
	IN_FILE_AND_STREAM(as_stream)
	{
		struct bytes b = { 0 };

		samples_put(&b, 5);
		bytes_zero(&b, 200000);
		samples_put(&b, 5);
		assert_reads(&b, as_stream, 10,
			     "there are no records in 200000 bytes at 0x78: they are skipped");
	}
}

static void the_place_of_a_record_that_swallowed_others_is_noted(void **state)
{
	struct bytes b = samples();

	(void)state;
	b.data[3 * SAMPLE_SIZE + 6] = 32;
	assert_reads(&b, false, SAMPLES,
		     "there are no records in 24 bytes at 0x48: they are skipped");
}

static void what_is_cut_and_what_is_no_record_are_told_apart_at_the_end(void **state)
{
	static const struct {
		uint32_t type;
		uint16_t size;
		size_t n; /* bytes that exist */
		const char *note;
	} tails[] = {
		{ PERF_RECORD_SAMPLE, 24, 7,
		  "the data ends in the middle of a record at 0x78: its first 7 bytes are left "
		  "out" },
		{ PERF_RECORD_SAMPLE, 24, 8,
		  "the data ends in the middle of a record at 0x78: its first 8 bytes are left "
		  "out" },
		{ PERF_RECORD_SAMPLE, 24, 23,
		  "the data ends in the middle of a record at 0x78: its first 23 bytes are left "
		  "out" },
		{ PERF_RECORD_SAMPLE, 24, 24, NULL },
		{ 0, 0, 7,
		  "the data ends in the middle of a record at 0x78: its first 7 bytes are left "
		  "out" },
		{ 0, 0, 8, "there are no records at 0x78 any more: the last 8 bytes are left out" },
		{ PERF_RECORD_SAMPLE, 4, 9,
		  "there are no records at 0x78 any more: the last 9 bytes are left out" },
		{ PERF_RECORD_COMPRESSED2, 32, 15,
		  "the data ends in the middle of a record at 0x78: its first 15 bytes are left "
		  "out" },
	};

	(void)state;
	IN_FILE_AND_STREAM(as_stream)
	{
		for (size_t i = 0; i < ARRAY_SIZE(tails); i++) {
			struct bytes b = { 0 };

			samples_put(&b, 5);
			record_put(&b, tails[i].type, tails[i].size);
			bytes_zero(&b, 24);
			b.n = 5 * SAMPLE_SIZE + tails[i].n;
			assert_reads(&b, as_stream, tails[i].note ? 5 : 6, tails[i].note);
		}
	}
}

static void a_record_of_a_newer_version_may_be_a_header_or_the_last_one(void **state)
{
	(void)state;
	IN_FILE_AND_STREAM(as_stream)
	{
		struct bytes b = { 0 };

		record_put(&b, 40, 8);
		samples_put(&b, 5);
		assert_reads(&b, as_stream, 6, NULL);
		b = (struct bytes){ 0 };
		samples_put(&b, 5);
		record_put(&b, 40, 16);
		assert_reads(&b, as_stream, 6, NULL);
		b = (struct bytes){ 0 };
		record_put(&b, 40, 7);
		samples_put(&b, 5);
		assert_reads(&b, as_stream, 5,
			     "there are no records in 8 bytes at 0x0: they are skipped");
		b = (struct bytes){ 0 };
		samples_put(&b, 5);
		record_put(&b, 40, 16);
		b.n--;
		assert_reads(&b, as_stream, 5,
			     "there are no records at 0x78 any more: the last 15 bytes are left "
			     "out");
	}
}

/* Returns an AUXTRACE record that claims to be followed by @size bytes, and samples. */
static struct bytes trace_of(uint64_t size)
{
	struct bytes b = { 0 };

	record_put(&b, PERF_RECORD_AUXTRACE, 48);
	word_set(&b, 8, size);
	samples_put(&b, 5);
	return b;
}

static void so_much_trace_data_may_follow_a_record_of_a_stream(void **state)
{
	const uint64_t most = UINT64_C(256) << 20;
	struct bytes b = trace_of(most);

	(void)state;
	assert_reads(&b, true, 6, NULL);
	b = trace_of(most + 1);
	assert_reads(&b, true, 6,
		     "268435457 bytes are said to follow the record at 0x0: in a stream that is "
		     "damage");
	b = trace_of(most + 1);
	assert_reads(&b, false, 6, NULL);
	b = trace_of(5 * SAMPLE_SIZE);
	assert_reads(&b, false, 1, NULL);
	b = trace_of(5 * SAMPLE_SIZE + 1);
	assert_reads(&b, false, 6, NULL);
}

/* Returns @records as compressed records. */
static struct bytes compressed(struct bytes *records, bool aligned)
{
	_cleanup_(deflater_freep) struct deflater *z = deflater_new(1, aligned);
	struct bytes out = { 0 };

	if (!z)
		skip_because("built without zstd");
	assert_int_equal(deflater_add(z, records->data, records->n, &out), 0);
	bytes_done(records);
	return out;
}

static void a_header_alone_is_the_last_record_of_compressed_data(void **state)
{
	struct bytes records = { 0 }, b;
	struct raw_record rec;
	struct fed f;

	(void)state;
	sample_put(&records, 1);
	record_put(&records, PERF_RECORD_FINISHED_ROUND, 8);
	b = compressed(&records, false);
	feed(&f, &b, false);
	f.p.number = 2;
	part_start(&f.p, 100);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_COMPRESSED);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_SAMPLE);
	assert_true(rec.decompressed);
	assert_int_equal(rec.offset, 0);
	assert_int_equal(rec.position, 100 + b.n);
	assert_int_equal(rec.part, 2);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_FINISHED_ROUND);
	assert_int_equal(rec.position, 100 + b.n + SAMPLE_SIZE);
	assert_int_equal(part_next(&f.p, &rec), 0);
	assert_int_equal(f.damage.n, 0);
	fed_done(&f);
	bytes_done(&b);
}

static void a_record_without_size_in_compressed_data_ends_them(void **state)
{
	struct bytes records = { 0 }, b;

	(void)state;
	samples_put(&records, 2);
	record_put(&records, PERF_RECORD_SAMPLE, 7);
	samples_put(&records, 2);
	b = compressed(&records, false);
	samples_put(&b, 5);
	/* Later compressed records are returned as they are. */
	records = (struct bytes){ 0 };
	samples_put(&records, 2);
	records = compressed(&records, false);
	bytes_add(&b, records.data, records.n);
	bytes_done(&records);
	assert_reads(&b, true, 1 + 2 + 5 + 1,
		     "the compressed data is damaged at 0x0: nothing compressed can be read from "
		     "there on");
}

static void all_that_came_of_a_cut_compressed_record_is_read(void **state)
{
	char note[128];

	(void)state;
	for (int aligned = 0; aligned < 2; aligned++) {
		struct bytes records = { 0 }, b;
		struct record_header h;

		samples_put(&records, 6);
		b = compressed(&records, aligned);
		h = record_header_at(b.data, false);
		h.size += 64;
		memcpy(b.data, &h, sizeof(h));
		snprintf(note, sizeof(note),
			 "the data ends in the middle of a record at 0x0: its first %zu bytes are "
			 "left out",
			 b.n);
		assert_reads(&b, false, 6, note);
	}
}

/* Returns samples of 24 bytes: a round of 3, and more of them. */
static struct bytes rounds(void)
{
	struct bytes b = { 0 };

	samples_put(&b, 3);
	record_put(&b, PERF_RECORD_FINISHED_ROUND, 8);
	samples_put(&b, 20);
	return b;
}

/* Returns the number of records that a part with that limit returns. */
static size_t count_limited(struct bytes b, uint64_t limit, bool *ret_is_limited)
{
	struct fed f;
	size_t n;

	feed(&f, &b, false);
	f.p.limit = limit;
	n = count_records(&f);
	*ret_is_limited = f.p.is_limited;
	assert_int_equal(f.damage.n, 0);
	fed_done(&f);
	bytes_done(&b);
	return n;
}

static void a_limit_is_at_the_end_of_a_round_unless_that_is_far_away(void **state)
{
	bool is_limited;

	(void)state;
	assert_int_equal(count_limited(rounds(), 80, &is_limited), 4);
	assert_true(is_limited);
	assert_int_equal(count_limited(rounds(), 81, &is_limited), 1 + 14);
	assert_true(is_limited);
	assert_int_equal(count_limited(samples(), 48, &is_limited), 8);
	assert_true(is_limited);
	assert_int_equal(count_limited(samples(), 49, &is_limited), 9);
	assert_true(is_limited);
	assert_int_equal(count_limited(samples(), 120, &is_limited), SAMPLES);
	assert_false(is_limited);
	assert_int_equal(count_limited(samples(), 0, &is_limited), SAMPLES);
	assert_false(is_limited);
}

/* True if a part that has read @read bytes is at @limit. */
static bool is_at_limit(uint64_t limit, uint64_t read)
{
	struct bytes b = samples();
	struct raw_record rec;
	struct fed f;
	int r;

	feed(&f, &b, false);
	f.p.limit = limit;
	f.p.inflated = read;
	r = part_next(&f.p, &rec);
	fed_done(&f);
	bytes_done(&b);
	return r == 0;
}

static void the_end_of_a_round_is_waited_for_three_times_the_limit_up_to_4_mib(void **state)
{
	const uint64_t mib = 1 << 20, third = 4 * mib / 3;

	(void)state;
	assert_false(is_at_limit(mib, 4 * mib - 1));
	assert_true(is_at_limit(mib, 4 * mib));
	assert_false(is_at_limit(third, third + 4 * mib - 1));
	assert_true(is_at_limit(third, third + 4 * mib));
	assert_false(is_at_limit(100 * mib, 104 * mib - 1));
	assert_true(is_at_limit(100 * mib, 104 * mib));
}

/* Returns the number of samples in the first run of @b, which is freed; 0: there is no run. */
static size_t run_of(struct bytes *b, size_t most)
{
	struct sample_run run = { .n = 77 };
	struct fed f;
	bool got;

	feed(&f, b, false);
	got = part_next_samples(&f.p, most, &run);
	assert_int_equal(f.p.input.at, got ? run.size : 0);
	assert_true(got || run.n == 77);
	fed_done(&f);
	bytes_done(b);
	return got ? run.n : 0;
}

static void a_run_ends_with_the_samples_or_at_the_most_bytes(void **state)
{
	struct bytes b = samples();

	(void)state;
	assert_int_equal(run_of(&b, SIZE_MAX), SAMPLES);
	b = samples();
	assert_int_equal(run_of(&b, 2 * SAMPLE_SIZE), 2);
	b = samples();
	assert_int_equal(run_of(&b, 2 * SAMPLE_SIZE + 1), 3);
	b = samples();
	assert_int_equal(run_of(&b, 0), 0);
	b = rounds();
	assert_int_equal(run_of(&b, SIZE_MAX), 3);
	b = (struct bytes){ 0 };
	record_put(&b, PERF_RECORD_FINISHED_ROUND, 8);
	samples_put(&b, 3);
	assert_int_equal(run_of(&b, SIZE_MAX), 0);
}

/* Returns the length of the run if the third of four samples has this size. */
static size_t run_with_third_of_size(uint16_t size)
{
	struct bytes b = { 0 };

	samples_put(&b, 2);
	record_put(&b, PERF_RECORD_SAMPLE, size);
	if (size < SAMPLE_SIZE)
		samples_put(&b, 1);
	return run_of(&b, SIZE_MAX);
}

static void only_whole_samples_of_usual_sizes_are_in_a_run(void **state)
{
	struct bytes b = samples();

	(void)state;
	assert_int_equal(run_with_third_of_size(0), 2);
	assert_int_equal(run_with_third_of_size(7), 2);
	assert_int_equal(run_with_third_of_size(8), 4);
	assert_int_equal(run_with_third_of_size(20), 2);
	assert_int_equal(run_with_third_of_size(32), 3);
	b.n -= 1;
	assert_int_equal(run_of(&b, SIZE_MAX), SAMPLES - 1);
	b = samples();
	record_put(&b, PERF_RECORD_SAMPLE, 8);
	assert_int_equal(run_of(&b, SIZE_MAX), SAMPLES + 1);
	b = samples();
	bytes_u32(&b, PERF_RECORD_SAMPLE);
	assert_int_equal(run_of(&b, SIZE_MAX), SAMPLES);
}

static void after_a_run_the_reading_goes_on(void **state)
{
	struct bytes b = samples();
	struct sample_run run;
	struct raw_record rec;
	struct fed f;

	(void)state;
	b.data[3 * SAMPLE_SIZE + 6] = 32;
	feed(&f, &b, false);
	f.p.number = 5;
	part_start(&f.p, 7);
	assert_true(part_next_samples(&f.p, SIZE_MAX, &run));
	assert_int_equal(run.n, 4);
	assert_int_equal(run.size, 3 * SAMPLE_SIZE + 32);
	assert_int_equal(run.offset, 0);
	assert_int_equal(run.position, 7);
	assert_int_equal(run.part, 5);
	/* Sample 3 would end within sample 4. It is skipped, and sample 4 is found. */
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.offset, 4 * SAMPLE_SIZE);
	assert_string_equal(f.damage.items[0],
			    "there are no records in 24 bytes at 0x48: they are skipped");
	assert_true(part_next_samples(&f.p, SIZE_MAX, &run));
	assert_int_equal(run.n, SAMPLES - 5);
	assert_int_equal(run.offset, 5 * SAMPLE_SIZE);
	fed_done(&f);
	bytes_done(&b);
}

static void there_are_no_runs_in_a_stream_or_beyond_the_limit(void **state)
{
	struct bytes b = rounds();
	struct sample_run run;
	struct raw_record rec;
	struct fed f;

	(void)state;
	feed(&f, &b, true);
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_false(part_next_samples(&f.p, SIZE_MAX, &run));
	fed_done(&f);
	feed(&f, &b, false);
	f.p.limit = 80;
	for (int i = 0; i < 4; i++)
		assert_int_equal(part_next(&f.p, &rec), 1);
	assert_false(part_next_samples(&f.p, SIZE_MAX, &run));
	assert_int_equal(part_next(&f.p, &rec), 0);
	/* After a run, the record before is not the round any more. */
	f.p.limit = 81;
	f.p.after_round = true;
	f.p.input.at -= 8;
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_int_equal(rec.header.type, PERF_RECORD_FINISHED_ROUND);
	f.p.limit = 100;
	assert_true(part_next_samples(&f.p, SAMPLE_SIZE, &run));
	assert_int_equal(part_next(&f.p, &rec), 1);
	fed_done(&f);
	bytes_done(&b);
}

/* Checks the run of samples behind compressed records, one of which may be damaged. */
static void assert_run_follows(bool damaged)
{
	struct bytes records = { 0 }, b;
	struct sample_run run;
	struct raw_record rec;
	struct fed f;

	samples_put(&records, 2);
	if (damaged)
		record_put(&records, PERF_RECORD_SAMPLE, 7);
	b = compressed(&records, false);
	samples_put(&b, 5);
	feed(&f, &b, false);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(part_next(&f.p, &rec), 1);
		assert_false(part_next_samples(&f.p, SIZE_MAX, &run));
	}
	assert_int_equal(part_next(&f.p, &rec), 1);
	assert_false(rec.decompressed);
	assert_true(part_next_samples(&f.p, SIZE_MAX, &run));
	assert_int_equal(run.n, 4);
	assert_int_equal(run.position, rec.position + SAMPLE_SIZE);
	fed_done(&f);
	bytes_done(&b);
}

static void there_are_runs_again_behind_what_was_compressed(void **state)
{
	(void)state;
	assert_run_follows(false);
	assert_run_follows(true);
}

static void a_limit_counts_from_the_first_record(void **state)
{
	struct bytes b = samples();
	struct fed f;

	(void)state;
	feed(&f, &b, false);
	f.p.start = 5 * SAMPLE_SIZE;
	input_seek(&f.p.input, f.p.start, b.n);
	part_start(&f.p, 0);
	f.p.limit = 2 * SAMPLE_SIZE;
	assert_int_equal(count_records(&f), 8);
	assert_true(f.p.is_limited);
	fed_done(&f);
	bytes_done(&b);
}

/* A stream keeps pieces of 256 KiB until the last record in each is released. */
static void what_was_lent_stays_until_it_is_released(void **state)
{
	struct bytes b = { 0 };
	struct raw_record rec;
	uint64_t end = 0;
	struct fed f;

	(void)state;
	samples_put(&b, 20000);
	feed(&f, &b, true);
	do {
		assert_int_equal(part_next(&f.p, &rec), 1);
		end = f.p.input.chunks.first == f.p.input.chunks.last ? part_position(&f.p) : end;
	} while (f.p.input.chunks.first == f.p.input.chunks.last);
	assert_int_equal(rec.position, end);
	part_release(&f.p, end - 1);
	assert_ptr_not_equal(f.p.input.chunks.first, f.p.input.chunks.last);
	part_release(&f.p, end);
	assert_ptr_equal(f.p.input.chunks.first, f.p.input.chunks.last);
	fed_done(&f);
	bytes_done(&b);
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
		cmocka_unit_test(parts_are_called_data_and_a_number),
		cmocka_unit_test(a_record_tells_where_it_is),
		cmocka_unit_test(four_damaged_places_are_noted_singly_and_the_others_in_one),
		cmocka_unit_test(a_gap_larger_than_the_window_of_the_search_is_one),
		cmocka_unit_test(the_place_of_a_record_that_swallowed_others_is_noted),
		cmocka_unit_test(what_is_cut_and_what_is_no_record_are_told_apart_at_the_end),
		cmocka_unit_test(a_record_of_a_newer_version_may_be_a_header_or_the_last_one),
		cmocka_unit_test(so_much_trace_data_may_follow_a_record_of_a_stream),
		cmocka_unit_test(a_header_alone_is_the_last_record_of_compressed_data),
		cmocka_unit_test(a_record_without_size_in_compressed_data_ends_them),
		cmocka_unit_test(all_that_came_of_a_cut_compressed_record_is_read),
		cmocka_unit_test(a_limit_is_at_the_end_of_a_round_unless_that_is_far_away),
		cmocka_unit_test(
			the_end_of_a_round_is_waited_for_three_times_the_limit_up_to_4_mib),
		cmocka_unit_test(a_run_ends_with_the_samples_or_at_the_most_bytes),
		cmocka_unit_test(only_whole_samples_of_usual_sizes_are_in_a_run),
		cmocka_unit_test(after_a_run_the_reading_goes_on),
		cmocka_unit_test(there_are_no_runs_in_a_stream_or_beyond_the_limit),
		cmocka_unit_test(there_are_runs_again_behind_what_was_compressed),
		cmocka_unit_test(a_limit_counts_from_the_first_record),
		cmocka_unit_test(what_was_lent_stays_until_it_is_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
