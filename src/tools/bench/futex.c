/* SPDX-License-Identifier: MIT */
/* perf bench futex */
#include "tools/bench/bench.h"
#include "tools/bench/programs/futex.h"

BENCH_OPTS(futex_hash, struct bench_futex_hash_params);
BENCH_OPTS(futex_wake, struct bench_futex_wake_params);
BENCH_OPTS(futex_wake_parallel, struct bench_futex_wake_parallel_params);
BENCH_OPTS(futex_requeue, struct bench_futex_requeue_params);
BENCH_OPTS(futex_lock_pi, struct bench_futex_lock_pi_params);

static const struct option futex_options[] = {
	OPT_UINT('t', "threads", struct bench_futex_params, threads, "n",
		 "number of threads (default: one for each CPU)"),
	OPT_FLAG('s', "silent", struct bench_futex_params, silent,
		 "only the sums, not each thread or run"),
	OPT_FLAG('S', "shared", struct bench_futex_params, shared,
		 "futexes that processes can share, instead of private ones"),
	OPT_FLAG('m', "mlockall", struct bench_futex_params, lock_memory,
		 "lock all memory, so that nothing is paged out"),
	OPT_INT('b', "buckets", struct bench_futex_params, buckets, "n",
		"buckets of the process's hash of futexes; 0: the hash of all processes"),
	OPT_END,
};

static const struct option futex_hash_options[] = {
	OPT_UINT('f', "futexes", struct futex_hash_opts, params.futexes, "n",
		 "futexes of each thread (default: 1024)"),
	OPT_UINT('r', "runtime", struct futex_hash_opts, params.seconds, "n",
		 "seconds (default: 10)"),
	OPT_SET(struct futex_hash_opts, params.common, futex_options),
	OPT_SET(struct futex_hash_opts, common, bench_options),
	OPT_END,
};

static const struct option futex_wake_options[] = {
	OPT_UINT('w', "nwakes", struct futex_wake_opts, params.at_a_time, "n",
		 "threads to wake with one call (default: 1)"),
	OPT_SET(struct futex_wake_opts, params.common, futex_options),
	OPT_SET(struct futex_wake_opts, common, bench_options),
	OPT_END,
};

static const struct option futex_wake_parallel_options[] = {
	OPT_UINT('w', "nwakers", struct futex_wake_parallel_opts, params.wakers, "n",
		 "threads that wake others (default: as many as there are others)"),
	OPT_SET(struct futex_wake_parallel_opts, params.common, futex_options),
	OPT_SET(struct futex_wake_parallel_opts, common, bench_options),
	OPT_END,
};

static const struct option futex_requeue_options[] = {
	OPT_UINT('q', "nrequeue", struct futex_requeue_opts, params.at_a_time, "n",
		 "threads to move with one call (default: 1)"),
	OPT_FLAG('B', "broadcast", struct futex_requeue_opts, params.broadcast,
		 "move all threads with one call"),
	OPT_FLAG('p', "pi", struct futex_requeue_opts, params.pi,
		 "to a futex that passes priorities on"),
	OPT_SET(struct futex_requeue_opts, params.common, futex_options),
	OPT_SET(struct futex_requeue_opts, common, bench_options),
	OPT_END,
};

static const struct option futex_lock_pi_options[] = {
	OPT_UINT('r', "runtime", struct futex_lock_pi_opts, params.seconds, "n",
		 "seconds (default: 10)"),
	OPT_FLAG('M', "multi", struct futex_lock_pi_opts, params.multi, "a futex for each thread"),
	OPT_SET(struct futex_lock_pi_opts, params.common, futex_options),
	OPT_SET(struct futex_lock_pi_opts, common, bench_options),
	OPT_END,
};

static const struct futex_hash_opts futex_hash_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .common.buckets = -1, .futexes = 1024, .seconds = 10 },
};
static const struct futex_wake_opts futex_wake_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .common.buckets = -1, .at_a_time = 1 },
};
static const struct futex_wake_parallel_opts futex_wake_parallel_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .common.buckets = -1 },
};
static const struct futex_requeue_opts futex_requeue_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .common.buckets = -1, .at_a_time = 1 },
};
static const struct futex_lock_pi_opts futex_lock_pi_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .common.buckets = -1, .seconds = 10 },
};

BENCH_DEFINE(futex_hash, "bench futex hash", "futex/hash", "Benchmark for futex hash table",
	     bench_futex_hash, false);
BENCH_DEFINE(futex_wake, "bench futex wake", "futex/wake", "Benchmark for futex wake calls",
	     bench_futex_wake, true);
BENCH_DEFINE(futex_wake_parallel, "bench futex wake-parallel", "futex/wake-parallel",
	     "Benchmark for parallel futex wake calls", bench_futex_wake_parallel, true);
BENCH_DEFINE(futex_requeue, "bench futex requeue", "futex/requeue",
	     "Benchmark for futex requeue calls", bench_futex_requeue, true);
BENCH_DEFINE(futex_lock_pi, "bench futex lock-pi", "futex/lock-pi",
	     "Benchmark for futex lock_pi calls", bench_futex_lock_pi, false);
