/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The counter model of `perf stat`: takes counts, and gives tables (stat.h).
 *
 * Counts come per event and place (a CPU, a thread). They are added up into the units of one
 * aggregation when a run or an interval ends, and over several runs into means with their standard
 * errors. Metrics are derived only from the counts of the same unit. The model uses no descriptors,
 * no clocks and no text layout. The events are borrowed.
 */
#include "count/stat.h"
#include "wire/count.h"

struct event;
struct metric;
struct metric_expr;
struct stat_model;
struct topology;

/* One event, and the places at which it is counted. */
struct stat_source {
	const struct event *event;
	const char *cgroup; /* "" if none */
	bool supported;
	const char *pmu; /* its name; NULL if the kernel chooses the PMU */
	bool core;       /* the PMU is one of several kinds of cores */
	const int *cpus; /* -1: any */
	size_t n_cpus;
	size_t n_tasks;
};

/* A thread that is counted separately, in the order of the places. */
struct stat_task {
	pid_t tid;
	const char *comm;
};

struct stat_model_options {
	enum stat_aggregation aggregation;
	unsigned cache_level;            /* for STAT_CACHE; 0: the last level */
	const struct topology *topology; /* for all except STAT_GLOBAL and STAT_THREAD */
	const struct stat_task *tasks;   /* the tasks, for STAT_THREAD */
	size_t n_tasks;
	bool scale;            /* compensate for the time in which an event did not run */
	bool merge;            /* one row for the same event on several PMUs */
	bool merge_cores;      /* one row for the same event on several kinds of cores */
	bool all_threads;      /* STAT_THREAD on the whole system: omit threads without counts */
	bool per_core_threads; /* --percore-show-thread */
};

struct stat_model *stat_model_new(const struct stat_source *sources, size_t n,
				  const struct stat_model_options *o);
void stat_model_free(struct stat_model *m);

/*
 * Shows @metric, computed by @expr from the events [@first, @first + @n), beside the first of them.
 * @metric, @expr and the events are borrowed.
 */
void stat_model_add_metric(struct stat_model *m, const struct metric *metric,
			   const struct metric_expr *expr, size_t first, size_t n);

/* Sets the counts of @source at all its places ([cpu * n_tasks + task]), since it was enabled. */
void stat_model_count(struct stat_model *m, size_t source, const struct count *counts);

/*
 * Sets the value that perf measured itself (duration_time, ...): nanoseconds, or a signed number
 * that is no running total. A value that could not be read is not passed.
 */
void stat_model_count_tool(struct stat_model *m, size_t source, uint64_t value);

/*
 * Does the same for EVENT_TOOL_DRM: the value of all tasks, for the first one (@task is 0), or that
 * of each, if tasks are rows. NULL: it can no longer be read.
 */
void stat_model_count_drm(struct stat_model *m, size_t source, size_t task, const uint64_t *value);

/* Ends a run: its counts are one more sample of each mean. */
void stat_model_end_run(struct stat_model *m, double elapsed_s);

/* Ends an interval: the next table shows the counts since the previous one. */
void stat_model_end_interval(struct stat_model *m, uint64_t time_ns, double interval_s);

/*
 * Gives the table of the last interval, or of all runs. Its rows are valid until the model changes
 * or is freed.
 */
void stat_model_table(struct stat_model *m, struct stat_table *ret);
