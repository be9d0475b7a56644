/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of epoll(7). */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

struct bench_epoll_params {
	uint64_t threads; /* 0: one for each CPU; for wait, minus the one that writes */
	uint64_t seconds, files, nested;
	bool unbound, random, verbose;
	/* For wait: */
	bool multiq, oneshot, edge, nonblocking;
};
bench_fn bench_epoll_wait, bench_epoll_ctl;
