/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of single system calls. */
#include <stdint.h>

#include "tools/bench/programs/run.h"

struct bench_syscall_params {
	uint64_t loops;
};
bench_fn bench_syscall_basic, bench_syscall_getpgid, bench_syscall_fork, bench_syscall_execve;
