/* SPDX-License-Identifier: MIT */
/* Measures locks with priority inheritance: they are taken, held for a moment, and released. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/futex-call.h"
#include "tools/bench/programs/futex.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/timed.h"

struct bench_futex_lock_pi_worker {
	uint32_t *futex, own;
	int flags;
	uint64_t ops;
};

static void bench_futex_lock_pi_work(void *arg, volatile bool *over)
{
	struct bench_futex_lock_pi_worker *w = arg;

	do {
		/* EINTR, EAGAIN: another thread was faster. */
		while (futex_lock_pi_call(w->futex, w->flags) < 0)
			if (*over || (errno != EINTR && errno != EAGAIN))
				return;
		usleep(1);
		futex_unlock_pi_call(w->futex, w->flags);
		w->ops++;
	} while (!*over);
}

static void bench_futex_lock_pi_collect(const struct bench_futex_lock_pi_worker *workers, size_t n,
					double seconds, struct bench_result *ret)
{
	struct bench_rates *rates = &ret->rates;

	for (size_t i = 0; i < n; i++) {
		struct bench_thread *t = ARRAY_ADD(rates);

		t->first_addr = (uint64_t)(uintptr_t)workers[i].futex;
		t->ops = (uint64_t)((double)workers[i].ops / seconds);
		moments_add(&rates->mean, (double)workers[i].ops / seconds);
	}
	bench_figure_add(ret, "ops/sec/thread", "ops/sec", BENCH_MORE, rates->mean.mean);
}

static int bench_futex_lock_pi_run(const struct bench_futex_lock_pi_params *p, size_t n,
				   struct bench_result *ret, struct diag *diag)
{
	struct bench_futex_lock_pi_worker *workers = xcalloc(n, sizeof(*workers));
	const struct bench_timed_threads threads = { .n = n,
						     .work = bench_futex_lock_pi_work,
						     .workers = workers,
						     .size = sizeof(*workers) };
	uint32_t common = 0;
	double seconds;
	int r;

	for (size_t i = 0; i < n; i++) {
		workers[i].futex = p->multi ? &workers[i].own : &common;
		workers[i].flags = futex_flags(&p->common);
	}
	r = bench_timed_run(&threads, p->seconds, &seconds, diag);
	if (r >= 0) {
		ret->layout = BENCH_LAYOUT_RATES;
		ret->seconds = seconds;
		ret->rates = (struct bench_rates){ .kind = BENCH_RATES_LOCK_PI,
						   .pid = getpid(),
						   .objects = 1,
						   .seconds = p->seconds,
						   .took_seconds = (uint64_t)seconds,
						   .silent = p->common.silent,
						   .buckets = futex_buckets(&p->common) };
		bench_futex_lock_pi_collect(workers, n, seconds, ret);
	}
	free(workers);
	return r;
}

int bench_futex_lock_pi(const void *params, unsigned repeat, struct bench_result *ret,
			struct diag *diag)
{
	const struct bench_futex_lock_pi_params *p = params;
	size_t n;
	int r = futex_prepare(&p->common, &n, diag);

	(void)repeat;
	if (r < 0)
		return r;
	r = bench_futex_lock_pi_run(p, n, ret, diag);
	futex_finish(&p->common);
	return r;
}
