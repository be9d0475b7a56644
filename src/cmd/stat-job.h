/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A job of counting: whom, what and how, and one run of it at a time. `stat` averages its runs,
 * `stat --compare` sets those of several commands against each other.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "base/notes.h"
#include "capture/count-loop.h"
#include "capture/counters.h"
#include "capture/signals.h"
#include "capture/task-list.h"
#include "cmd/opt/aggregate.h"
#include "cmd/stat-plan.h"
#include "count/stat.h"
#include "wire/topology.h"

struct control;
struct count_recorder;
struct diag;
struct invocation;
struct stat_model;
struct stat_opts;

struct stat_job {
	struct invocation *inv;
	const struct stat_opts *o;
	struct diag *diag;
	struct notes notes; /* what is said while it counts */
	char *const *argv;  /* the command; empty: none */
	bool cpus;          /* CPUs are counted, not tasks */
	struct stat_plan plan;
	struct cpu_list cpu_list;
	struct topology topology;
	struct task_list tasks; /* that exist already: -p, -t, -u, --per-thread */
	struct control *control;
	struct count_recorder *recorder; /* of `stat record`, borrowed; or NULL */
	struct signals signals;   /* held back from stat_job_prepare() on, between runs too */
	struct stat_model *model; /* of the runs so far; made by the first */
	struct counters counters; /* open until the next run or stat_job_done() */
	struct count_loop loop;   /* of the last run */
	uint64_t before_ns;       /* the last interval's end */
	bool planned; /* what was asked for makes sense: other errors are not of usage */
	/* An interval has ended, and the model's table is that of it; or NULL. */
	void (*on_interval)(void *arg);
	void *arg;
};

/*
 * Finds out whom and what to count. A negative errno with job->diag set. The job is to be released
 * with stat_job_done() in any case.
 */
int stat_job_prepare(struct stat_job *j);
void stat_job_done(struct stat_job *j);

/* One run, from --pre to --post, added to the model. Errors as above. */
int stat_job_run(struct stat_job *j);

/* Forgets the runs so far. */
void stat_job_reset(struct stat_job *j);

/* Has the last run ended in a way that no other shall follow it? */
bool stat_job_is_over(const struct stat_job *j);

bool stat_job_has_command(const struct stat_job *j);

/* What the options of aggregation mean to the model; and together with the others. */
enum stat_aggregation stat_aggregation_of(enum aggregate over);
enum stat_aggregation stat_job_aggregation(const struct stat_opts *o);

/* A time of rusage in seconds. */
double stat_seconds(struct timeval t);
