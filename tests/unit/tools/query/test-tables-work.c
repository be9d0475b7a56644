/* SPDX-License-Identifier: MIT */
#include "tools/query/tables-work.h"

#include "made-recording.h"

/*
 * Appends a column: "name*" is a text, "(name)" is hidden, "name!" is always there, "name=field"
 * has another name.
 */
static void add_column(struct text *out, const struct query_column *c)
{
	text_addf(out, c->is_hidden ? " (%s" : " %s", c->name);
	text_add(out, c->is_text ? "*" : "");
	text_add(out, c->is_always ? "!" : "");
	if (c->field && strcmp(c->field, c->name) != 0)
		text_addf(out, "=%s", c->field);
	text_add(out, c->is_hidden ? ")" : "");
}

static void assert_columns(const struct query_tables *c, const char *name, const char *expected)
{
	const struct query_table *t = query_tables_find(c, name);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	assert_non_null(t);
	for (size_t i = 0; i < t->n_columns; i++)
		add_column(&out, &t->columns[i]);
	assert_string_equal(out.chars, expected);
}

static struct query_tables tables_of(struct made_recording *m)
{
	struct session *s = made_session(m);
	struct query_tables c;

	query_tables_make(&c, s);
	session_free(s);
	return c;
}

/* The columns that `samples` has beside those that differ. */
#define HIDDEN_COPIES                                                                              \
	" (sample_cpu=cpu) (sample_pid=pid) (sample_tid=tid) (sample_comm*=comm)"                  \
	" (sample_stack_id=stack_id)"

static void samples_show_what_was_recorded_and_hide_the_rest(void **state)
{
	struct made_recording m = made_example(false);
	struct query_tables c = tables_of(&m);

	(void)state;
	assert_columns(&c, "samples",
		       " time! cpu pid tid comm* event* period ip symbol* dso* mode* stack_id"
		       " (samples) (addr) (weight) (ins_latency) (p_stage_cyc) (data_src)"
		       " (transaction) (phys_addr) (data_page_size) (code_page_size) (host*)"
		       " (service*) (cgroup) (symoff) (id) (stream_id) (misc)"
		       " (sample_time!=time)" HIDDEN_COPIES);
	assert_string_equal(c.items[0].name, "samples");
	assert_string_equal(c.items[0].about, "samples of all events");
	assert_int_equal(c.items[0].kind, QUERY_TABLE_SAMPLES);
	assert_null(c.items[0].event);
	assert_null(c.items[0].events);
	query_tables_done(&c);
	assert_null(c.items);
	assert_int_equal(c.n, 0);
	made_recording_done(&m);
}

static void each_bit_of_what_was_recorded_shows_its_columns(void **state)
{
	static const struct {
		uint64_t bits;
		const char *shown;
	} cases[] = {
		{ PERF_SAMPLE_ADDR, " addr" },
		{ PERF_SAMPLE_WEIGHT, " weight" },
		{ PERF_SAMPLE_WEIGHT_STRUCT, " weight ins_latency p_stage_cyc" },
		{ PERF_SAMPLE_DATA_SRC, " data_src" },
		{ PERF_SAMPLE_TRANSACTION, " transaction" },
		{ PERF_SAMPLE_PHYS_ADDR, " phys_addr" },
		{ PERF_SAMPLE_DATA_PAGE_SIZE, " data_page_size" },
		{ PERF_SAMPLE_CODE_PAGE_SIZE, " code_page_size" },
		{ PERF_SAMPLE_CGROUP, " cgroup" },
		{ PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR, " stack_id addr" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct made_recording m = made_recording(false);
		_cleanup_(text_done) struct text out = TEXT_EMPTY;
		struct query_tables c;

		made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_PLAIN | cases[i].bits);
		c = tables_of(&m);
		for (size_t k = 0; k < c.items[0].n_columns; k++)
			if (!c.items[0].columns[k].is_hidden)
				add_column(&out, &c.items[0].columns[k]);
		assert_memory_equal(out.chars,
				    " time! cpu pid tid comm* event* period ip symbol* dso* mode*",
				    60);
		assert_string_equal(out.chars + 60, cases[i].shown);
		query_tables_done(&c);
		made_recording_done(&m);
	}
}

static void every_recording_has_the_fixed_tables(void **state)
{
	static const struct {
		const char *name;
		enum query_table_kind kind;
		const char *columns;
	} fixed[] = {
		{ "events", QUERY_TABLE_EVENTS,
		  " event_id name* system* tracepoint* type config sample_type sample_period"
		  " sample_freq leader_id unit*" },
		{ "tasks", QUERY_TABLE_TASKS, " tid pid ptid ppid comm* start_time end_time" },
		{ "stacks", QUERY_TABLE_STACKS, " stack_id depth frame_id symbol* dso* folded*" },
		{ "stack_frames", QUERY_TABLE_STACK_FRAMES,
		  " stack_id level frame_id symbol* dso*" },
		{ "frames", QUERY_TABLE_FRAMES, " frame_id symbol* dso* addr mode* inlined" },
		{ "comms", QUERY_TABLE_COMMS, " time cpu pid tid comm* exec" },
		{ "mmaps", QUERY_TABLE_MMAPS,
		  " time cpu pid tid addr len pgoff prot flags dso* build_id* major minor inode" },
		{ "forks", QUERY_TABLE_FORKS, " time cpu pid tid ppid ptid" },
		{ "exits", QUERY_TABLE_EXITS, " time cpu pid tid ppid ptid" },
		{ "lost", QUERY_TABLE_LOST, " time cpu event* lost kind*" },
		{ "switches", QUERY_TABLE_SWITCHES,
		  " time cpu pid tid out preempt other_pid other_tid" },
		{ "throttles", QUERY_TABLE_THROTTLES, " time cpu event* kind*" },
	};
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_PLAIN);
	c = tables_of(&m);
	assert_int_equal(c.n, 1 + ARRAY_SIZE(fixed));
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		assert_string_equal(c.items[i + 1].name, fixed[i].name);
		assert_int_equal(c.items[i + 1].kind, fixed[i].kind);
		assert_columns(&c, fixed[i].name, fixed[i].columns);
		assert_non_null(c.items[i + 1].about);
		assert_null(c.items[i + 1].event);
	}
	assert_string_equal(query_tables_find(&c, "forks")->about, "new threads and processes");
	query_tables_done(&c);
	made_recording_done(&m);
}

static void a_tracepoint_has_its_fields_behind_those_of_samples(void **state)
{
	struct made_recording m = made_example(false);
	struct query_tables c = tables_of(&m);
	const struct query_table *t = query_tables_find(&c, "SCHED_Switch");

	(void)state;
	assert_int_equal(c.n, 14);
	assert_non_null(t);
	assert_int_equal(t->kind, QUERY_TABLE_SAMPLES);
	assert_null(t->about);
	assert_string_equal(t->name, "sched_switch");
	assert_string_equal(t->event, "sched:sched_switch");
	assert_int_equal(t->n_events, 2);
	assert_false(t->events[0]);
	assert_true(t->events[1]);
	/* The field `tid` keeps its name. */
	assert_columns(&c, "sched_switch",
		       " time! cpu pid sample_tid=tid comm*"
		       " prev_comm*=.prev_comm prev_pid=.prev_pid tid=.tid"
		       " (common_type=.common_type) (common_pid=.common_pid)"
		       " (event*) (samples) (period) (ip) (symbol*) (dso*) (mode*) (stack_id)"
		       " (addr) (weight) (ins_latency) (p_stage_cyc) (data_src) (transaction)"
		       " (phys_addr) (data_page_size) (code_page_size) (host*) (service*)"
		       " (cgroup) (symoff) (id) (stream_id) (misc)"
		       " (sample_time!=time) (sample_cpu=cpu) (sample_pid=pid)"
		       " (sample_comm*=comm) (sample_stack_id=stack_id)");
	assert_null(query_tables_find(&c, "sched_switc"));
	assert_null(query_tables_find(&c, "sched_switch2"));
	query_tables_done(&c);
	made_recording_done(&m);
}

static void a_tracepoint_with_stacks_shows_them(void **state)
{
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_tracepoint(&m, "sched", 314, made_switch_format, MADE_TRACED | PERF_SAMPLE_CALLCHAIN);
	c = tables_of(&m);
	assert_string_equal(query_tables_find(&c, "sched_switch")->columns[5].name, "stack_id");
	assert_false(query_tables_find(&c, "sched_switch")->columns[5].is_hidden);
	query_tables_done(&c);
	made_recording_done(&m);
}

#define SMALL_FORMAT(name, id)                                                                     \
	"name: " name "\nID: " id "\nformat:\n"                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n"                                          \
	"\nprint fmt: \"%d\", REC->x\n"

static void tracepoints_of_one_name_have_their_system_in_front(void **state)
{
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_tracepoint(&m, "one", 1, SMALL_FORMAT("same", "1"), MADE_TRACED);
	made_tracepoint(&m, "two", 2, SMALL_FORMAT("Same", "2"), MADE_TRACED);
	made_tracepoint(&m, "one", 3, SMALL_FORMAT("other", "3"), MADE_TRACED);
	/* An event with the name of a table. */
	made_tracepoint(&m, "one", 4, SMALL_FORMAT("lost", "4"), MADE_TRACED);
	/* An event without a table of its own, because its format is missing. */
	made_tracepoint(&m, "one", 5, NULL, MADE_TRACED);
	c = tables_of(&m);
	assert_int_equal(c.n, 13 + 4);
	assert_string_equal(c.items[13].name, "one_same");
	assert_string_equal(c.items[13].event, "one:same");
	assert_string_equal(c.items[14].name, "two_Same");
	assert_string_equal(c.items[15].name, "other");
	assert_string_equal(c.items[16].name, "one_lost");
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(c.items[14].events[i], i == 1);
	query_tables_done(&c);
	made_recording_done(&m);
}

static void events_of_one_tracepoint_share_a_table(void **state)
{
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_tracepoint(&m, "one", 1, SMALL_FORMAT("a", "1"), MADE_TRACED);
	made_tracepoint(&m, "one", 2, SMALL_FORMAT("b", "2"), MADE_TRACED);
	made_tracepoint(&m, "one", 1, NULL, MADE_TRACED);
	c = tables_of(&m);
	assert_int_equal(c.n, 15);
	assert_string_equal(c.items[13].name, "a");
	assert_string_equal(c.items[14].name, "b");
	assert_int_equal(c.items[13].n_events, 3);
	assert_true(c.items[13].events[0]);
	assert_false(c.items[13].events[1]);
	assert_true(c.items[13].events[2]);
	assert_false(c.items[14].events[0]);
	assert_true(c.items[14].events[1]);
	query_tables_done(&c);
	made_recording_done(&m);
}

static void a_name_that_is_taken_even_with_its_system_gets_no_table(void **state)
{
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_tracepoint(&m, "x", 1, SMALL_FORMAT("one_lost", "1"), MADE_TRACED);
	made_tracepoint(&m, "one", 2, SMALL_FORMAT("lost", "2"), MADE_TRACED);
	c = tables_of(&m);
	assert_int_equal(c.n, 14);
	assert_string_equal(c.items[13].event, "x:one_lost");
	query_tables_done(&c);
	made_recording_done(&m);
}

static bool time_is_always_there(const struct query_tables *c, const char *table)
{
	const struct query_table *t = query_tables_find(c, table);

	assert_non_null(t);
	assert_string_equal(t->columns[0].name, "time");
	for (size_t i = 1; i < t->n_columns; i++)
		if (!t->columns[i].field || strcmp(t->columns[i].field, "time") != 0)
			assert_false(t->columns[i].is_always);
	return t->columns[0].is_always;
}

static void times_are_always_there_if_every_event_of_the_table_has_them(void **state)
{
	struct made_recording m = made_recording(false);
	struct query_tables c;

	(void)state;
	made_event(&m, PERF_TYPE_SOFTWARE, 0, MADE_PLAIN & ~(uint64_t)PERF_SAMPLE_TIME);
	made_tracepoint(&m, "one", 1, SMALL_FORMAT("a", "1"), MADE_TRACED);
	c = tables_of(&m);
	assert_false(time_is_always_there(&c, "samples"));
	assert_true(time_is_always_there(&c, "a"));
	assert_false(time_is_always_there(&c, "comms"));
	query_tables_done(&c);
	made_recording_done(&m);
}

static void sums_of_waits_have_no_time(void **state)
{
	struct made_recording m = made_example(false);
	struct session *s = made_session(&m);
	struct query_tables c;

	(void)state;
	session_name_event(s, 0, "offcpu-time");
	query_tables_make(&c, s);
	assert_false(time_is_always_there(&c, "samples"));
	assert_true(time_is_always_there(&c, "sched_switch"));
	query_tables_done(&c);
	session_free(s);
	made_recording_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_show_what_was_recorded_and_hide_the_rest),
		cmocka_unit_test(each_bit_of_what_was_recorded_shows_its_columns),
		cmocka_unit_test(every_recording_has_the_fixed_tables),
		cmocka_unit_test(a_tracepoint_has_its_fields_behind_those_of_samples),
		cmocka_unit_test(a_tracepoint_with_stacks_shows_them),
		cmocka_unit_test(tracepoints_of_one_name_have_their_system_in_front),
		cmocka_unit_test(events_of_one_tracepoint_share_a_table),
		cmocka_unit_test(a_name_that_is_taken_even_with_its_system_gets_no_table),
		cmocka_unit_test(times_are_always_there_if_every_event_of_the_table_has_them),
		cmocka_unit_test(sums_of_waits_have_no_time),
	};

	return cmocka_run_group_tests_name("query/query-tables", tests, NULL, NULL);
}
