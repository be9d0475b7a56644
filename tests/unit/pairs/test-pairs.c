/* SPDX-License-Identifier: MIT */
#include "example-tracepoints.h"

#include "pairs/pair-presets.h"
#include "pairs/pairs.h"

struct seen {
	size_t n;
	struct pair last;
	uint64_t key;
	uint64_t sum_ns;
};

struct world {
	struct tracepoint_format *format;
	struct session_event events[4];
	struct pairs *pairs;
	struct seen seen;
};

static void found(void *arg, const struct pair *p)
{
	struct seen *seen = arg;

	seen->n++;
	seen->last = *p;
	seen->key = p->keys[0];
	seen->sum_ns += p->end_ns - p->begin_ns;
}

static void begin_with(struct world *w, const struct pair_spec *spec)
{
	w->pairs =
		pairs_new(&(struct pairs_options){ .spec = spec, .found = found, .arg = &w->seen });
}

static void begin_preset(struct world *w, const char *name)
{
	begin_with(w, &pair_preset_find(name)->specs[0]);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	w->format = example_format_new();
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	pairs_free(w->pairs);
	tracepoint_format_free(w->format);
	free(w);
	return 0;
}

static void name_events(struct world *w, const char *system, const char *a, const char *b)
{
	w->events[0] = example_event(0, system, a, w->format);
	w->events[1] = example_event(1, system, b, w->format);
}

static void take(struct world *w, size_t event, uint64_t time, uint32_t tid,
		 struct example_record record)
{
	struct example_sample e;

	pairs_take(w->pairs, example_sample(&e, &w->events[event], time, tid, &record));
}

#define ISSUE    0
#define COMPLETE 1

static void block_world(struct world *w)
{
	name_events(w, "block", "block_rq_issue", "block_rq_complete");
	begin_preset(w, "block");
}

static struct example_record request(uint64_t dev, uint64_t sector, uint64_t n, const char *rwbs)
{
	struct example_record r = { .dev = dev, .sector = sector, .nr_sector = n };

	snprintf(r.rwbs, sizeof(r.rwbs), "%s", rwbs);
	return r;
}

static void a_request_and_its_completion_are_a_pair(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "R"));
	take(w, COMPLETE, 350, 0, request(8, 64, 8, "R"));
	assert_int_equal(w->seen.n, 1);
	assert_int_equal(w->seen.sum_ns, 250);
	assert_int_equal(w->seen.key, 8);
	assert_int_equal(w->seen.last.begin_ns, 100);
	/* the task that issued it, not the interrupted one */
	assert_int_equal(w->seen.last.tid, 7);
	assert_int_equal(w->seen.last.cpu, 3);
	assert_int_equal(pairs_counts(w->pairs).pairs, 1);
	assert_int_equal(pairs_counts(w->pairs).open, 0);
}

static void the_same_sector_of_another_device_is_another_key(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "R"));
	take(w, ISSUE, 110, 7, request(9, 64, 8, "R"));
	take(w, COMPLETE, 120, 0, request(9, 64, 8, "R"));
	assert_int_equal(w->seen.sum_ns, 10);
	take(w, COMPLETE, 130, 0, request(8, 64, 8, "R"));
	assert_int_equal(w->seen.sum_ns, 10 + 30);
}

static void the_begin_that_matched_is_the_one_that_is_gone(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "R"));
	take(w, ISSUE, 101, 7, request(8, 72, 8, "R"));
	take(w, COMPLETE, 200, 0, request(8, 64, 8, "R"));
	take(w, COMPLETE, 300, 0, request(8, 64, 8, "R")); /* never issued again */
	assert_int_equal(w->seen.n, 1);
	assert_int_equal(pairs_counts(w->pairs).unbegun, 1);
	assert_int_equal(pairs_counts(w->pairs).open, 1);
	take(w, COMPLETE, 301, 0, request(8, 72, 8, "R"));
	assert_int_equal(w->seen.sum_ns, 100 + 200);
}

static void a_second_begin_replaces_the_first_and_is_counted(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "R"));
	take(w, ISSUE, 150, 7, request(8, 64, 8, "R"));
	take(w, COMPLETE, 200, 0, request(8, 64, 8, "R"));
	assert_int_equal(w->seen.sum_ns, 50);
	assert_int_equal(pairs_counts(w->pairs).replaced, 1);
	assert_int_equal(pairs_counts(w->pairs).open, 0);
}

static void flushes_pair_although_their_sectors_differ(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 0, 0, "FF"));
	take(w, COMPLETE, 130, 0, request(8, UINT64_MAX, 0, "FF"));
	take(w, ISSUE, 200, 7, request(8, UINT64_MAX, 0, "FF"));
	take(w, COMPLETE, 240, 0, request(8, 0, 0, "FF"));
	assert_int_equal(w->seen.sum_ns, 30 + 40);
	assert_true(w->seen.last.is_flush);
	assert_int_equal(pairs_counts(w->pairs).flushes, 2);
}

static void the_completion_of_who_asked_for_a_flush_ends_no_request(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 0, 8, "R"));
	take(w, COMPLETE, 130, 0, request(8, 0, 0, "WS"));
	assert_int_equal(w->seen.n, 0);
	assert_int_equal(pairs_counts(w->pairs).empty, 1);
	assert_int_equal(pairs_counts(w->pairs).unbegun, 0);
	take(w, COMPLETE, 150, 0, request(8, 0, 8, "R"));
	assert_int_equal(w->seen.sum_ns, 50);
}

static void a_write_with_a_flush_before_it_has_a_sector(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "FWFS"));
	take(w, COMPLETE, 130, 0, request(8, 64, 8, "FWFS"));
	assert_int_equal(w->seen.n, 1);
	assert_false(w->seen.last.is_flush);
}

static void a_system_call_ends_in_its_own_thread_only(void **state)
{
	struct world *w = *state;

	name_events(w, "raw_syscalls", "sys_enter", "sys_exit");
	begin_preset(w, "syscall");
	take(w, 0, 100, 7, (struct example_record){ .id = 63 });
	take(w, 1, 110, 8, (struct example_record){ .id = 63 });
	assert_int_equal(pairs_counts(w->pairs).unbegun, 1);
	take(w, 1, 120, 7, (struct example_record){ .id = 63 });
	assert_int_equal(w->seen.sum_ns, 20);
}

static void the_exit_of_another_system_call_is_no_end(void **state)
{
	struct world *w = *state;

	name_events(w, "raw_syscalls", "sys_enter", "sys_exit");
	begin_preset(w, "syscall");
	take(w, 0, 100, 7, (struct example_record){ .id = 63 });
	take(w, 1, 120, 7, (struct example_record){ .id = 64 });
	take(w, 1, 130, 7, (struct example_record){ .id = 63 });
	assert_int_equal(w->seen.n, 0);
	assert_int_equal(pairs_counts(w->pairs).mismatched, 1);
	assert_int_equal(pairs_counts(w->pairs).unbegun, 1);
}

#define WAKEUP 0
#define SWITCH 1

static void sched_world(struct world *w)
{
	name_events(w, "sched", "sched_wakeup", "sched_switch");
	begin_preset(w, "sched");
}

static void a_woken_thread_waits_until_it_is_switched_in(void **state)
{
	struct world *w = *state;

	sched_world(w);
	take(w, WAKEUP, 100, 1, (struct example_record){ .pid = 7 });
	take(w, SWITCH, 160, 0, (struct example_record){ .prev_pid = 0, .next_pid = 7 });
	assert_int_equal(w->seen.sum_ns, 60);
	assert_int_equal(w->seen.key, 7);
}

static void a_thread_that_was_running_when_woken_did_not_wait(void **state)
{
	struct world *w = *state;

	sched_world(w);
	take(w, WAKEUP, 100, 1, (struct example_record){ .pid = 7 });
	take(w, SWITCH, 900, 7,
	     (struct example_record){ .prev_pid = 7, .prev_state = 1, .next_pid = 8 });
	take(w, SWITCH, 999, 8,
	     (struct example_record){ .prev_pid = 8, .prev_state = 1, .next_pid = 7 });
	assert_int_equal(w->seen.n, 0);
	assert_int_equal(pairs_counts(w->pairs).cancelled, 1);
	assert_int_equal(pairs_counts(w->pairs).unbegun, 2);
}

static void a_preempted_thread_waits_too(void **state)
{
	struct world *w = *state;

	sched_world(w);
	take(w, SWITCH, 100, 7,
	     (struct example_record){ .prev_pid = 7, .prev_state = 0x100, .next_pid = 8 });
	take(w, SWITCH, 130, 8,
	     (struct example_record){ .prev_pid = 8, .prev_state = 1, .next_pid = 7 });
	assert_int_equal(w->seen.sum_ns, 30);
}

static void the_idle_task_never_waits(void **state)
{
	struct world *w = *state;

	sched_world(w);
	take(w, SWITCH, 100, 0, (struct example_record){ .prev_pid = 0, .next_pid = 0 });
	take(w, SWITCH, 130, 0, (struct example_record){ .prev_pid = 0, .next_pid = 0 });
	assert_int_equal(w->seen.n, 0);
	assert_int_equal(pairs_counts(w->pairs).unbegun, 0);
	assert_int_equal(pairs_counts(w->pairs).open, 0);
}

static void names_of_a_key_may_differ_on_the_two_sides(void **state)
{
	_cleanup_(typed_pair_done) struct typed_pair t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct world *w = *state;

	assert_int_equal(typed_pair_parse("a,b", "pid=next_pid", &t, &diag), 0);
	name_events(w, "x", "a", "b");
	begin_with(w, &t.spec);
	take(w, 0, 100, 1, (struct example_record){ .pid = 7, .next_pid = 1 });
	take(w, 1, 130, 2, (struct example_record){ .pid = 2, .next_pid = 7 });
	assert_int_equal(w->seen.sum_ns, 30);
	pairs_free(TAKE(w->pairs));
}

static void an_event_paired_with_itself_gives_the_time_to_the_next(void **state)
{
	_cleanup_(typed_pair_done) struct typed_pair t = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct world *w = *state;

	assert_int_equal(typed_pair_parse("x:a,x:a", NULL, &t, &diag), 0);
	name_events(w, "x", "a", "b");
	begin_with(w, &t.spec);
	take(w, 0, 100, 7, (struct example_record){ 0 });
	take(w, 0, 130, 7, (struct example_record){ 0 });
	take(w, 0, 190, 7, (struct example_record){ 0 });
	assert_int_equal(w->seen.n, 2);
	assert_int_equal(w->seen.sum_ns, 90);
	pairs_free(TAKE(w->pairs));
}

static void records_too_short_for_the_key_are_counted(void **state)
{
	struct world *w = *state;
	struct example_sample e;

	block_world(w);
	example_sample(&e, &w->events[0], 1, 1, &(struct example_record){ 0 });
	e.sample.raw_size = 20;
	pairs_take(w->pairs, &e.s);
	e.sample.tid = SAMPLE_NOBODY;
	pairs_take(w->pairs, &e.s);
	assert_int_equal(pairs_counts(w->pairs).unreadable, 2);
	assert_int_equal(pairs_counts(w->pairs).open, 0);
}

static void an_end_before_its_begin_is_counted_and_not_found(void **state)
{
	struct world *w = *state;

	block_world(w);
	take(w, ISSUE, 100, 7, request(8, 64, 8, "R"));
	take(w, COMPLETE, 99, 0, request(8, 64, 8, "R"));
	assert_int_equal(w->seen.n, 0);
	assert_int_equal(pairs_counts(w->pairs).backwards, 1);
}

static void events_of_no_rule_are_passed_over(void **state)
{
	struct world *w = *state;

	block_world(w);
	w->events[3] = example_event(3, "block", "block_rq_insert", w->format);
	take(w, 3, 100, 7, request(8, 64, 8, "R"));
	assert_int_equal(pairs_counts(w->pairs).open, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_request_and_its_completion_are_a_pair),
		T(the_same_sector_of_another_device_is_another_key),
		T(the_begin_that_matched_is_the_one_that_is_gone),
		T(a_second_begin_replaces_the_first_and_is_counted),
		T(flushes_pair_although_their_sectors_differ),
		T(the_completion_of_who_asked_for_a_flush_ends_no_request),
		T(a_write_with_a_flush_before_it_has_a_sector),
		T(a_system_call_ends_in_its_own_thread_only),
		T(the_exit_of_another_system_call_is_no_end),
		T(a_woken_thread_waits_until_it_is_switched_in),
		T(a_thread_that_was_running_when_woken_did_not_wait),
		T(a_preempted_thread_waits_too),
		T(the_idle_task_never_waits),
		T(names_of_a_key_may_differ_on_the_two_sides),
		T(an_event_paired_with_itself_gives_the_time_to_the_next),
		T(records_too_short_for_the_key_are_counted),
		T(an_end_before_its_begin_is_counted_and_not_found),
		T(events_of_no_rule_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
