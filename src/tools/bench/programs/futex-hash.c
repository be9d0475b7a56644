/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast the kernel finds a futex: waits that return immediately, because the value is
 * not the expected one.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/futex-call.h"
#include "tools/bench/programs/futex.h"
#include "tools/bench/programs/result.h"
#include "tools/bench/programs/timed.h"

#define FUTEXES_MAX   (1 << 24)
#define NOT_THE_VALUE 1234

struct bench_futex_hash_worker {
	uint32_t *futexes;
	size_t n;
	int flags;
	uint64_t ops;
};

static void bench_futex_hash_work(void *arg, volatile bool *over)
{
	struct bench_futex_hash_worker *w = arg;
	uint64_t ops = 0;

	do {
		for (size_t i = 0; i < w->n; i++, ops++)
			futex_wait_call(&w->futexes[i], NOT_THE_VALUE, w->flags);
	} while (!*over);
	w->ops = ops;
}

static void bench_futex_hash_collect(const struct bench_futex_hash_worker *workers, size_t n,
				     double seconds, struct bench_result *ret)
{
	struct bench_rates *rates = &ret->rates;

	for (size_t i = 0; i < n; i++) {
		const struct bench_futex_hash_worker *w = &workers[i];
		struct bench_thread *t = ARRAY_ADD(rates);

		t->first_addr = (uint64_t)(uintptr_t)w->futexes;
		t->last_addr = (uint64_t)(uintptr_t)&w->futexes[w->n - 1];
		t->ops = (uint64_t)((double)w->ops / seconds);
		moments_add(&rates->mean, (double)w->ops / seconds);
	}
	bench_figure_add(ret, "ops/sec/thread", "ops/sec", BENCH_MORE, rates->mean.mean);
}

static int bench_futex_hash_run(const struct bench_futex_hash_params *p, size_t n,
				struct bench_result *ret, struct diag *diag)
{
	struct bench_futex_hash_worker *workers = xcalloc(n, sizeof(*workers));
	const struct bench_timed_threads threads = {
		.n = n, .work = bench_futex_hash_work, .workers = workers, .size = sizeof(*workers)
	};
	double seconds;
	int r;

	for (size_t i = 0; i < n; i++)
		workers[i] = (struct bench_futex_hash_worker){ .futexes = xcalloc(p->futexes,
										  sizeof(uint32_t)),
							       .n = p->futexes,
							       .flags = futex_flags(&p->common) };
	r = bench_timed_run(&threads, p->seconds, &seconds, diag);
	if (r >= 0) {
		ret->layout = BENCH_LAYOUT_RATES;
		ret->seconds = seconds;
		ret->rates = (struct bench_rates){ .kind = BENCH_RATES_FUTEX_HASH,
						   .pid = getpid(),
						   .objects = (unsigned)p->futexes,
						   .seconds = p->seconds,
						   .took_seconds = (uint64_t)seconds,
						   .shared = p->common.shared,
						   .silent = p->common.silent,
						   .buckets = futex_buckets(&p->common) };
		bench_futex_hash_collect(workers, n, seconds, ret);
	}
	for (size_t i = 0; i < n; i++)
		free(workers[i].futexes);
	free(workers);
	return r;
}

int bench_futex_hash(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	const struct bench_futex_hash_params *p = params;
	size_t n;
	int r;

	(void)repeat;
	if (!p->futexes || p->futexes > FUTEXES_MAX)
		return diag_set(diag, -EINVAL, "--futexes is a number from 1 to %d", FUTEXES_MAX);
	r = futex_prepare(&p->common, &n, diag);
	if (r < 0)
		return r;
	r = bench_futex_hash_run(p, n, ret, diag);
	futex_finish(&p->common);
	return r;
}
