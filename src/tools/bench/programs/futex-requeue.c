/* SPDX-License-Identifier: MIT */
/*
 * Moves threads that sleep on one futex to another one without waking them, as when a condition is
 * broadcast to threads that need the same mutex.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/futex-call.h"
#include "tools/bench/programs/futex.h"
#include "tools/bench/programs/result.h"

struct bench_futex_requeue_scene {
	uint32_t from, to;
	int flags;
	bool pi;
	unsigned at_a_time;
	size_t n;
	struct bench_gate gate;
};

static void *sleep_plainly(struct bench_futex_requeue_scene *s)
{
	while (futex_wait_call(&s->from, 0, s->flags) < 0 && errno == EINTR)
		;
	return NULL;
}

/* Sleeps for the lock. A thread that wakes up has the lock. */
static void *sleep_for_lock(struct bench_futex_requeue_scene *s)
{
	int r;

	do
		r = futex_wait_requeue_pi_call(&s->from, &s->to, s->flags);
	while (r < 0 && (errno == EINTR || errno == EAGAIN));
	if (r == 0)
		futex_unlock_pi_call(&s->to, s->flags);
	return NULL;
}

static void *bench_futex_requeue_sleep_once(void *arg)
{
	struct bench_futex_requeue_scene *s = arg;

	if (!bench_gate_pass(&s->gate))
		return NULL;
	return s->pi ? sleep_for_lock(s) : sleep_plainly(s);
}

static int requeue_plainly(struct bench_futex_requeue_scene *s, struct bench_one_run *run)
{
	int moved = futex_requeue_call(&s->from, &s->to, s->at_a_time, s->flags);

	run->requeued += moved > 0 ? (unsigned)moved : 0;
	return moved;
}

/* Moves threads. A call wakes one, if the lock is free, and moves the others. */
static int requeue_pi(struct bench_futex_requeue_scene *s, struct bench_one_run *run)
{
	int done = futex_requeue_pi_call(&s->from, &s->to, s->at_a_time, s->flags);

	if (done > 0) {
		run->woken++;
		run->requeued += (unsigned)done - 1;
	}
	return done;
}

static int requeue_all(struct bench_futex_requeue_scene *s, struct bench_one_run *run,
		       struct diag *diag)
{
	double begin = bench_now();

	while (run->requeued + run->woken < s->n) {
		int r = s->pi ? requeue_pi(s, run) : requeue_plainly(s, run);

		/* EAGAIN: the owner of the lock is about to end. */
		if (r < 0 && errno != EAGAIN && errno != EINTR)
			return diag_set(diag, -errno,
					"threads cannot be moved to another futex: %s",
					strerror(errno));
	}
	run->ms = (bench_now() - begin) * 1e3;
	return 0;
}

static void bench_futex_requeue_wake_all(struct bench_futex_requeue_scene *s)
{
	for (unsigned woken = 0; woken < s->n;) {
		int more = futex_wake_call(&s->to, INT_MAX, s->flags);

		more += futex_wake_call(&s->from, INT_MAX, s->flags);
		woken += more > 0 ? (unsigned)more : 0;
		if (more <= 0)
			usleep(100);
	}
}

static int bench_futex_requeue_run_once(struct bench_futex_requeue_scene *s,
					struct bench_one_run *run, struct diag *diag)
{
	struct futex_sleepers sleepers = { .gate = &s->gate };
	int r;

	bench_gate_init(&s->gate, s->n);
	r = futex_sleepers_start(&sleepers, s->n, bench_futex_requeue_sleep_once, s, diag);
	if (r >= 0) {
		futex_sleepers_settle(&sleepers);
		r = requeue_all(s, run, diag);
		if (!s->pi)
			bench_futex_requeue_wake_all(s);
		/* Threads that sleep for a lock that cannot be given to them end with perf. */
		if (r >= 0 || !s->pi)
			futex_sleepers_join(&sleepers);
	}
	bench_gate_done(&s->gate);
	return r;
}

static int bench_futex_requeue_run_all(const struct bench_futex_params *p,
				       struct bench_futex_requeue_scene *s, unsigned repeat,
				       struct bench_result *ret, struct diag *diag)
{
	struct bench_runs *runs = &ret->runs;
	int r = 0;

	ret->layout = BENCH_LAYOUT_RUNS;
	*runs = (struct bench_runs){ .kind = BENCH_RUNS_REQUEUE,
				     .pid = getpid(),
				     .threads = (unsigned)s->n,
				     .at_a_time = s->at_a_time,
				     .addr = (uint64_t)(uintptr_t)&s->from,
				     .second_addr = (uint64_t)(uintptr_t)&s->to,
				     .shared = p->shared,
				     .silent = p->silent,
				     .pi = s->pi,
				     .buckets = -1 };
	for (unsigned i = 0; i < repeat && r >= 0; i++) {
		struct bench_one_run *run = ARRAY_ADD(runs);

		r = bench_futex_requeue_run_once(s, run, diag);
		bench_figure_add(ret, "time", "ms", BENCH_LESS, run->ms);
		moments_add(&runs->ms, run->ms);
		moments_add(&runs->done, run->requeued + run->woken);
	}
	runs->buckets = futex_buckets(p);
	return r;
}

int bench_futex_requeue(const void *params, unsigned repeat, struct bench_result *ret,
			struct diag *diag)
{
	const struct bench_futex_requeue_params *p = params;
	struct bench_futex_requeue_scene *s;
	size_t n;
	int r = futex_prepare(&p->common, &n, diag);

	if (r < 0)
		return r;
	if (!p->at_a_time || p->at_a_time > INT_MAX) {
		futex_finish(&p->common);
		return diag_set(diag, -EINVAL, "--nrequeue must be at least 1");
	}
	s = xcalloc(1, sizeof(*s));
	s->n = n;
	s->flags = futex_flags(&p->common);
	s->pi = p->pi;
	s->at_a_time = p->broadcast || p->at_a_time > n ? (unsigned)n : (unsigned)p->at_a_time;
	r = bench_futex_requeue_run_all(&p->common, s, repeat, ret, diag);
	futex_finish(&p->common);
	/* After a failure threads may still sleep on it. */
	if (r >= 0 || !p->pi)
		free(s);
	return r;
}
