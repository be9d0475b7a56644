/* SPDX-License-Identifier: MIT */
/* perf bench mem */
#include <stdio.h>
#include <string.h>

#include "tools/bench/bench.h"
#include "tools/bench/programs/mem.h"

BENCH_OPTS(mem_memcpy, struct bench_mem_params);
BENCH_OPTS(mem_memset, struct bench_mem_params);
BENCH_OPTS(mem_mmap, struct bench_mem_params);
BENCH_OPTS(mem_find_bit, struct bench_find_bit_params);

/* The options that the benchmarks for copying and for filling share. */
static const struct option copy_options[] = {
	OPT_STRING('s', "size", struct bench_mem_params, size, "1MB",
		   "how much memory, with B, KB, MB, GB or TB"),
	OPT_STRING('p', "page", struct bench_mem_params, page, "4KB",
		   "size of its pages: 4KB, 2MB or 1GB"),
	OPT_STRING('k', "chunk", struct bench_mem_params, chunk, "0",
		   "how much with one call (default: all)"),
	OPT_STRING('f', "function", struct bench_mem_params, function, "name",
		   "the function to measure, or 'all'; 'help' lists them"),
	OPT_UINT('l', "nr_loops", struct bench_mem_params, loops, "n", "how often (default: 1)"),
	OPT_FLAG('c', "cycles", struct bench_mem_params, cycles,
		 "count cycles instead of taking the time"),
	OPT_END,
};

static const struct option mem_memcpy_options[] = {
	OPT_SET(struct mem_memcpy_opts, params, copy_options),
	OPT_SET(struct mem_memcpy_opts, common, bench_options),
	OPT_END,
};

static const struct option mem_memset_options[] = {
	OPT_SET(struct mem_memset_opts, params, copy_options),
	OPT_SET(struct mem_memset_opts, common, bench_options),
	OPT_END,
};

static const struct option mem_mmap_options[] = {
	OPT_STRING('s', "size", struct mem_mmap_opts, params.size, "1MB",
		   "how much memory, with B, KB, MB, GB or TB"),
	OPT_STRING('p', "page", struct mem_mmap_opts, params.page, "4KB",
		   "size of its pages: 4KB, 2MB or 1GB"),
	OPT_STRING('f', "function", struct mem_mmap_opts, params.function, "name",
		   "demand, populate or all (default: all); 'help' lists them"),
	OPT_UINT('l', "nr_loops", struct mem_mmap_opts, params.loops, "n",
		 "how often (default: 1)"),
	OPT_FLAG('c', "cycles", struct mem_mmap_opts, params.cycles,
		 "count cycles instead of taking the time"),
	OPT_UINT('r', "randomize", struct mem_mmap_opts, params.seed, "seed",
		 "touch pages at random places, which the seed decides"),
	OPT_UINT('t', "threads", struct mem_mmap_opts, params.threads, "n",
		 "threads that map at the same time (default: 1)"),
	OPT_SET(struct mem_mmap_opts, common, bench_options),
	OPT_END,
};

static const struct option mem_find_bit_options[] = {
	OPT_UINT('i', "outer-iterations", struct mem_find_bit_opts, params.outer, "n",
		 "times that are taken for each row (default: 5)"),
	OPT_UINT('j', "inner-iterations", struct mem_find_bit_opts, params.inner, "n",
		 "visits in each of them (default: 100000)"),
	OPT_SET(struct mem_find_bit_opts, common, bench_options),
	OPT_END,
};

#define COPY_PARAMS                                                                                \
	{                                                                                          \
		.size = "1MB", .chunk = "0", .page = "4KB", .function = "all", .loops = 1          \
	}

static const struct mem_memcpy_opts mem_memcpy_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = COPY_PARAMS,
};
static const struct mem_memset_opts mem_memset_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = COPY_PARAMS,
};
static const struct mem_mmap_opts mem_mmap_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .size = "1MB", .page = "4KB", .function = "all", .loops = 1, .threads = 1 },
};
static const struct mem_find_bit_opts mem_find_bit_defaults = {
	.common = BENCH_COMMON_DEFAULT,
	.params = { .outer = 5, .inner = 100000 },
};

static int bench_mem_list_functions(const struct invocation *inv,
				    const struct bench_mem_function *f)
{
	fputs("Available functions:\n", inv->out);
	for (; f->name; f++)
		fprintf(inv->out, "\t%s ... %s\n", f->name, f->description);
	return EXIT_FAILED;
}

/* Runs the benchmark. `-f help` only prints a list. */
static int bench_mem_run_or_list(struct invocation *inv, const struct bench_benchmark *b,
				 const struct bench_common *common,
				 const struct bench_mem_params *params,
				 const struct bench_mem_function *functions)
{
	if (!strcmp(params->function, "help"))
		return bench_mem_list_functions(inv, functions);
	return bench_run(inv, b, common, params);
}

static int mem_memcpy_run(struct invocation *inv)
{
	const struct mem_memcpy_opts *o = inv->opts;

	return bench_mem_run_or_list(inv, &benchmark_mem_memcpy, &o->common, &o->params,
				     bench_memcpy_functions());
}

static int mem_memset_run(struct invocation *inv)
{
	const struct mem_memset_opts *o = inv->opts;

	return bench_mem_run_or_list(inv, &benchmark_mem_memset, &o->common, &o->params,
				     bench_memset_functions());
}

static int mem_mmap_run(struct invocation *inv)
{
	const struct mem_mmap_opts *o = inv->opts;

	return bench_mem_run_or_list(inv, &benchmark_mem_mmap, &o->common, &o->params,
				     bench_mmap_functions());
}

BENCH_DEFINE_COMMAND(mem_memcpy, "bench mem memcpy", "mem/memcpy",
		     "Benchmark for memcpy() functions", bench_mem_memcpy, false);
BENCH_DEFINE_COMMAND(mem_memset, "bench mem memset", "mem/memset",
		     "Benchmark for memset() functions", bench_mem_memset, false);
BENCH_DEFINE(mem_find_bit, "bench mem find_bit", "mem/find_bit",
	     "Benchmark for find_bit() functions", bench_mem_find_bit, false);
BENCH_DEFINE_COMMAND(mem_mmap, "bench mem mmap", "mem/mmap", "Benchmark for mmap() mappings",
		     bench_mem_mmap, false);
