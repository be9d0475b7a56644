/* SPDX-License-Identifier: MIT */
/* perf bench syscall */
#include "tools/bench/bench.h"
#include "tools/bench/programs/syscall.h"

#define LOOPS      10000000
#define SLOW_LOOPS 10000 /* for calls that make processes */

BENCH_OPTS(syscall_basic, struct bench_syscall_params);
BENCH_OPTS(syscall_getpgid, struct bench_syscall_params);
BENCH_OPTS(syscall_fork, struct bench_syscall_params);
BENCH_OPTS(syscall_execve, struct bench_syscall_params);

static const struct option syscall_basic_options[] = {
	OPT_UINT('l', "loop", struct syscall_basic_opts, params.loops, "n",
		 "number of calls (default: 10000000)"),
	OPT_SET(struct syscall_basic_opts, common, bench_options),
	OPT_END,
};

static const struct option syscall_getpgid_options[] = {
	OPT_UINT('l', "loop", struct syscall_getpgid_opts, params.loops, "n",
		 "number of calls (default: 10000000)"),
	OPT_SET(struct syscall_getpgid_opts, common, bench_options),
	OPT_END,
};

static const struct option syscall_fork_options[] = {
	OPT_UINT('l', "loop", struct syscall_fork_opts, params.loops, "n",
		 "number of calls (default: 10000)"),
	OPT_SET(struct syscall_fork_opts, common, bench_options),
	OPT_END,
};

static const struct option syscall_execve_options[] = {
	OPT_UINT('l', "loop", struct syscall_execve_opts, params.loops, "n",
		 "number of calls (default: 10000)"),
	OPT_SET(struct syscall_execve_opts, common, bench_options),
	OPT_END,
};

static const struct syscall_basic_opts syscall_basic_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { LOOPS },
};
static const struct syscall_getpgid_opts syscall_getpgid_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { LOOPS },
};
static const struct syscall_fork_opts syscall_fork_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { SLOW_LOOPS },
};
static const struct syscall_execve_opts syscall_execve_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { SLOW_LOOPS },
};

BENCH_DEFINE(syscall_basic, "bench syscall basic", "syscall/basic",
	     "Benchmark for basic getppid(2) calls", bench_syscall_basic, false);
BENCH_DEFINE(syscall_getpgid, "bench syscall getpgid", "syscall/getpgid",
	     "Benchmark for getpgid(2) calls", bench_syscall_getpgid, false);
BENCH_DEFINE(syscall_fork, "bench syscall fork", "syscall/fork", "Benchmark for fork(2) calls",
	     bench_syscall_fork, false);
BENCH_DEFINE(syscall_execve, "bench syscall execve", "syscall/execve",
	     "Benchmark for execve(2) calls", bench_syscall_execve, false);
