/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counts, ready to be shown: the model that the views of `perf stat` render.
 *
 * A table is one printed result: of a whole run, of several runs, or of one interval. It contains
 * rows in the order in which they are printed; each is an event in a unit of aggregation (the
 * whole, a CPU, a core, a thread, ...) with its count and the metrics derived from the counts of
 * the same unit. Pure data: made by stat-model.h, read by view/. Texts are borrowed from the model.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum stat_aggregation {
	STAT_GLOBAL,
	STAT_CPU, /* -A */
	STAT_CORE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_CACHE,
	STAT_CLUSTER,
	STAT_THREAD,
};

enum stat_state {
	STAT_COUNTED,
	STAT_NOT_COUNTED,   /* it never ran */
	STAT_NOT_SUPPORTED, /* the event could not be opened */
};

/* The format of a metric's value; the view chooses the digits. */
enum stat_format {
	STAT_FORMAT_NUMBER,  /* 0.950, 3.157: "%8.3f" */
	STAT_FORMAT_RATIO,   /* 1.50: "%7.2f " */
	STAT_FORMAT_PERCENT, /* 1.00%: "%7.2f%%" */
	STAT_FORMAT_SHARE,   /* 12.345 %: "%8.3f %%" */
	STAT_FORMAT_TOPDOWN, /* 12.3%: "%8.1f%%" */
	STAT_FORMAT_WHOLE,   /* 12: "%8.0f" */
	STAT_FORMAT_SMALL,   /* 12: "%4.0f" */
	STAT_FORMAT_SHORT,   /* 12.3, for -M with its own unit: "%8.1f" */
	STAT_FORMAT_PLAIN,   /* 0.15, for -M: "%8.2f" */
};

/* The severity of a value: its colour on a terminal. */
enum stat_level {
	STAT_LEVEL_NONE,
	STAT_LEVEL_LOW,
	STAT_LEVEL_MIDDLE,
	STAT_LEVEL_HIGH,
	STAT_LEVEL_GOOD,
};

struct stat_metric {
	bool known; /* false: an operand is missing, or a divisor is zero */
	double value;
	enum stat_format format;
	enum stat_level level;
	char unit[64];  /* "insn per cycle" */
	bool rate;      /* a clock or a rate: not shown by --metric-only */
	bool of_all;    /* the unit is understood only after the event's name */
	bool same_line; /* on the same line as the one before it */
	bool asked_for; /* requested by name (-M): shown even if it is not known */
};

/* Further metrics of one group of -M are in other events' rows. */
#define STAT_METRICS 16

/* A unit of aggregation. Parts that the aggregation does not determine are -1. */
struct stat_unit {
	int socket, die, cluster, core, node, cpu;
	int cache_level, cache; /* @cache: the first CPU that shares it */
	pid_t tid;
	char comm[32];
};

/* The data that all rows of an event have in common. */
struct stat_event {
	const char *name;
	const char *unit;   /* "msec", "Joules"; "" if none */
	const char *cgroup; /* "" if none */
	bool decimals;      /* shown with two decimals */
};

struct stat_row {
	const struct stat_event *event;
	const struct stat_unit *unit; /* NULL in STAT_GLOBAL */
	unsigned n_cpus;              /* number of CPUs added up */
	enum stat_state state;
	double count;              /* in its unit, scaled for the time in which it did not run */
	uint64_t enabled, running; /* nanoseconds, added up */
	double noise;              /* standard error in percent of the mean, for several runs */
	bool per_core;             /* in STAT_CPU: the sum of a core (the event has `percore`) */
	struct stat_metric metrics[STAT_METRICS];
	size_t n_metrics; /* at least 1 if the event has a rule of its own, known or not */
};

struct stat_table {
	enum stat_aggregation aggregation;
	const struct stat_row *rows;
	size_t n_rows;
	bool has_cgroups;
	unsigned runs;             /* number of runs that were averaged */
	bool interval;             /* one of several, printed at @time_ns */
	bool summary;              /* the sum of intervals, after the last */
	uint64_t time_ns;          /* time since the start */
	double elapsed_s;          /* mean over the runs */
	double elapsed_error_s;    /* its standard error */
	const double *run_times_s; /* time of each run, for --table */
	bool has_rusage;           /* user and system time of one run of a command */
	double user_s, system_s;
};
