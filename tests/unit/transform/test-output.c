/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "datafile/writer.h"
#include "transform/output.h"
#include "transform/rewrite.h"
#include "transform/transform.h"

/*
 * Passes @rec through @first, writes it as @form, and returns the file that is read back. The
 * descriptor stays open.
 */
static struct datafile *rewritten(struct recording *rec, struct transform *first,
				  enum writer_form form, int *ret_fd)
{
	_cleanup_(session_freep) struct session *s = opened(rec, true);
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(output_freep) struct output *o = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct datafile *df;
	uint64_t left_out;
	char path[32];

	*ret_fd = memfd_create("output", MFD_CLOEXEC);
	assert_int_equal(
		writer_open(NULL, *ret_fd, &(struct writer_options){ .form = form }, &w, &d), 0);
	o = output_new(s, w, NULL, &d);
	assert_int_equal(rewrite(s, output_close_chain(o, first), &left_out, &d), 0);
	assert_int_equal(left_out, 0);
	assert_int_equal(lseek(*ret_fd, 0, SEEK_SET), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *ret_fd);
	assert_int_equal(datafile_open(path, true, &df, &d), 0);
	return df;
}

/*
 * Finds the types of the file's records except our own marks, at most @most. Returns their number.
 */
static size_t types_of(struct datafile *df, uint32_t *types, size_t most)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct raw_record raw;
	size_t n = 0;

	while (datafile_next(df, &raw, &d) > 0) {
		if (raw.header.type == PERF_RECORD_HEADER_EVENT_TYPE)
			continue;
		assert_true(n < most);
		types[n++] = raw.header.type;
	}
	return n;
}

static void without_transforms_records_are_as_they_were(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	uint32_t types[8];

	comm(&rec, 7, 7, "a", 10);
	sampled(&rec, 2, 7, 30);
	sampled(&rec, 1, 7, 20);
	round_ends(&rec);
	df = rewritten(&rec, NULL, WRITER_FILE, &fd);
	assert_false(datafile_is_pipe(df));
	assert_int_equal(datafile_event_count(df), RECORDING_EVENTS);
	assert_int_equal(datafile_event(df, 1)->ids[0], 2);
	assert_int_equal(types_of(df, types, 8), 4);
	assert_int_equal(types[0], PERF_RECORD_COMM);
	assert_int_equal(types[1], PERF_RECORD_SAMPLE);
	assert_int_equal(types[3], PERF_RECORD_FINISHED_ROUND);
}

static void a_file_becomes_a_stream_that_tells_its_events(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	uint32_t types[8];
	size_t n;

	sampled(&rec, 2, 7, 30);
	df = rewritten(&rec, NULL, WRITER_PIPE, &fd);
	assert_true(datafile_is_pipe(df));
	n = types_of(df, types, 8);
	assert_int_equal(types[0], PERF_RECORD_HEADER_ATTR);
	assert_int_equal(types[n - 1], PERF_RECORD_SAMPLE);
	assert_int_equal(datafile_event_count(df), RECORDING_EVENTS);
}

static void build_ids_that_records_tell_are_listed_at_the_end(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	struct record r = { .header = { .type = PERF_RECORD_HEADER_BUILD_ID,
					.misc = PERF_RECORD_MISC_USER |
						PERF_RECORD_MISC_BUILD_ID_SIZE },
			    .build_id = { -1, { .bytes = { 5 }, .size = 20 }, "/bin/x" } };

	assert_int_equal(record_encode(&r, NULL, &rec.records), 0);
	assert_int_equal(record_encode(&r, NULL, &rec.records), 0);
	df = rewritten(&rec, NULL, WRITER_FILE, &fd);
	assert_int_equal(datafile_features(df)->build_ids.n, 1);
	assert_string_equal(datafile_features(df)->build_ids.items[0].filename, "/bin/x");
}

static void marks_of_the_old_file_are_left_out(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1, fd_again = -1;
	uint32_t types[8];

	/* A flush of our recorder leaves this record behind the data. */
	bytes_u32(&rec.records, PERF_RECORD_HEADER_EVENT_TYPE);
	bytes_u16(&rec.records, 0);
	bytes_u16(&rec.records, 32);
	bytes_u64(&rec.records, UINT64_MAX);
	bytes_u64(&rec.records, 1);
	bytes_u64(&rec.records, 2);
	sampled(&rec, 1, 7, 30);
	df = rewritten(&rec, NULL, WRITER_PIPE, &fd);
	assert_true(types_of(df, types, 8) > 0);
	datafile_free(df);
	df = rewritten(&rec, NULL, WRITER_FILE, &fd_again);
	assert_int_equal(types_of(df, types, 8), 1);
}

static void no_records_make_a_whole_file(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	uint32_t types[8];

	comm(&rec, 1, 1, "x", 1);
	df = rewritten(&rec, NULL, WRITER_FILE, &fd);
	assert_int_equal(types_of(df, types, 8), 1);
}

static void traces_keep_what_follows_them_and_are_found_by_the_index(void **state)
{
	(void)state;
	static const char payload[] = "0123456789abcde";
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(closep) int fd = -1;
	struct record r = { .header.type = PERF_RECORD_AUXTRACE,
			    .auxtrace = { .size = sizeof(payload), .idx = 3 } };
	struct raw_record raw;
	const struct features *f;

	sampled(&rec, 1, 7, 30);
	assert_int_equal(record_encode(&r, NULL, &rec.records), 0);
	bytes_add(&rec.records, payload, sizeof(payload));
	df = rewritten(&rec, NULL, WRITER_FILE, &fd);
	do
		assert_int_equal(datafile_next(df, &raw, &d), 1);
	while (raw.header.type != PERF_RECORD_AUXTRACE);
	assert_int_equal(raw.payload_size, sizeof(payload));
	assert_memory_equal(raw.payload, payload, sizeof(payload));
	f = datafile_features(df);
	assert_int_equal(f->auxtrace.index.n, 1);
	assert_int_equal(f->auxtrace.index.items[0].file_offset, raw.offset);
	assert_int_equal(f->auxtrace.index.items[0].size, raw.header.size + sizeof(payload));
}

static int swallow(struct transform *t, const struct delivered *d)
{
	(void)t, (void)d;
	return 0;
}

static void tell_more(const struct transform *t, struct attr *attr)
{
	(void)t;
	attr->sample_type |= PERF_SAMPLE_CPU;
}

static void events_are_written_as_the_chain_makes_them(void **state)
{
	(void)state;
	static const struct transform_kind kind = { .take = swallow, .attr = tell_more };
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(closep) int fd = -1;
	struct transform first = { .kind = &kind };
	uint32_t types[8];

	sampled(&rec, 1, 7, 30);
	df = rewritten(&rec, &first, WRITER_FILE, &fd);
	assert_int_equal(types_of(df, types, 8), 0);
	assert_true(datafile_event(df, 0)->attr.sample_type & PERF_SAMPLE_CPU);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_transforms_records_are_as_they_were),
		cmocka_unit_test(a_file_becomes_a_stream_that_tells_its_events),
		cmocka_unit_test(build_ids_that_records_tell_are_listed_at_the_end),
		cmocka_unit_test(marks_of_the_old_file_are_left_out),
		cmocka_unit_test(no_records_make_a_whole_file),
		cmocka_unit_test(traces_keep_what_follows_them_and_are_found_by_the_index),
		cmocka_unit_test(events_are_written_as_the_chain_makes_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
