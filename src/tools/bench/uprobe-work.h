/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Measures the cost of probes that run a BPF program: usleep(1000) with one at its beginning or
 * end.
 */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

enum bench_uprobe_program {
	BENCH_UPROBE_NONE,
	BENCH_UPROBE_EMPTY,
	BENCH_UPROBE_PRINT
};

struct bench_uprobe_params {
	uint64_t loops;
	enum bench_uprobe_program program;
	bool at_return;
};
bench_fn bench_uprobe;
