/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The result of a benchmark: figures with names and units, for JSON and comparisons, and the other
 * data that the text of Linux's perf shows.
 *
 * A benchmark fills one of the parts, which its layout names. It prints nothing; view/bench does.
 * Names and labels are borrowed, and are literals unless a comment says otherwise.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/student.h"

/* The direction in which a figure is better. */
enum bench_better {
	BENCH_LESS,
	BENCH_MORE
};

struct bench_figure {
	char *name; /* owned */
	const char *unit;
	enum bench_better better;
	bool derived; /* follows from another figure, so it is not compared */
	double value;
};

enum bench_layout {
	BENCH_LAYOUT_NONE,
	BENCH_LAYOUT_MESSAGING,
	BENCH_LAYOUT_OPS,
	BENCH_LAYOUT_MEM,
	BENCH_LAYOUT_LINES,
	BENCH_LAYOUT_RATES,
	BENCH_LAYOUT_RUNS,
	BENCH_LAYOUT_NUMA,
};

struct bench_messaging {
	unsigned per_group, groups;
	bool threads;
};

/* A number of operations of one kind. */
enum bench_ops_kind {
	BENCH_OPS_PIPE,
	BENCH_OPS_SECCOMP,
	BENCH_OPS_SYSCALL,
	BENCH_OPS_BREAKPOINT_THREAD,
	BENCH_OPS_BREAKPOINT_ENABLE,
	BENCH_OPS_USLEEP,
};

struct bench_ops {
	enum bench_ops_kind kind;
	uint64_t loops;
	double ops;          /* divisor of the time, if that is not @loops; otherwise 0 */
	const char *syscall; /* the system call's name */
	bool threads;        /* for pipe: threads, not processes */
	unsigned breakpoints, parallelism, passive, active;
};

/* A way to fill or copy memory. */
struct bench_mem_row {
	const char *function, *description;
	bool by_cycles;
	double rate;  /* bytes per second, or cycles per byte */
	double noise; /* between several threads, in percent of their mean */
};

struct bench_mem {
	char *size; /* as typed; owned */
	unsigned threads;
	struct bench_mem_row *items;
	size_t n, room;
};

/* Lines with a label and numbers. */
enum bench_line_kind {
	BENCH_LINE_TEXT,  /* the label alone */
	BENCH_LINE_COUNT, /* label, a tab, a number */
	BENCH_LINE_VALUE, /* label, value, unit */
	BENCH_LINE_MEAN,  /* label, value, unit, (+- error unit) */
};

struct bench_line {
	enum bench_line_kind kind;
	char *label; /* owned */
	const char *unit;
	unsigned decimals;
	double value, error;
};

struct bench_lines {
	struct bench_line *items;
	size_t n, room;
	size_t shown; /* number of lines that a listener has printed */
};

/* The counts of operations that threads did for a while. */
enum bench_rates_kind {
	BENCH_RATES_FUTEX_HASH,
	BENCH_RATES_LOCK_PI,
	BENCH_RATES_EPOLL_WAIT,
	BENCH_RATES_EPOLL_CTL,
};

enum {
	BENCH_CTL_ADD,
	BENCH_CTL_MOD,
	BENCH_CTL_DEL,
	BENCH_CTL_OPS
};

struct bench_thread {
	uint64_t first_addr, last_addr; /* addresses of its objects */
	uint64_t ops;                   /* operations each second */
	uint64_t ctl[BENCH_CTL_OPS];    /* for epoll ctl, in total */
};

struct bench_rates {
	enum bench_rates_kind kind;
	pid_t pid;
	unsigned objects; /* number for each thread: futexes, files */
	uint64_t seconds; /* the requested seconds */
	uint64_t took_seconds;
	bool shared, silent, oneshot;
	struct bench_thread *items;
	size_t n, room;
	struct moments mean, ctl[BENCH_CTL_OPS];
	/* Additional data: -v of epoll. */
	bool verbose, multiq, nonblocking, random;
	unsigned nested;
	uint64_t nofile_before, nofile; /* 0: not changed */
	uint64_t writer_loops;
	int buckets; /* size of the kernel's hash of futexes, if requested; otherwise -1 */
};

/* Several repetitions of an operation on waiting threads. */
enum bench_runs_kind {
	BENCH_RUNS_WAKE,
	BENCH_RUNS_WAKE_PARALLEL,
	BENCH_RUNS_REQUEUE
};

struct bench_one_run {
	double ms, noise;
	unsigned woken, requeued;
};

struct bench_runs {
	enum bench_runs_kind kind;
	pid_t pid;
	unsigned threads, wakers, at_a_time;
	uint64_t addr, second_addr; /* the addresses of the futexes */
	bool shared, silent, pi;
	struct bench_one_run *items;
	size_t n, room;
	struct moments ms, done; /* @done: number of threads woken or requeued */
	int buckets;
};

/* A run of `numa mem`. A suite has several. */
struct bench_numa_run {
	char *name, *line;    /* owned: "main", and the options after "perf bench numa" */
	char *not_applicable; /* owned: the reason why this machine cannot run it; or NULL */
	bool quiet, details, convergence;
	int nodes, cpus;
	unsigned processes, threads;
	int64_t loops;
	uint64_t mb_global, mb_process, mb_thread;
	char *cpu_binding, *node_binding; /* owned: "0, 1"; NULL: none */
	pid_t *pids;                      /* pids of the processes, with @details; owned */
	double startup_s;
	double seconds_shown; /* the time in the progress line; below 0: no line */
	double percent_shown;
	char *convergence_text; /* owned, or NULL */
	double converged_s;     /* below 0: it did not converge */
	double max_s, min_s, avg_s, spread, gb_thread, gb_total, ns_byte, speed_thread, speed_total;
};

struct bench_numa {
	struct bench_numa_run *items;
	size_t n, room;
	char *machine; /* for a suite: uname; owned, or NULL */
};

struct bench_result {
	struct bench_figure *items; /* the figures */
	size_t n, room;
	/* Called by bench_lines_ready(), so that a long benchmark is not silent; or NULL. */
	void (*on_lines)(void *arg, struct bench_result *r);
	void *arg;
	double seconds; /* the whole duration */
	enum bench_layout layout;
	union {
		struct bench_messaging messaging;
		struct bench_ops ops;
		struct bench_mem mem;
		struct bench_lines lines;
		struct bench_rates rates;
		struct bench_runs runs;
		struct bench_numa numa;
	};
};

void bench_result_done(struct bench_result *r);

/*
 * Adds a figure; @name is copied, @unit is borrowed. Several figures of one name are values of the
 * same, like those of runs.
 */
void bench_figure_add(struct bench_result *r, const char *name, const char *unit,
		      enum bench_better better, double value);

/* Returns the figure of that name, or NULL. */
const struct bench_figure *bench_figure_find(const struct bench_result *r, const char *name);

/* Adds the figures of @seconds for @ops operations: time, usecs/op, ops/sec. */
void bench_figures_of_ops(struct bench_result *r, double seconds, double ops);

/* Reports that more lines of a result with BENCH_LAYOUT_LINES are complete. */
void bench_lines_ready(struct bench_result *r);

/* Add a line to a result with BENCH_LAYOUT_LINES; @label is copied. */
void bench_line_text(struct bench_result *r, const char *label);
void bench_line_count(struct bench_result *r, const char *label, uint64_t n, const char *suffix);
void bench_line_value(struct bench_result *r, const char *label, double value, const char *unit);
void bench_line_mean(struct bench_result *r, const char *label, const struct moments *m,
		     const char *unit, unsigned decimals);
