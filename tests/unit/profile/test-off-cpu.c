/* SPDX-License-Identifier: MIT */
#include "example-off-cpu.h"

#include <errno.h>

#include "base/notes.h"
#include "session/sample-filter.h"

#define SLEEPS 1
#define DIES   0x10

static void read_all(struct example_off_cpu *e, struct off_cpu_options o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(example_off_cpu_read(e, o, &diag), 0);
}

/* Returns the sum of all times in @state, or of those of wakers called @waker. */
static uint64_t sum_of(const struct example_off_cpu *e, enum wait_state state, const char *waker)
{
	const struct wait_times *w = off_cpu_times(e->off);
	uint64_t sum = 0;

	for (size_t i = 0; i < w->times.n; i++) {
		const struct wait_time *t = &w->times.items[i];

		if (t->state != state)
			continue;
		if (waker && (t->waker == WAIT_NO_STACK ||
			      strcmp(off_cpu_stack(e->off, t->waker).waker, waker) != 0))
			continue;
		sum += t->ns;
	}
	return sum;
}

static void switches_tell_who_waits_and_how_long(void **state)
{
	struct example_off_cpu *e = *state;

	example_switches(e, 1000, 10, SLEEPS, 0x5010, 20);
	example_switches(e, 1300, 20, 0, 0x5020, 10);
	example_switches(e, 1400, 10, DIES, 0x5010, 20);
	example_switches(e, 1450, 20, DIES, 0x5010, 0);
	example_off_cpu_open(e, NULL);
	read_all(e, (struct off_cpu_options){ 0 });
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 300);
	assert_int_equal(sum_of(e, WAIT_RUNNABLE, NULL), 100);
	assert_int_equal(off_cpu_times(e->off)->counts.waits, 2);
}

static void wakers_are_known_by_name_and_interrupts_are_not_theirs(void **state)
{
	struct example_off_cpu *e = *state;

	example_switches(e, 1000, 10, SLEEPS, 0x5010, 20);
	example_event_at(e, 2, 20, 1200, 0x5010, (struct example_switch){ .pid = 10 });
	example_switches(e, 1300, 20, SLEEPS, 0x5010, 10);
	example_event_at(e, 2, 10, 1400, 0x5010, (struct example_switch){ .pid = 20, .flags = 8 });
	example_switches(e, 1500, 10, DIES, 0x5010, 20);
	example_off_cpu_open(e, "sched_waking");
	read_all(e, (struct off_cpu_options){ 0 });
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 300);
	assert_int_equal(sum_of(e, WAIT_RUNNABLE, NULL), 200);
	for (size_t i = 0; i < off_cpu_times(e->off)->times.n; i++) {
		const struct wait_time *t = &off_cpu_times(e->off)->times.items[i];

		if (t->state != WAIT_SLEEPING)
			continue;
		if (t->ns == 200)
			assert_string_equal(off_cpu_stack(e->off, t->waker).waker, "two");
		else
			assert_null(off_cpu_stack(e->off, t->waker).waker);
	}
}

/* Thread 10 was recorded alone: no other record says that it comes back. */
static void records_of_switches_say_that_a_thread_comes_back(void **state)
{
	struct example_off_cpu *e = *state;

	example_switches(e, 1000, 10, SLEEPS, 0x5010, 99);
	example_switch_record(e, 10, 1001, PERF_RECORD_MISC_SWITCH_OUT);
	example_switch_record(e, 10, 1500, 0);
	example_switches(e, 1600, 10, DIES, 0x5010, 99);
	example_off_cpu_open(e, NULL);
	read_all(e, (struct off_cpu_options){ 0 });
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 500);
	assert_int_equal(off_cpu_times(e->off)->counts.lost_ends, 0);
}

static void records_alone_tell_times_without_stacks(void **state)
{
	struct example_off_cpu *e = *state;
	const struct wait_times *w;

	example_switch_record(e, 10, 1000, PERF_RECORD_MISC_SWITCH_OUT);
	example_switch_record(e, 10, 1500, 0);
	example_switch_record(e, 10, 1600,
			      PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	example_switch_record(e, 10, 1650, 0);
	e->session = opened(&e->recording, false);
	read_all(e, (struct off_cpu_options){ 0 });
	assert_int_equal(sum_of(e, WAIT_OF_ANY_KIND, NULL), 500);
	assert_int_equal(sum_of(e, WAIT_RUNNABLE, NULL), 50);
	w = off_cpu_times(e->off);
	for (size_t i = 0; i < w->times.n; i++) {
		const struct off_cpu_stack s = off_cpu_stack(e->off, w->times.items[i].stack);

		assert_true(stacks_is_root(&collector_tally(e->collector, s.event->index)->stacks,
					   s.node));
	}
}

static void a_recording_of_departures_only_is_refused(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };

	example_switches(e, 1000, 10, SLEEPS, 0x5010, 0);
	example_switches(e, 2000, 10, SLEEPS, 0x5010, 0);
	example_off_cpu_open(e, NULL);
	assert_int_equal(example_off_cpu_read(e, (struct off_cpu_options){ 0 }, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "not when they come back"));
}

static void all_of_a_threads_time_is_running_or_waiting(void **state)
{
	struct example_off_cpu *e = *state;

	forks(&e->recording, 20, 20, 10, 10, 900);
	example_switches(e, 1000, 20, SLEEPS, 0x5010, 10);
	example_event_at(e, 2, 10, 1100, 0x5010, (struct example_switch){ 0 });
	example_event_at(e, 2, 10, 1200, 0x5020, (struct example_switch){ 0 });
	example_switches(e, 1400, 10, SLEEPS, 0x5010, 20);
	example_switches(e, 1500, 20, DIES, 0x5010, 10);
	example_switches(e, 1600, 10, DIES, 0x5010, 0);
	example_off_cpu_open(e, NULL);
	read_all(e, (struct off_cpu_options){ .wall = true });
	assert_int_equal(sum_of(e, WAIT_FIRST_CPU, NULL), 100);
	assert_int_equal(sum_of(e, WAIT_RUNNING, NULL), 500);
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 100 + 400);
	/* Thread 20 ran from the beginning of the recording, and again for 100. */
	assert_int_equal(sum_of(e, WAIT_RUNNING_UNSEEN, NULL), 100 + 100);
}

static void filters_choose_who_waits_but_not_who_wakes(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	const struct sample_filter_request request = { .comms = "one" };

	assert_int_equal(sample_filter_new(&request, &filter, &diag), 0);
	example_switches(e, 1000, 10, SLEEPS, 0x5010, 20);
	example_event_at(e, 2, 20, 1200, 0x5010, (struct example_switch){ .pid = 10 });
	example_switches(e, 1300, 20, SLEEPS, 0x5010, 10);
	example_switches(e, 1500, 10, DIES, 0x5010, 20);
	example_off_cpu_open(e, "sched_wakeup");
	read_all(e, (struct off_cpu_options){ .filter = filter });
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 200);
	assert_int_equal(sum_of(e, WAIT_SLEEPING, "two"), 200);
	assert_int_equal(off_cpu_times(e->off)->counts.waits, 1);
}

/* In tracepoints, thread 10 of the container is 510. */
static void threads_of_a_container_have_two_numbers(void **state)
{
	struct example_off_cpu *e = *state;
	const struct example_switch leaves = { .prev_pid = 510, .prev_state = SLEEPS };
	const struct example_switch dies = { .prev_pid = 510, .prev_state = DIES };

	example_event_at(e, 1, 10, 1000, 0x5010, leaves);
	example_switches(e, 1300, 0, 0, 0x5020, 510);
	example_event_at(e, 2, 10, 1400, 0x5010, (struct example_switch){ 0 });
	example_event_at(e, 1, 10, 1500, 0x5010, dies);
	example_off_cpu_open(e, NULL);
	read_all(e, (struct off_cpu_options){ .wall = true });
	assert_int_equal(sum_of(e, WAIT_SLEEPING, NULL), 300);
	assert_int_equal(sum_of(e, WAIT_RUNNING, NULL), 200);
}

static void what_the_recording_lacks_is_said_with_the_command_that_gets_it(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session_event *first;

	e->session = opened(&e->recording, false);
	assert_int_equal(off_cpu_check(e->session, false, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "context switches"));
	assert_non_null(strstr(diag.hint, "perf record -e sched:sched_switch"));
	first = (struct session_event *)session_event(e->session, 0);
	first->attr.context_switch = 1;
	assert_int_equal(off_cpu_check(e->session, false, &diag), 0);
	example_name_event(e, 0, "sched_switch");
	assert_int_equal(off_cpu_check(e->session, false, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "who is switched"));
}

static void a_whole_time_needs_samples_of_a_clock(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(diag_done) struct diag diag = { 0 };

	example_off_cpu_open(e, "sched_waking");
	assert_int_equal(off_cpu_check(e->session, false, &diag), 0);
	assert_int_equal(off_cpu_check(e->session, true, &diag), -ENODATA);
	assert_non_null(strstr(diag.hint, "-e cpu-clock -e sched:sched_switch"));
}

static void notes_say_what_was_not_seen_whole(void **state)
{
	struct example_off_cpu *e = *state;
	_cleanup_(notes_done) struct notes notes = { 0 };

	example_switches(e, 1000, 10, SLEEPS, 0x5010, 20);
	example_switches(e, 1100, 10, SLEEPS, 0x5010, 30);
	example_switches(e, 1200, 20, SLEEPS, 0x5010, 10);
	example_switches(e, 1300, 10, SLEEPS, 0x5010, 0);
	example_off_cpu_open(e, NULL);
	read_all(e, (struct off_cpu_options){ 0 });
	off_cpu_note(e->off, &notes);
	assert_int_equal(notes.n, 3);
	assert_non_null(strstr(notes.items[0].what.message, "1 wait is left out"));
	assert_non_null(strstr(notes.items[1].what.message, "2 waits had not ended"));
	assert_non_null(strstr(notes.items[2].what.message, "began later"));
}

int main(void)
{
#define TEST(f)                                                                                    \
	cmocka_unit_test_setup_teardown(f, example_off_cpu_set_up, example_off_cpu_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(switches_tell_who_waits_and_how_long),
		TEST(wakers_are_known_by_name_and_interrupts_are_not_theirs),
		TEST(records_of_switches_say_that_a_thread_comes_back),
		TEST(records_alone_tell_times_without_stacks),
		TEST(a_recording_of_departures_only_is_refused),
		TEST(all_of_a_threads_time_is_running_or_waiting),
		TEST(filters_choose_who_waits_but_not_who_wakes),
		TEST(threads_of_a_container_have_two_numbers),
		TEST(what_the_recording_lacks_is_said_with_the_command_that_gets_it),
		TEST(a_whole_time_needs_samples_of_a_clock),
		TEST(notes_say_what_was_not_seen_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
