/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "base/memory.h"
#include "base/notes.h"
#include "symbol/symbol-request.h"
#include "session/time-window.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "session/stack-unwind.h"
#include "session/unwound-note.h"

/* Returns a file whose samples have the times 1000 to 2000. */
static struct session *made(struct recording *rec)
{
	*rec = recording_new();
	sampled(rec, 1, 7, 1000);
	sampled(rec, 1, 7, 1500);
	sampled(rec, 1, 7, 2000);
	return opened(rec, false);
}

static void check(const char *text, size_t i, uint64_t from, uint64_t to)
{
	_cleanup_(recording_done) struct recording rec;
	_cleanup_(session_freep) struct session *s = made(&rec);
	_cleanup_(time_window_done) struct time_window w = { 0 };
	_cleanup_(freep) struct time_span *spans = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	size_t offset;

	assert_int_equal(time_window_parse(text, &w, &offset), 0);
	assert_int_equal(reading_spans(&w, s, &spans, &diag), 0);
	assert_true(i < w.n);
	assert_int_equal(spans[i].from_ns, from);
	assert_int_equal(spans[i].to_ns, to);
}

static void times_are_taken_as_they_are(void **state)
{
	(void)state;
	check("0.000001200,0.000001300", 0, 1200, 1300);
	check("0.000001200,", 0, 1200, TIME_OPEN);
}

static void parts_are_of_the_time_between_first_and_last_sample(void **state)
{
	(void)state;
	check("0%-50%", 0, 1000, 1500);
	check("0%-10%,50%-100%", 1, 1500, 2000);
	check("10%/2", 0, 1100, 1200);
}

static void another_root_is_one_that_is_not_this_machines(void **state)
{
	(void)state;
	assert_null(reading_other_root(&(struct symbol_request){ 0 }));
	assert_null(reading_other_root(&(struct symbol_request){ .symfs = "/" }));
	assert_string_equal(reading_other_root(&(struct symbol_request){ .symfs = "/mnt" }),
			    "/mnt");
}

/* Returns the note on losses by @r, in a recording of its own; NULL: there is none. */
static char *said_about(struct record r)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	r.lost.id = 1;
	r.lost.lost = 33;
	add(&rec, r, 5);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	reading_note_losses(s, &notes);
	return notes.n ? xstrdup(notes.items[0].what.message) : NULL;
}

static void losses_of_records_and_of_samples_are_told(void **state)
{
	_cleanup_(freep) char *records =
		said_about((struct record){ .header.type = PERF_RECORD_LOST });
	_cleanup_(freep) char *samples =
		said_about((struct record){ .header.type = PERF_RECORD_LOST_SAMPLES });

	(void)state;
	assert_string_equal(records, "33 records were lost while recording: they are missing here");
	assert_string_equal(samples, "33 samples were lost while recording: they are missing here");
	/* A filter dropped these samples. */
	assert_null(said_about(
		(struct record){ .header = { .type = PERF_RECORD_LOST_SAMPLES,
					     .misc = PERF_RECORD_MISC_LOST_SAMPLES_BPF } }));
}

static void gaps_in_traces_are_told(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct record aux = { .header.type = PERF_RECORD_AUX };

	(void)state;
	add(&rec, aux, 5);
	aux.aux.flags = PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_COLLISION;
	add(&rec, aux, 6);
	aux.aux.flags = PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_OVERWRITE;
	add(&rec, aux, 7);
	add(&rec,
	    (struct record){ .header.type = PERF_RECORD_AUXTRACE_ERROR, .auxtrace_error.msg = "" },
	    0);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	reading_note_losses(s, &notes);
	assert_int_equal(notes.n, 4);
	assert_string_equal(notes.items[0].what.message, "AUX data lost 1 times out of 3!");
	assert_string_equal(notes.items[1].what.message,
			    "AUX data had gaps in it 1 times out of 3!");
	assert_string_equal(notes.items[2].what.message,
			    "AUX data detected collision 1 times out of 3!");
	assert_string_equal(notes.items[3].what.message, "1 instruction trace errors");
}

/* Returns the first note on the stacks of a recording whose counts are @c. */
static struct diag said_about_stacks(struct unwind_counts c)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct diag first;

	sampled(&rec, 1, 7, 30);
	unwound_note_put(&c, &rec.records);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	reading_note_stacks(s, &notes);
	assert_int_equal(notes.n, 1);
	first = notes.items[0].what;
	notes.items[0].what = (struct diag){ 0 };
	return first;
}

/* The hint for stacks that the kernel did not unwind must not be to unwind in the kernel. */
static void stacks_that_the_kernel_left_have_hints_of_their_own(void **state)
{
	struct unwind_counts c = { .stacks = 9, .ended = { [UNWIND_OTHER_STACK] = 3 } };
	_cleanup_(diag_done) struct diag copied = said_about_stacks(c);
	_cleanup_(diag_done) struct diag rest = (c.is_rest = true, said_about_stacks(c));

	(void)state;
	assert_memory_equal(copied.message, "3 of 9 stacks end with", 22);
	assert_non_null(strstr(copied.hint, "--call-graph bpf"));
	assert_non_null(strstr(rest.message, "3 of 9 stacks that the kernel did not unwind end"));
	assert_null(strstr(rest.hint, "--call-graph bpf"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_taken_as_they_are),
		cmocka_unit_test(parts_are_of_the_time_between_first_and_last_sample),
		cmocka_unit_test(another_root_is_one_that_is_not_this_machines),
		cmocka_unit_test(losses_of_records_and_of_samples_are_told),
		cmocka_unit_test(gaps_in_traces_are_told),
		cmocka_unit_test(stacks_that_the_kernel_left_have_hints_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
