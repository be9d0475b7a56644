/* SPDX-License-Identifier: MIT */
#include "stream.h"

static const struct attr clock_attr = { .type = PERF_TYPE_SOFTWARE,
					.size = 128,
					.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
					.exclude_guest = 1 };
static const struct attr switch_attr = { .type = PERF_TYPE_TRACEPOINT,
					 .size = 128,
					 .config = 314,
					 .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME };

static void events_of_a_stream_are_known_by_their_ids(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	begin_stream(&b);
	add_attr(&b, &clock_attr, (uint64_t[]){ 5, 6 }, 2);
	add_attr(&b, &switch_attr, (uint64_t[]){ 7 }, 1);
	s = read_stream(&b, &fd);
	assert_int_equal(session_event_count(s), 2);
	assert_ptr_equal(session_event_by_id(s, 6), session_event(s, 0));
	assert_ptr_equal(session_event_by_id(s, 7), session_event(s, 1));
	assert_null(session_event_by_id(s, 8));
	assert_int_equal(session_event(s, 0)->n_ids, 2);
	assert_int_equal(session_event(s, 0)->ids[1], 6);
	assert_string_equal(session_event(s, 0)->name, "cpu-clock");
	assert_string_equal(session_event(s, 1)->name, "unknown tracepoint");
	assert_int_equal(session_event(s, 0)->id_offset, 8);
	assert_int_equal(session_event(s, 0)->time_offset, 16);
}

static void descriptions_name_the_events_they_have_ids_of(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	char first[] = "second", second[] = "first";
	struct event_desc descs[] = {
		{ .attr = clock_attr, .name = first, .ids = (uint64_t[]){ 7 }, .n_ids = 1 },
		{ .attr = clock_attr, .name = second, .ids = (uint64_t[]){ 5 }, .n_ids = 1 },
	};
	struct features f = { .event_descs = { .items = descs, .n = 2 } };

	(void)state;
	features_mark(&f, FEATURE_EVENT_DESC);
	begin_stream(&b);
	add_attr(&b, &clock_attr, (uint64_t[]){ 5, 6 }, 2);
	add_attr(&b, &clock_attr, (uint64_t[]){ 7 }, 1);
	add_feature(&b, &f, FEATURE_EVENT_DESC);
	s = read_stream(&b, &fd);
	assert_string_equal(session_event(s, 0)->name, "first");
	assert_string_equal(session_event(s, 1)->name, "second");
}

static void updates_change_name_unit_and_scale(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	struct record u = { .header.type = PERF_RECORD_EVENT_UPDATE,
			    .event_update = { .id = 5, .text = "msec" } };

	(void)state;
	begin_stream(&b);
	add_attr(&b, &clock_attr, (uint64_t[]){ 5 }, 1);
	u.event_update.kind = EVENT_UPDATE_UNIT;
	add_record(&b, &u);
	u.event_update.kind = EVENT_UPDATE_SCALE;
	u.event_update.scale = 0.5;
	add_record(&b, &u);
	u.event_update.kind = EVENT_UPDATE_NAME;
	u.event_update.text = "mine";
	add_record(&b, &u);
	u.event_update.id = 99;
	u.event_update.text = "nobody's";
	add_record(&b, &u);
	s = read_stream(&b, &fd);
	assert_string_equal(session_event(s, 0)->name, "mine");
	assert_string_equal(session_event(s, 0)->unit, "msec");
	assert_true(session_event(s, 0)->scale == 0.5);
}

static void groups_have_leaders(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	char name[] = "g", bad[] = "bad";
	struct group_desc groups[] = { { .name = name, .leader_idx = 1, .nr_members = 2 },
				       { .name = bad, .leader_idx = 2, .nr_members = 5 },
				       { .name = bad, .leader_idx = 9, .nr_members = 1 } };
	struct features f = { .group_descs = { .items = groups, .n = 3 } };

	(void)state;
	features_mark(&f, FEATURE_GROUP_DESC);
	begin_stream(&b);
	for (uint64_t i = 0; i < 3; i++)
		add_attr(&b, &clock_attr, &i, 1);
	add_feature(&b, &f, FEATURE_GROUP_DESC);
	s = read_stream(&b, &fd);
	assert_int_equal(session_event(s, 0)->leader, 0);
	assert_int_equal(session_event(s, 0)->n_members, 1);
	assert_int_equal(session_event(s, 1)->leader, 1);
	assert_int_equal(session_event(s, 1)->n_members, 2);
	assert_string_equal(session_event(s, 1)->group_name, "g");
	assert_int_equal(session_event(s, 2)->leader, 1);
	assert_null(session_event(s, 2)->group_name);
}

static void old_streams_name_events_by_config(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	begin_stream(&b);
	add_attr(&b, &switch_attr, (uint64_t[]){ 6 }, 1);
	add_record(&b, &(struct record){ .header.type = PERF_RECORD_HEADER_EVENT_TYPE,
					 .event_type = { .event_id = 314, .name = "old:name" } });
	s = read_stream(&b, &fd);
	assert_string_equal(session_event(s, 0)->name, "old:name");
}

static void one_event_without_ids_owns_everything(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	begin_stream(&b);
	add_attr(&b, &clock_attr, NULL, 0);
	s = read_stream(&b, &fd);
	assert_ptr_equal(session_event_by_id(s, 0), session_event(s, 0));
	assert_ptr_equal(session_event_by_id(s, 77), session_event(s, 0));
}

static void groups_that_share_members_are_left_out(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	char name[] = "";
	struct group_desc groups[] = {
		{ .name = name, .leader_idx = 1, .nr_members = 2 },
		{ .name = name, .leader_idx = 0, .nr_members = 3 },
		{ .name = name, .leader_idx = 2, .nr_members = 1 },
		{ .name = name, .leader_idx = 1, .nr_members = 1 },
	};
	struct features f = { .group_descs = { .items = groups, .n = ARRAY_SIZE(groups) } };

	(void)state;
	features_mark(&f, FEATURE_GROUP_DESC);
	begin_stream(&b);
	for (uint64_t id = 5; id < 8; id++)
		add_attr(&b, &clock_attr, &id, 1);
	add_feature(&b, &f, FEATURE_GROUP_DESC);
	s = read_stream(&b, &fd);
	assert_int_equal(session_event(s, 0)->n_members, 1);
	assert_int_equal(session_event(s, 1)->n_members, 2);
	assert_int_equal(session_event(s, 2)->leader, 1);
}

static void names_told_too_often_are_left_out(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	const struct record named = { .header.type = PERF_RECORD_HEADER_EVENT_TYPE,
				      .event_type = { .event_id = 0, .name = "told" } };
	bool told = false;

	(void)state;
	begin_stream(&b);
	for (uint64_t id = 1; id < 5000; id++)
		add_attr(&b, &clock_attr, &id, 1);
	for (size_t i = 0; i < 5000; i++)
		add_record(&b, &named);
	s = read_stream(&b, &fd);
	assert_string_equal(session_event(s, 0)->name, "told");
	for (size_t i = 0; i < datafile_note_count(session_datafile(s)); i++)
		told |= !!strstr(datafile_note(session_datafile(s), i), "too often");
	assert_true(told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_a_stream_are_known_by_their_ids),
		cmocka_unit_test(descriptions_name_the_events_they_have_ids_of),
		cmocka_unit_test(updates_change_name_unit_and_scale),
		cmocka_unit_test(groups_have_leaders),
		cmocka_unit_test(old_streams_name_events_by_config),
		cmocka_unit_test(one_event_without_ids_owns_everything),
		cmocka_unit_test(groups_that_share_members_are_left_out),
		cmocka_unit_test(names_told_too_often_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
