/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/stack-unwind.h"
#include "session/unwound-note.h"

static void what_was_put_is_got(void **state)
{
	const struct unwind_counts c = { .stacks = 12345,
					 .ended = { [UNWIND_CUT] = 67, [UNWIND_LOST] = 8 } };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct unwind_counts got = { 0 };
	struct record r;

	(void)state;
	unwound_note_put(&c, &b);
	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), 0);
	assert_int_equal(r.header.type, PERF_RECORD_HEADER_EVENT_TYPE);
	assert_true(unwound_note_get(&r.event_type, &got));
	assert_int_equal(got.stacks, 12345);
	assert_int_equal(got.ended[UNWIND_CUT], 67);
	assert_int_equal(got.ended[UNWIND_LOST], 8);
	assert_false(got.is_rest);
	assert_int_equal(r.header.size, b.n); /* one record */
}

static void reasons_stand_in_a_second_record(void **state)
{
	const struct unwind_counts c = {
		.stacks = 100,
		.ended = { [UNWIND_ROOT] = 79,
			   [UNWIND_CUT] = 1,
			   [UNWIND_MAX] = 2,
			   [UNWIND_NO_FILE] = 3,
			   [UNWIND_NO_CFI] = 4,
			   [UNWIND_OTHER_STACK] = 5,
			   [UNWIND_UNTOUCHED] = 7,
			   [UNWIND_LOST] = 6 },
		.is_rest = true,
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct unwind_counts got = { 0 };
	struct record r;

	(void)state;
	unwound_note_put(&c, &b);
	assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), 0);
	assert_string_equal(r.event_type.name, "unwound 100 cut 1 lost 27"); /* for old readers */
	assert_true(unwound_note_get(&r.event_type, &got));
	assert_int_equal(got.ended[UNWIND_LOST], 27);
	for (size_t at = r.header.size; at < b.n; at += r.header.size) {
		assert_int_equal(record_decode(b.data + at, b.n - at, false, NULL, &r), 0);
		assert_true(unwound_note_get(&r.event_type, &got));
	}
	assert_int_equal(got.stacks, 100);
	assert_true(got.is_rest);
	for (int end = UNWIND_CUT; end < UNWIND_ENDS; end++)
		assert_int_equal(got.ended[end], c.ended[end]);
}

static void names_of_events_are_no_notes(void **state)
{
	const struct record_event_type others[] = {
		{ .event_id = 3, .name = "unwound 1 cut 2 lost 3" },
		{ .event_id = UINT64_MAX, .name = "" },
		{ .event_id = UINT64_MAX - 1, .name = "" },
		{ .event_id = UINT64_MAX - 1, .name = "unwound 1 cut 2" },
		{ .event_id = UINT64_MAX - 1, .name = "lost 1 max 2 file 3 rule 4" },
	};
	struct unwind_counts got = { .stacks = 5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(unwound_note_get(&others[i], &got));
	assert_int_equal(got.stacks, 5);
}

static void a_session_counts_what_its_file_says_once(void **state)
{
	const struct unwind_counts c = {
		.stacks = 10,
		.ended = { [UNWIND_CUT] = 2, [UNWIND_NO_FILE] = 3, [UNWIND_LOST] = 1 },
	};
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	sampled(&rec, 1, 7, 30);
	unwound_note_put(&c, &rec.records);
	s = opened(&rec, false);
	assert_int_equal(session_scan(s, &diag), 0);
	assert_int_equal(session_feed(s, NULL, &(struct consumer){ 0 }, &diag), 0);
	assert_int_equal(session_unwind_counts(s).stacks, 10);
	assert_int_equal(session_unwind_counts(s).ended[UNWIND_CUT], 2);
	assert_int_equal(session_unwind_counts(s).ended[UNWIND_LOST], 1);
	assert_int_equal(session_unwind_counts(s).ended[UNWIND_NO_FILE], 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_got),
		cmocka_unit_test(reasons_stand_in_a_second_record),
		cmocka_unit_test(names_of_events_are_no_notes),
		cmocka_unit_test(a_session_counts_what_its_file_says_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
