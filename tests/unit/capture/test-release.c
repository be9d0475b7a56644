/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/opened-events.h"
#include "capture/release.h"
#include "event/env.h"
#include "event/event.h"
#include "skip.h"

/* Hardly any other program holds these open. If one did, closing them would not be slow. */
#define SLOW                                                                                       \
	"syscalls:sys_enter_acct,syscalls:sys_enter_swapon,syscalls:sys_enter_swapoff,"            \
	"syscalls:sys_enter_chroot"

struct opened {
	struct event_env *env;
	struct event_list events;
	struct opened_events counters;
};

static void opened_done(struct opened *o)
{
	opened_events_close(&o->counters);
	event_list_done(&o->events);
	event_env_free(o->env);
}

static bool try_open(struct opened *o, const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct target_task self = { .tid = getpid() };
	struct task_list tasks = { &self, 1, 0 };
	struct cpu_list cpus = { 0 };
	struct open_request rq = {
		.events = &o->events, .tasks = &tasks, .cpus = &cpus, .any_cpu = true
	};

	o->env = event_env_new(NULL, NULL);
	if (event_list_parse(&o->events, text, o->env, EVENT_USE_COUNTING, &diag) >= 0 &&
	    opened_events_open(&rq, &o->counters, &diag) >= 0)
		return true;
	print_message("%s\n", diag.message);
	return false;
}

/* Opens @text on this process, and skips the test where that is not allowed. */
static void open_events(struct opened *o, const char *text)
{
	if (try_open(o, text))
		return;
	opened_done(o);
	skip_because("no counters can be opened here");
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns the seconds that it takes to close all of these events the plain way. */
static double plain_close_s(const char *text)
{
	_cleanup_(opened_done) struct opened o = { 0 };

	open_events(&o, text);

	double start = now_s();

	opened_events_close(&o.counters);
	return now_s() - start;
}

static double release_s(struct opened_events *c)
{
	double start = now_s();

	release_events(c, 1);
	return now_s() - start;
}

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void what_closes_fast_is_closed_here(void **state)
{
	_cleanup_(opened_done) struct opened o = { 0 };

	(void)state;
	open_events(&o, "page-faults,context-switches");

	int fd = o.counters.items[1].fds[0];

	assert_true(is_open(fd));
	release_events(&o.counters, 1);
	assert_int_equal(o.counters.n, 0);
	assert_false(is_open(fd));
}

static void nothing_open_is_nothing_to_close(void **state)
{
	struct opened_events none = { 0 };

	(void)state;
	release_events(&none, 1);
	assert_int_equal(none.n, 0);
}

/*
 * True if the release took less than half of the time of a plain close. It is also true for a
 * kernel that closes fast, because nothing can be gained there.
 */
static bool is_released_quickly(void)
{
	double plain = plain_close_s(SLOW);
	_cleanup_(opened_done) struct opened o = { 0 };

	open_events(&o, SLOW);

	int fd = o.counters.items[3].fds[0];
	double quick = release_s(&o.counters);

	print_message("closed in %.1f ms, released in %.1f ms\n", plain * 1e3, quick * 1e3);
	assert_int_equal(o.counters.n, 0);
	assert_false(is_open(fd));
	return plain <= 0.06 || quick < plain / 2;
}

static void what_closes_slowly_is_not_waited_for(void **state)
{
	bool is_quick = is_released_quickly();

	(void)state;
	/* On a busy machine either of the two may have had to wait. */
	for (int i = 0; i < 4 && !is_quick; i++)
		is_quick = is_released_quickly();
	assert_true(is_quick);
}

static void no_child_is_left_to_wait_for(void **state)
{
	_cleanup_(opened_done) struct opened o = { 0 };

	(void)state;
	open_events(&o, SLOW);
	release_events(&o.counters, 1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* A reader of our output must see its end when we end, not when the last event is closed. */
static void a_pipe_is_not_held_open(void **state)
{
	_cleanup_(opened_done) struct opened o = { 0 };
	int ends[2];

	(void)state;
	open_events(&o, SLOW);
	assert_int_equal(pipe(ends), 0);
	release_events(&o.counters, 1);
	close(ends[1]);

	struct pollfd p = { .fd = ends[0], .events = POLLIN };

	/* The child needs a moment to start; closing the events takes it longer. */
	assert_int_equal(poll(&p, 1, 2000), 1);
	assert_true(p.revents & POLLHUP);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_closes_fast_is_closed_here),
		cmocka_unit_test(nothing_open_is_nothing_to_close),
		cmocka_unit_test(what_closes_slowly_is_not_waited_for),
		cmocka_unit_test(no_child_is_left_to_wait_for),
		cmocka_unit_test(a_pipe_is_not_held_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
