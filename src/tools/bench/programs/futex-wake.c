/* SPDX-License-Identifier: MIT */
/* Wakes threads that sleep on one futex, some at a time: by one thread, or by several. */
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

/* The work of a waker thread. */
struct waker {
	struct bench_futex_wake_scene *scene;
	unsigned woken;
	double ms;
	pthread_t thread;
};

struct bench_futex_wake_scene {
	uint32_t futex;
	int flags;
	unsigned at_a_time;
	size_t n; /* the number of threads */
	struct bench_gate gate, wakers_gate;
	size_t n_wakers;
};

static void *bench_futex_wake_sleep_once(void *arg)
{
	struct bench_futex_wake_scene *s = arg;

	if (bench_gate_pass(&s->gate))
		while (futex_wait_call(&s->futex, 0, s->flags) < 0 && errno == EINTR)
			;
	return NULL;
}

/*
 * Wakes all threads, including those that begin to wait late: the end is when all have been woken.
 */
static void bench_futex_wake_all(struct bench_futex_wake_scene *s, struct bench_one_run *run)
{
	double begin = bench_now();

	while (run->woken < s->n) {
		int woken = futex_wake_call(&s->futex, s->at_a_time, s->flags);

		if (woken > 0)
			run->woken += (unsigned)woken;
	}
	run->ms = (bench_now() - begin) * 1e3;
}

static void *wake_some(void *arg)
{
	struct waker *w = arg;
	struct bench_futex_wake_scene *s = w->scene;
	double begin;
	int woken;

	if (!bench_gate_pass(&s->wakers_gate))
		return NULL;
	begin = bench_now();
	woken = futex_wake_call(&s->futex, s->at_a_time, s->flags);
	w->ms = (bench_now() - begin) * 1e3;
	w->woken = woken > 0 ? (unsigned)woken : 0;
	return NULL;
}

/* Wakes the threads that were not woken, because a waker came before they slept. */
static void wake_rest(struct bench_futex_wake_scene *s, unsigned woken)
{
	while (woken < s->n) {
		int more = futex_wake_call(&s->futex, INT_MAX, s->flags);

		woken += more > 0 ? (unsigned)more : 0;
		if (more <= 0)
			usleep(100);
	}
}

static int wake_by_threads(struct bench_futex_wake_scene *s, struct bench_one_run *run,
			   struct diag *diag)
{
	struct waker *wakers = xcalloc(s->n_wakers, sizeof(*wakers));
	struct moments ms = { 0 };
	size_t n = 0;
	int r = 0;

	bench_gate_init(&s->wakers_gate, s->n_wakers);
	for (; n < s->n_wakers && r >= 0; n += r >= 0) {
		wakers[n].scene = s;
		r = bench_thread_start(&wakers[n].thread, -1, wake_some, &wakers[n], diag);
	}
	if (r < 0)
		bench_gate_call_off(&s->wakers_gate);
	else
		bench_gate_open(&s->wakers_gate);
	for (size_t i = 0; i < n; i++) {
		pthread_join(wakers[i].thread, NULL);
		run->woken += wakers[i].woken;
		moments_add(&ms, wakers[i].ms);
	}
	bench_gate_done(&s->wakers_gate);
	wake_rest(s, run->woken);
	run->ms = ms.mean;
	run->noise = moments_noise(&ms);
	free(wakers);
	return r;
}

static int bench_futex_wake_run_once(struct bench_futex_wake_scene *s, struct bench_one_run *run,
				     struct diag *diag)
{
	struct futex_sleepers sleepers = { .gate = &s->gate };
	int r;

	bench_gate_init(&s->gate, s->n);
	r = futex_sleepers_start(&sleepers, s->n, bench_futex_wake_sleep_once, s, diag);
	if (r >= 0) {
		futex_sleepers_settle(&sleepers);
		if (s->n_wakers)
			r = wake_by_threads(s, run, diag);
		else
			bench_futex_wake_all(s, run);
		futex_sleepers_join(&sleepers);
	}
	bench_gate_done(&s->gate);
	return r;
}

static int bench_futex_wake_run_all(const struct bench_futex_params *p,
				    struct bench_futex_wake_scene *s, unsigned repeat,
				    struct bench_result *ret, struct diag *diag)
{
	struct bench_runs *runs = &ret->runs;
	int r = 0;

	ret->layout = BENCH_LAYOUT_RUNS;
	*runs = (struct bench_runs){ .kind = s->n_wakers ? BENCH_RUNS_WAKE_PARALLEL
							 : BENCH_RUNS_WAKE,
				     .pid = getpid(),
				     .threads = (unsigned)s->n,
				     .wakers = (unsigned)s->n_wakers,
				     .at_a_time = s->at_a_time,
				     .addr = (uint64_t)(uintptr_t)&s->futex,
				     .shared = p->shared,
				     .silent = p->silent,
				     .buckets = -1 };
	for (unsigned i = 0; i < repeat && r >= 0; i++) {
		struct bench_one_run *run = ARRAY_ADD(runs);

		r = bench_futex_wake_run_once(s, run, diag);
		bench_figure_add(ret, s->n_wakers ? "latency/thread" : "time", "ms", BENCH_LESS,
				 run->ms);
		moments_add(&runs->ms, run->ms);
		moments_add(&runs->done,
			    s->n_wakers ? (double)run->woken / (double)s->n_wakers : run->woken);
	}
	runs->buckets = futex_buckets(p);
	return r;
}

int bench_futex_wake(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	const struct bench_futex_wake_params *p = params;
	struct bench_futex_wake_scene s = { .flags = futex_flags(&p->common),
					    .at_a_time = (unsigned)p->at_a_time };
	int r;

	if (!p->at_a_time || p->at_a_time > INT_MAX)
		return diag_set(diag, -EINVAL, "--nwakes must be at least 1");
	r = futex_prepare(&p->common, &s.n, diag);
	if (r < 0)
		return r;
	r = bench_futex_wake_run_all(&p->common, &s, repeat, ret, diag);
	futex_finish(&p->common);
	return r;
}

int bench_futex_wake_parallel(const void *params, unsigned repeat, struct bench_result *ret,
			      struct diag *diag)
{
	const struct bench_futex_wake_parallel_params *p = params;
	struct bench_futex_wake_scene s = { .flags = futex_flags(&p->common) };
	int r = futex_prepare(&p->common, &s.n, diag);

	if (r < 0)
		return r;
	s.n_wakers = p->wakers ? p->wakers : s.n;
	if (s.n_wakers > s.n || s.n % s.n_wakers) {
		r = diag_set(diag, -EINVAL,
			     "%zu threads cannot be shared out evenly to %zu that wake them", s.n,
			     s.n_wakers);
		diag_hint(diag, "Choose --nwakers so that it divides --threads.");
	} else {
		s.at_a_time = (unsigned)(s.n / s.n_wakers);
		r = bench_futex_wake_run_all(&p->common, &s, repeat, ret, diag);
	}
	futex_finish(&p->common);
	return r;
}
