/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The declarations that the collections of `perf bench` share.
 *
 * A benchmark is a command, whose options are a struct that begins with bench_common, and a
 * function that measures once. `perf bench -r 3 futex hash -r 1` has two options with one letter:
 * those before the collection are passed on by their long names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/command.h"
#include "tools/bench/programs/report.h"
#include "tools/bench/programs/run.h"

struct bench_common {
	const char *format; /* "default" or "simple" */
	uint64_t repeat;    /* BENCH_UNSET: the benchmark's own default */
	uint64_t runs;      /* BENCH_UNSET: as repeat, if it repeats nothing itself */
	bool json;
	const char *save, *compare;
	const char *words; /* the words typed after the benchmark's name */
};
#define BENCH_UNSET UINT64_MAX
#define BENCH_COMMON_DEFAULT                                                                       \
	{                                                                                          \
		.format = "default", .repeat = BENCH_UNSET, .runs = BENCH_UNSET, .words = ""       \
	}

/* Options over a struct bench_common. */
extern const struct option bench_options[];

struct bench_benchmark {
	const char *name; /* "sched/pipe" */
	bench_fn *measure;
	bool repeats;         /* --repeat is for the work inside it */
	size_t params_offset; /* offset of the parameters in its options */
	const struct command *command;
};

/* Declares all benchmarks, with their commands. */
#define BENCHMARK(id)                                                                              \
	extern const struct bench_benchmark benchmark_##id;                                        \
	extern const struct command cmd_bench_##id;
#include "tools/bench/benchmarks.def"
#undef BENCHMARK

/* The options of a benchmark: the common ones, and @params. */
#define BENCH_OPTS(id, params_type)                                                                \
	struct id##_opts {                                                                         \
		struct bench_common common;                                                        \
		params_type params;                                                                \
	}

/*
 * BENCH_DEFINE() defines benchmark_ID, with the command that has the table ID_options and the
 * values ID_defaults. @words is its name: "bench sched pipe". The second macro is for an existing
 * ID_run(), and may set more members of a struct command.
 */
#define BENCH_DEFINE(id, words, name_, summary_, measure_, repeats_)                               \
	static int id##_run(struct invocation *inv)                                                \
	{                                                                                          \
		const struct id##_opts *o = inv->opts;                                             \
                                                                                                   \
		return bench_run(inv, &benchmark_##id, &o->common, &o->params);                    \
	}                                                                                          \
	BENCH_DEFINE_COMMAND(id, words, name_, summary_, measure_, repeats_)
#define BENCH_DEFINE_COMMAND(id, words, name_, summary_, measure_, repeats_, ...)                  \
	const struct command cmd_bench_##id = { .name = words,                                     \
						.summary = summary_,                               \
						.usage = bench_usage,                              \
						.options = id##_options,                           \
						.opts_size = sizeof(struct id##_opts),             \
						.defaults = &id##_defaults,                        \
						.run = id##_run,                                   \
						##__VA_ARGS__ };                                   \
	const struct bench_benchmark benchmark_##id = {                                            \
		.name = name_,                                                                     \
		.measure = measure_,                                                               \
		.repeats = repeats_,                                                               \
		.params_offset = offsetof(struct id##_opts, params),                               \
		.command = &cmd_bench_##id,                                                        \
	}

extern const char *const bench_usage[];

/* One invocation of perf bench: one benchmark or many. */
struct bench_session {
	struct invocation *inv;
	const struct bench_common *common;
	struct bench_report report;
	bool many;
	int status;
};

/* Begins a session. -EINVAL with @diag: the common options make no sense. */
int bench_session_begin(struct bench_session *s, struct invocation *inv,
			const struct bench_common *common, struct diag *diag);

/*
 * Runs a benchmark and prints the result. A failure is printed, and remembered for the exit status.
 */
void bench_session_measure(struct bench_session *s, const struct bench_benchmark *b,
			   const void *params);

/* Writes JSON, and does --save and --compare; returns the exit status. */
int bench_session_end(struct bench_session *s);

/* Does all three for one benchmark. */
int bench_run(struct invocation *inv, const struct bench_benchmark *b,
	      const struct bench_common *common, const void *params);

/* Compares two files that were saved before. Returns the exit status. */
int bench_compare_files(struct invocation *inv, const char *a, const char *b, bool json);
