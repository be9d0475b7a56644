/* SPDX-License-Identifier: MIT */
/* Uses real children, signals and pipes; the few waits are of milliseconds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/control.h"
#include "capture/counters.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/workload.h"
#include "events.h"
#include "tasks.h"

#define MS 1000000ull

struct bench {
	struct event_list events;
	struct task_list tasks;
	struct cpu_list cpus;
	struct opened_events opened;
	struct workload workload;
	struct signals signals;
	struct diag diag;
	struct notes notes;
	struct loop loop;
	size_t n_intervals;
	uint64_t times_ns[64];
	int on_interval_gives;
	unsigned work_us; /* of on_interval() */
	uint64_t delay_ms;
	char said[512]; /* the notes, and the options of on_list() */
};

static int on_interval(void *arg, uint64_t time_ns)
{
	struct bench *b = arg;

	b->times_ns[b->n_intervals++ % ARRAY_SIZE(b->times_ns)] = time_ns;
	/* Imitates the time that reading and printing take. */
	usleep(b->work_us);
	return b->on_interval_gives;
}

static void add_said(struct bench *b, const char *word, const char *rest)
{
	size_t n = strlen(b->said);

	snprintf(b->said + n, sizeof(b->said) - n, "%s%s;", word, rest);
}

/*
 * Appends a note: "on" and "off" stand for those of all events. Notes on --control for one event,
 * and its errors, are sentences.
 */
static void on_note(void *arg, const struct note *note)
{
	const char *text = note->what.message;

	add_said(arg, "",
		 !strcmp(text, "Events enabled")    ? "on"
		 : !strcmp(text, "Events disabled") ? "off"
						    : text);
}

static void on_list(void *arg, const char *options)
{
	add_said(arg, "list ", options);
}

static const struct loop_handler handler = {
	.on_interval = on_interval,
	.on_list = on_list,
};

static int set_up(void **state)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	*state = b;
	b->workload = (struct workload)WORKLOAD_NONE;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	b->notes = (struct notes){ .listener = on_note, .arg = b };
	b->loop = (struct loop){
		.events = &b->opened,
		.workload = &b->workload,
		.signals = &b->signals,
		.waits_for_workload = true,
		.handler = &handler,
		.arg = b,
		.notes = &b->notes,
	};
	return signals_open(&b->signals);
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	opened_events_close(&b->opened);
	workload_done(&b->workload);
	signals_close(&b->signals);
	event_list_done(&b->events);
	task_list_done(&b->tasks);
	diag_done(&b->diag);
	free(b);
	return 0;
}

static void fork_shell(struct bench *b, const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };

	assert_int_equal(workload_fork(argv, &b->signals, &b->workload), 0);
}

static void count_faults(struct bench *b, pid_t tid, bool on_exec)
{
	struct target_task task = { .tid = tid };
	const struct task_list tasks = { .items = &task, .n = 1 };
	const struct open_request rq = {
		.events = &b->events,
		.tasks = &tasks,
		.cpus = &b->cpus,
		.any_cpu = true,
		.inherit = true,
		.enable_on_exec = on_exec,
	};

	need_events();
	add_faults(&b->events);
	assert_int_equal(opened_events_open(&rq, &b->opened, &b->diag), 0);
}

static uint64_t faults(struct bench *b)
{
	assert_int_equal(counters_read(&b->opened), 0);
	return b->opened.items[0].counts[0].value;
}

static void run(struct bench *b)
{
	int r = loop_run(&b->loop, &b->diag);

	if (r < 0)
		fail_msg("%d: %s", r, b->diag.message);
}

static void delay(struct bench *b, uint64_t ms)
{
	b->delay_ms = ms;
	b->loop.held_back = true;
	b->loop.turns_ms = &b->delay_ms;
	b->loop.n_turns = 1;
}

static void a_run_ends_with_its_workload(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); done; exit 3");
	count_faults(b, b->workload.pid, true);
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_WORKLOAD);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 3);
	assert_int_equal(b->loop.signal, 0);
	assert_true(b->loop.elapsed_ns > 0);
	assert_true(b->loop.usage.ru_utime.tv_usec || b->loop.usage.ru_stime.tv_usec);
	assert_true(b->loop.usage.ru_minflt > 0);
	assert_true(faults(b) > 0);
	assert_string_equal(b->said, "");
	assert_int_equal(b->n_intervals, 0);
}

static void a_workload_that_cannot_be_run_is_told(void **state)
{
	struct bench *b = *state;
	char *argv[] = { "/no/such/program", NULL };

	assert_int_equal(workload_fork(argv, &b->signals, &b->workload), 0);
	assert_int_equal(loop_run(&b->loop, &b->diag), -ENOENT);
	assert_string_equal(b->diag.message, "Workload failed: No such file or directory");
}

static void a_workload_that_is_killed_tells_by_what(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "kill -USR1 $$");
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_WORKLOAD);
	assert_true(WIFSIGNALED(b->loop.wait_status));
	assert_int_equal(WTERMSIG(b->loop.wait_status), SIGUSR1);
}

/* The end of another child is not the end of the workload. */
static void other_children_do_not_matter(void **state)
{
	struct bench *b = *state;
	pid_t other = fork();

	if (other == 0)
		_exit(0);
	fork_shell(b, "exit 4");
	run(b);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 4);
	assert_int_equal(waitpid(other, NULL, 0), other);
}

/* Until it is let go, the workload holds signals back and waits. */
static void a_workload_that_was_not_let_go_is_ended(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exit 0");
	loop_end_workload(&b->loop);
	assert_int_equal(b->workload.pid, 0);
	assert_false(b->loop.reaped);
}

static void end_while_signals_come(struct bench *b, int number)
{
	b->loop.waits_for_workload = false;
	fork_shell(b, "trap '' TERM INT; kill -TERM $PPID; while :; do sleep 0.01; done");
	run(b);
	/* Another signal comes while we wait for the workload, which ignores it. */
	if (fork() == 0) {
		usleep(20000);
		kill(getppid(), number);
		usleep(20000);
		kill(getppid(), number);
		_exit(0);
	}
	loop_end_workload(&b->loop);
}

static void a_workload_that_ignores_signals_is_killed_by_the_second(void **state)
{
	struct bench *b = *state;

	end_while_signals_come(b, SIGINT);
	assert_true(b->loop.reaped);
	assert_int_equal(WTERMSIG(b->loop.wait_status), SIGKILL);
	assert_int_equal(b->loop.signal, SIGINT);
}

static void without_a_workload_a_signal_ends_it(void **state)
{
	struct bench *b = *state;

	raise(SIGINT);
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_SIGNAL);
	assert_int_equal(b->loop.signal, SIGINT);
}

static void a_signal_sent_to_us_alone_reaches_the_workload(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "trap 'exit 5' TERM; kill -TERM $PPID; while :; do sleep 0.01; done");
	run(b);
	assert_int_equal(b->loop.signal, SIGTERM);
	assert_int_equal(b->loop.end, LOOP_END_WORKLOAD);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 5);
}

/* A signal comes between two runs. */
static void a_signal_that_waits_is_not_lost(void **state)
{
	struct bench *b = *state;

	raise(SIGINT);
	fork_shell(b, "while :; do sleep 0.01; done");
	run(b);
	assert_int_equal(b->loop.signal, SIGINT);
	assert_int_equal(WTERMSIG(b->loop.wait_status), SIGINT);
}

static void intervals_are_kept_by_the_clock(void **state)
{
	struct bench *b = *state;

	b->loop.interval_ms = 5;
	b->loop.interval_count = 4;
	b->work_us = 2000;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_INTERVALS);
	assert_int_equal(b->n_intervals, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(b->times_ns[i] >= (i + 1) * 5 * MS);
		/* A late interval does not delay the next one, which is another multiple. */
		if (i)
			assert_true(b->times_ns[i] / (5 * MS) > b->times_ns[i - 1] / (5 * MS));
	}
	assert_true(b->loop.elapsed_ns >= 20 * MS);
}

static void after_the_last_interval_the_workload_goes_on_uncounted(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "sleep 0.03; true; true; exit 6");
	count_faults(b, b->workload.pid, true);
	b->loop.interval_ms = 10;
	b->loop.interval_count = 1;
	run(b);
	assert_int_equal(b->n_intervals, 1);
	assert_int_equal(b->loop.end, LOOP_END_INTERVALS);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 6);
	assert_true(b->loop.elapsed_ns >= 30 * MS);
}

static void what_on_interval_gives_ends_the_run(void **state)
{
	struct bench *b = *state;

	b->loop.interval_ms = 1;
	b->on_interval_gives = -EIO;
	assert_int_equal(loop_run(&b->loop, &b->diag), -EIO);
	assert_int_equal(b->n_intervals, 1);
}

static void a_timeout_ends_it(void **state)
{
	struct bench *b = *state;

	b->loop.timeout_ms = 10;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_TIMEOUT);
	assert_true(b->loop.elapsed_ns >= 10 * MS);
}

static void a_timeout_ends_the_workload_too(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exec sleep 60");
	b->loop.timeout_ms = 10;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_TIMEOUT);
	assert_int_equal(WTERMSIG(b->loop.wait_status), SIGTERM);
	assert_int_equal(b->loop.signal, 0);
}

static void a_delay_is_not_part_of_the_measurement(void **state)
{
	struct bench *b = *state;

	delay(b, 20);
	b->loop.timeout_ms = 10;
	run(b);
	assert_string_equal(b->said, "off;on;");
	assert_int_equal(b->loop.end, LOOP_END_TIMEOUT);
	assert_true(b->loop.elapsed_ns >= 10 * MS);
}

static void events_are_off_during_the_delay(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(0);

	count_faults(b, c.pid, false);
	child_work(&c);
	assert_int_equal(faults(b), 0);
	delay(b, 1);
	b->loop.timeout_ms = 1;
	run(b);
	assert_int_equal(faults(b), 0);
	opened_events_close(&b->opened);
	child_done(&c);
}

static void a_workload_that_ends_during_the_delay_ends_the_run(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exit 7");
	delay(b, 60000);
	run(b);
	assert_string_equal(b->said, "off;on;");
	assert_int_equal(b->loop.end, LOOP_END_WORKLOAD);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 7);
	assert_true(b->loop.elapsed_ns < 60000 * MS);
}

static void times_beyond_all_measure_are_no_mistake(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exit 8");
	b->loop.interval_ms = UINT64_MAX;
	b->loop.timeout_ms = UINT64_MAX;
	run(b);
	assert_int_equal(WEXITSTATUS(b->loop.wait_status), 8);
	assert_int_equal(b->n_intervals, 0);
}

static void it_ends_when_the_tasks_are_gone(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(2);

	assert_int_equal(task_list_add_process(&b->tasks, c.pid, &b->diag), 0);
	b->loop.tasks = &b->tasks;
	b->loop.timeout_ms = 10;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_TIMEOUT);
	child_end(&c);
	b->loop.timeout_ms = 60000;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_TARGET);
	child_reap(&c);
}

static void tasks_that_go_during_the_delay_end_it(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(0);

	assert_int_equal(task_list_add_process(&b->tasks, c.pid, &b->diag), 0);
	child_end(&c);
	b->loop.tasks = &b->tasks;
	delay(b, 60000);
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_TARGET);
	child_reap(&c);
}

struct channel {
	struct control *control;
	int ctl[2], ack[2];
};

static struct channel channel_for(struct bench *b, const char *commands)
{
	struct channel ch;
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(pipe2(ch.ctl, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ch.ack, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(control_open_fds(ch.ctl[0], ch.ack[1], &ch.control, &diag), 0);
	assert_int_equal(write(ch.ctl[1], commands, strlen(commands)), strlen(commands));
	b->loop.control = ch.control;
	return ch;
}

static size_t channel_done(struct channel *ch)
{
	char bytes[64];
	ssize_t n = read(ch->ack[0], bytes, sizeof(bytes));

	control_free(ch->control);
	for (int i = 0; i < 2; i++) {
		close(ch->ctl[i]);
		close(ch->ack[i]);
	}
	return n < 0 ? 0 : (size_t)n / 5;
}

static void another_program_switches_the_events_and_stops(void **state)
{
	struct bench *b = *state;
	struct channel ch = channel_for(b, "enable\ndisable\nping\nevlist -v\nstop\n");

	b->loop.held_back = true;
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_STOPPED);
	assert_string_equal(b->said, "off;on;off;list -v;");
	assert_int_equal(channel_done(&ch), 5);
}

static void what_it_says_wrong_gets_a_sentence(void **state)
{
	struct bench *b = *state;
	struct channel ch = channel_for(b, "bogus\nenable unicorns\nstop\n");

	run(b);
	assert_string_equal(b->said,
			    "--control: 'bogus' is not a command: enable, disable, evlist, "
			    "ping, stop;--control: no event is called 'unicorns';");
	assert_int_equal(channel_done(&ch), 2);
}

static void one_event_is_enabled_by_its_name(void **state)
{
	struct bench *b = *state;
	struct child c = child_new(0);

	count_faults(b, c.pid, false);

	/* For an ordinary user the name is "page-faults:u". */
	const char *name = b->events.items[0]->name;
	_cleanup_(freep) char *commands = xasprintf("enable %s\nstop\n", name);
	_cleanup_(freep) char *expected = xasprintf("off;Event %s enabled;", name);
	struct channel ch = channel_for(b, commands);

	b->loop.held_back = true;
	run(b);
	assert_string_equal(b->said, expected);
	assert_int_equal(channel_done(&ch), 2);
	child_done(&c);
}

static void a_controller_that_hangs_up_does_not_keep_us_busy(void **state)
{
	struct bench *b = *state;
	struct channel ch = channel_for(b, "enable\n");
	struct rusage before, after;

	close(ch.ctl[1]);
	ch.ctl[1] = dup(0);
	b->loop.timeout_ms = 50;
	getrusage(RUSAGE_SELF, &before);
	run(b);
	getrusage(RUSAGE_SELF, &after);
	assert_int_equal(b->loop.end, LOOP_END_TIMEOUT);
	assert_true(after.ru_nvcsw - before.ru_nvcsw < 20);
	assert_int_equal(channel_done(&ch), 1);
}

static int stop_when_ready(void *arg)
{
	struct bench *b = arg;

	add_said(b, "ready", "");
	loop_stop(&b->loop, LOOP_END_SIZE);
	return 0;
}

static void a_descriptor_that_is_ready_is_told(void **state)
{
	struct bench *b = *state;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	b->loop.sources[1] = (struct loop_source){ ends[0], stop_when_ready };
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_SIZE);
	assert_string_equal(b->said, "ready;");
	close(ends[0]);
	close(ends[1]);
}

static int on_wake(void *arg)
{
	struct bench *b = arg;

	add_said(b, "wake", "");
	assert_true(b->loop.now_ns >= b->loop.wake_ns);
	loop_stop(&b->loop, LOOP_END_SIZE);
	return 0;
}

static void a_handler_is_woken_when_it_wants(void **state)
{
	struct bench *b = *state;
	static const struct loop_handler wakes = { .on_wake = on_wake };

	b->loop.handler = &wakes;
	b->loop.wake_ns = clock_ns(CLOCK_MONOTONIC) + MS;
	run(b);
	assert_string_equal(b->said, "wake;");
}

static void on_snapshot(void *arg, bool by_signal)
{
	add_said(arg, "snapshot", by_signal ? " by signal" : "");
}

static void a_snapshot_is_asked_for_by_signal_or_command(void **state)
{
	struct bench *b = *state;
	static const struct loop_handler takes = { .on_snapshot = on_snapshot };
	struct channel ch = channel_for(b, "snapshot\nstop\n");

	signals_close(&b->signals);
	assert_int_equal(signals_open_for_recording(&b->signals), 0);
	b->loop.handler = &takes;
	raise(SIGUSR2);
	run(b);
	assert_string_equal(b->said, "snapshot by signal;snapshot;");
	assert_int_equal(channel_done(&ch), 2);
}

static void who_does_not_wait_ends_the_workload_afterwards(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exec sleep 60");
	b->loop.waits_for_workload = false;
	assert_false(loop_has_news(&b->loop));
	raise(SIGINT);
	assert_true(loop_has_news(&b->loop));
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_SIGNAL);
	assert_false(b->loop.reaped);
	loop_end_workload(&b->loop);
	assert_true(b->loop.reaped);
	assert_int_equal(WTERMSIG(b->loop.wait_status), SIGTERM);
}

static void a_delay_that_no_workload_outlives_does_not_start_events(void **state)
{
	struct bench *b = *state;

	fork_shell(b, "exit 0");
	b->loop.waits_for_workload = false;
	delay(b, 60000);
	run(b);
	assert_int_equal(b->loop.end, LOOP_END_WORKLOAD);
	assert_string_equal(b->said, "off;");
}

#define on_bench(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_bench(a_run_ends_with_its_workload),
		on_bench(a_workload_that_cannot_be_run_is_told),
		on_bench(a_workload_that_is_killed_tells_by_what),
		on_bench(other_children_do_not_matter),
		on_bench(a_workload_that_was_not_let_go_is_ended),
		on_bench(a_workload_that_ignores_signals_is_killed_by_the_second),
		on_bench(without_a_workload_a_signal_ends_it),
		on_bench(a_signal_sent_to_us_alone_reaches_the_workload),
		on_bench(a_signal_that_waits_is_not_lost),
		on_bench(intervals_are_kept_by_the_clock),
		on_bench(after_the_last_interval_the_workload_goes_on_uncounted),
		on_bench(what_on_interval_gives_ends_the_run),
		on_bench(a_timeout_ends_it),
		on_bench(a_timeout_ends_the_workload_too),
		on_bench(a_delay_is_not_part_of_the_measurement),
		on_bench(events_are_off_during_the_delay),
		on_bench(a_workload_that_ends_during_the_delay_ends_the_run),
		on_bench(it_ends_when_the_tasks_are_gone),
		on_bench(tasks_that_go_during_the_delay_end_it),
		on_bench(times_beyond_all_measure_are_no_mistake),
		on_bench(another_program_switches_the_events_and_stops),
		on_bench(what_it_says_wrong_gets_a_sentence),
		on_bench(one_event_is_enabled_by_its_name),
		on_bench(a_controller_that_hangs_up_does_not_keep_us_busy),
		on_bench(a_descriptor_that_is_ready_is_told),
		on_bench(a_handler_is_woken_when_it_wants),
		on_bench(a_snapshot_is_asked_for_by_signal_or_command),
		on_bench(who_does_not_wait_ends_the_workload_afterwards),
		on_bench(a_delay_that_no_workload_outlives_does_not_start_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
