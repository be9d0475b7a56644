/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "example-sched.h"
#include "tools/sched/latency-model.h"

struct example {
	struct recording recording;
	struct session *session;
	struct sched_latency l;
	struct sched_latency_rows rows;
};

/* Sets up tasks: 10, 11 and 30 are called "same", 20 is "other", 40 is an idle task by its name. */
static void begin(struct example *e)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	*e = (struct example){ .recording = recording_new() };
	comm(&e->recording, 10, 10, "same", 1);
	comm(&e->recording, 11, 11, "before", 1);
	comm(&e->recording, 11, 11, "same", 500);
	comm(&e->recording, 20, 20, "other", 1);
	comm(&e->recording, 30, 30, "same", 1);
	comm(&e->recording, 40, 40, "swapper", 1);
	sampled(&e->recording, 1, 10, 10000);
	e->session = opened(&e->recording, false);
	assert_int_equal(session_scan(e->session, &diag), 0);
	sched_latency_init(&e->l, &(struct sched_latency_options){ 0 });
}

static void end(struct example *e)
{
	sched_latency_rows_done(&e->rows);
	sched_latency_done(&e->l);
	session_free(e->session);
	recording_done(&e->recording);
}

/* Delivers events: @tid waits for @ns from @time on, and then runs for @run_ns. */
static void waits(struct example *e, uint32_t tid, uint64_t time, uint64_t ns, uint64_t run_ns)
{
	struct sched_event events[] = {
		example_told(SCHED_WAKEUP, time, 0, tid),
		example_switched(time + ns, 0, 0, 0, tid),
		example_told(SCHED_RUNTIME, time + ns, 0, tid),
		example_switched(time + ns, 0, tid, 1, 0),
	};

	events[2].ns = run_ns;
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		sched_latency_take(&e->l, &events[i]);
}

static void show(struct example *e, bool by_task, const char *keys)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sched_latency_order order;

	assert_int_equal(sched_latency_order_parse(keys, &order, &diag), 0);
	sched_latency_rows_done(&e->rows);
	sched_latency_rows(&e->l, e->session, by_task, &order, &e->rows);
}

static void tasks_are_merged_by_their_last_name(void **state)
{
	_cleanup_(end) struct example e;
	const struct sched_latency_row *r;
	struct sched_event ran = example_told(SCHED_RUNTIME, 900, 0, 30);

	(void)state;
	begin(&e);
	waits(&e, 10, 100, 20, 5);
	waits(&e, 11, 200, 50, 6);
	waits(&e, 20, 300, 30, 7);
	ran.ns = 8;
	sched_latency_take(&e.l, &ran);
	show(&e, false, "avg");
	assert_int_equal(e.rows.n, 2);
	r = &e.rows.items[0];
	assert_string_equal(r->comm, "same");
	assert_int_equal(r->n_tasks, 3); /* 30 has no waits, but it ran */
	assert_int_equal(r->tid, 30);
	assert_int_equal(r->n, 2);
	assert_int_equal(r->sum_ns, 70);
	assert_int_equal(r->run_ns, 19);
	assert_int_equal(r->max_ns, 50);
	assert_int_equal(r->max_begin, 200);
	assert_string_equal(e.rows.items[1].comm, "other");
	assert_int_equal(e.rows.run_ns, 26);
	assert_int_equal(e.rows.n_waits, 3);
}

static void each_task_has_a_row_if_asked_for_and_idle_ones_have_none(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e);
	waits(&e, 10, 100, 20, 5);
	waits(&e, 40, 200, 20, 5);
	waits(&e, 11, 300, 20, 5);
	show(&e, true, "avg,max");
	assert_int_equal(e.rows.n, 2);
	/* Among equal ones, the greater number comes first. */
	assert_int_equal(e.rows.items[0].tid, 11);
	assert_int_equal(e.rows.items[1].tid, 10);
}

static void rows_are_sorted_by_the_keys_that_are_given(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e);
	waits(&e, 10, 100, 40, 1);
	waits(&e, 10, 200, 0, 1);
	waits(&e, 11, 300, 30, 9);
	show(&e, true, "max");
	assert_int_equal(e.rows.items[0].tid, 10);
	show(&e, true, "avg");
	assert_int_equal(e.rows.items[0].tid, 11);
	show(&e, true, "runtime");
	assert_int_equal(e.rows.items[0].tid, 11);
	show(&e, true, "switch,runtime");
	assert_int_equal(e.rows.items[0].tid, 10);
	show(&e, true, " pid,,");
	assert_int_equal(e.rows.items[0].tid, 11);
}

static void a_key_that_there_is_not_is_marked(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sched_latency_order order = { .n = 7 };

	(void)state;
	assert_int_equal(sched_latency_order_parse("avg,maxx", &order, &diag), -EINVAL);
	assert_non_null(strstr(diag.message, "'maxx'"));
	assert_int_equal(order.n, 7);
}

static void more_keys_than_there_is_room_for_are_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sched_latency_order order;

	(void)state;
	assert_int_equal(
		sched_latency_order_parse("avg,avg,avg,avg,avg,avg,avg,avg,avg,avg,avg,avg,"
					  "avg,avg,avg,avg,avg",
					  &order, &diag),
		-EINVAL);
}

static void a_number_has_the_name_of_its_time(void **state)
{
	_cleanup_(end) struct example e;

	(void)state;
	begin(&e);
	waits(&e, 11, 100, 10, 1);
	sched_latency_forget(&e.l, 11, 400);
	waits(&e, 11, 600, 20, 1);
	show(&e, true, "avg");
	assert_string_equal(e.rows.items[0].comm, "same");
	assert_string_equal(e.rows.items[1].comm, "before");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_are_merged_by_their_last_name),
		cmocka_unit_test(each_task_has_a_row_if_asked_for_and_idle_ones_have_none),
		cmocka_unit_test(rows_are_sorted_by_the_keys_that_are_given),
		cmocka_unit_test(a_key_that_there_is_not_is_marked),
		cmocka_unit_test(more_keys_than_there_is_room_for_are_refused),
		cmocka_unit_test(a_number_has_the_name_of_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
