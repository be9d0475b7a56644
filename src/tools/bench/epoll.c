/* SPDX-License-Identifier: MIT */
/* perf bench epoll */
#include "tools/bench/bench.h"
#include "tools/bench/programs/epoll.h"

BENCH_OPTS(epoll_wait, struct bench_epoll_params);
BENCH_OPTS(epoll_ctl, struct bench_epoll_params);

static const struct option epoll_options[] = {
	OPT_UINT('r', "runtime", struct bench_epoll_params, seconds, "n", "seconds (default: 8)"),
	OPT_UINT('f', "nfds", struct bench_epoll_params, files, "n",
		 "files of each thread (default: 64)"),
	OPT_FLAG('n', "noaffinity", struct bench_epoll_params, unbound,
		 "threads are not bound to CPUs"),
	OPT_UINT('N', "nested", struct bench_epoll_params, nested, "n",
		 "instances that contain each other (default: 0)"),
	OPT_FLAG('v', "verbose", struct bench_epoll_params, verbose, "tell what is done"),
	OPT_END,
};

static const struct option epoll_wait_options[] = {
	OPT_UINT('t', "threads", struct epoll_wait_opts, params.threads, "n",
		 "number of threads (default: one for each CPU but one)"),
	OPT_FLAG('m', "multiq", struct epoll_wait_opts, params.multiq,
		 "an epoll instance for each thread"),
	OPT_FLAG('B', "nonblocking", struct epoll_wait_opts, params.nonblocking,
		 "epoll_wait() that does not wait"),
	OPT_FLAG('E', "edge", struct epoll_wait_opts, params.edge, "edge-triggered events"),
	OPT_FLAG('S', "oneshot", struct epoll_wait_opts, params.oneshot,
		 "events that have to be asked for again: EPOLLONESHOT"),
	OPT_FLAG('R', "randomize", struct epoll_wait_opts, params.random,
		 "write to files in random order"),
	OPT_SET(struct epoll_wait_opts, params, epoll_options),
	OPT_SET(struct epoll_wait_opts, common, bench_options),
	OPT_END,
};

static const struct option epoll_ctl_options[] = {
	OPT_UINT('t', "threads", struct epoll_ctl_opts, params.threads, "n",
		 "number of threads (default: one for each CPU)"),
	OPT_FLAG('R', "randomize", struct epoll_ctl_opts, params.random,
		 "random operations on random files"),
	OPT_SET(struct epoll_ctl_opts, params, epoll_options),
	OPT_SET(struct epoll_ctl_opts, common, bench_options),
	OPT_END,
};

static const struct epoll_wait_opts epoll_wait_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .seconds = 8, .files = 64 },
};
static const struct epoll_ctl_opts epoll_ctl_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .seconds = 8, .files = 64 },
};

BENCH_DEFINE(epoll_wait, "bench epoll wait", "epoll/wait", "Benchmark epoll concurrent epoll_waits",
	     bench_epoll_wait, false);
BENCH_DEFINE(epoll_ctl, "bench epoll ctl", "epoll/ctl", "Benchmark epoll concurrent epoll_ctls",
	     bench_epoll_ctl, false);
