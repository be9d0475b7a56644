/* SPDX-License-Identifier: MIT */
/* perf bench numa */
#include "tools/bench/bench.h"
#include "tools/bench/programs/numa.h"

BENCH_OPTS(numa_mem, struct bench_numa_params);

static const struct option numa_mem_options[] = {
	OPT_HEADING("Tasks:"),
	OPT_UINT('p', "nr_proc", struct numa_mem_opts, params.processes, "n",
		 "number of processes (default: 1)"),
	OPT_UINT('t', "nr_threads", struct numa_mem_opts, params.threads, "n",
		 "threads of each process (default: 1)"),
	OPT_STRING('C', "cpus", struct numa_mem_opts, params.cpus, "cpu[,cpu...]",
		   "bind the first tasks to these CPUs; the others are free"),
	OPT_STRING('M', "memnodes", struct numa_mem_opts, params.nodes, "node[,node...]",
		   "bind the memory of the first tasks to these nodes; the others are free"),

	OPT_HEADING("Memory:"),
	OPT_UINT('G', "mb_global", struct numa_mem_opts, params.mb_global, "MB",
		 "shared by all processes (default: 1)"),
	OPT_UINT('P', "mb_proc", struct numa_mem_opts, params.mb_process, "MB",
		 "of each process, shared by its threads"),
	OPT_UINT('L', "mb_proc_locked", struct numa_mem_opts, params.mb_locked, "MB",
		 "a part of it that one thread at a time works on"),
	OPT_UINT('T', "mb_thread", struct numa_mem_opts, params.mb_thread, "MB", "of each thread"),
	OPT_INT('H', "thp", struct numa_mem_opts, params.thp, "n",
		"huge pages: above 0 wanted, below 0 not wanted"),

	OPT_HEADING("How long:"),
	OPT_INT('l', "nr_loops", struct numa_mem_opts, params.loops, "n",
		"at most so many rounds (default: no limit)"),
	OPT_UINT('s', "nr_secs", struct numa_mem_opts, params.seconds, "n",
		 "at most so many seconds (default: 5)"),
	OPT_UINT('u', "usleep", struct numa_mem_opts, params.usleep, "n",
		 "microseconds to sleep after each round"),

	OPT_HEADING("What is done:"),
	OPT_FLAG('R', "data_reads", struct numa_mem_opts, params.reads, "read the data"),
	OPT_FLAG('W', "data_writes", struct numa_mem_opts, params.writes,
		 "write the data (default)"),
	OPT_FLAG('B', "data_backwards", struct numa_mem_opts, params.backwards,
		 "every other round backwards (default)"),
	OPT_FLAG('Z', "data_zero_memset", struct numa_mem_opts, params.zero_memset,
		 "clear the data with memset() only"),
	OPT_FLAG('r', "data_rand_walk", struct numa_mem_opts, params.random_walk,
		 "in random order (default)"),
	OPT_FLAG('z', "init_zero", struct numa_mem_opts, params.init_zero,
		 "clear memory at the beginning"),
	OPT_FLAG('I', "init_random", struct numa_mem_opts, params.init_random,
		 "fill memory with random numbers at the beginning (default)"),
	OPT_FLAG('0', "init_cpu0", struct numa_mem_opts, params.init_cpu0,
		 "touch memory on CPU 0 first"),
	OPT_UINT('x', "perturb_secs", struct numa_mem_opts, params.perturb_seconds, "n",
		 "send the first thread to another CPU every so many seconds"),
	OPT_FLAG('S', "serialize-startup", struct numa_mem_opts, params.serialize,
		 "begin one thread after the other"),

	OPT_HEADING("What is shown:"),
	OPT_FLAG('d', "show_details", struct numa_mem_opts, params.show_details,
		 "the processes, too"),
	OPT_FLAG('a', "all", struct numa_mem_opts, params.all, "run the suite: 45 tests"),
	OPT_FLAG('c', "show_convergence", struct numa_mem_opts, params.show_convergence,
		 "on which nodes tasks are: until all threads of each process are on one"),
	OPT_FLAG('m', "measure_convergence", struct numa_mem_opts, params.measure_convergence,
		 "how long that takes; then it ends"),
	OPT_FLAG('q', "quiet", struct numa_mem_opts, params.quiet, "only the figures"),
	OPT_SET(struct numa_mem_opts, common, bench_options),
	OPT_END,
};

static const struct numa_mem_opts numa_mem_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = BENCH_NUMA_DEFAULT,
};

static int numa_mem_run(struct invocation *inv)
{
	const struct numa_mem_opts *o = inv->opts;
	struct bench_numa_params params = o->params;

	params.words = o->common.words;
	return bench_run(inv, &benchmark_numa_mem, &o->common, &params);
}

BENCH_DEFINE_COMMAND(numa_mem, "bench numa mem", "numa/mem", "Benchmark for NUMA workloads",
		     bench_numa_mem, false);
