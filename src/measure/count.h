/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counting: a request contains the tasks, the events and the options. A job resolves it, runs it as
 * often as requested, and has the model of the counts.
 *
 * The caller shows tables (count_job_table()) and the notes on them. Nothing is printed here;
 * messages go to the notes of the job as they occur.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/cpu-list.h"
#include "base/id-list.h"
#include "capture/loop.h"
#include "capture/opened-events.h"
#include "capture/signals.h"
#include "capture/task-list.h"
#include "count/stat.h"
#include "kernel/smi-freeze.h"
#include "measure/aggregate-request.h"
#include "measure/bpf-events.h"
#include "measure/control-request.h"
#include "measure/count-plan.h"
#include "measure/event-words.h"
#include "measure/target.h"
#include "wire/topology.h"

struct control;
struct count_bpf;
struct count_drm;
struct count_recorder;
struct diag;
struct notes;
struct stat_model;

/* The number of runs. */
struct count_repeat {
	bool for_ever; /* run after run without end, each with a table of its own */
	uint64_t runs; /* number of runs that are averaged; 0 means 1 */
};

/* The events that BPF programs count (measure/count-bpf.h). */
struct count_bpf_request {
	bool counters;           /* count all events */
	const char *events;      /* and those with these names, separated by commas; or NULL */
	const char *attr_map;    /* path at which counters are shared; NULL: the usual one */
	struct id_list programs; /* count only the runs of these BPF programs; empty: no */
};

/*
 * The tasks and events to count, and the options. All zero: the default events, once. Texts are
 * borrowed.
 */
struct count_request {
	char *const *argv; /* the command, NULL-terminated; empty: none */
	struct target target;
	struct event_words events;
	struct bpf_source_request bpf_sources; /* for BPF programs among the events */
	struct control_request control;
	struct aggregate_request aggregate;
	enum choice no_inherit; /* yes: children are not counted */
	bool group;             /* all events are one group */
	bool all_user;
	bool all_kernel;
	bool null_run;               /* count nothing but time */
	unsigned detailed;           /* more default events: 1 to 3 */
	const char *for_each_cgroup; /* names or expressions, separated by commas; or NULL */
	const char *cputype;         /* "atom": only on these cores of a hybrid machine; or NULL */
	const char *pmu_filter;      /* only these of several similar PMUs; or NULL */
	bool metric_no_group;        /* the events of a metric need not be counted together */
	bool metric_no_merge;        /* metrics of one group share no events */
	bool topdown;
	bool transaction;
	bool smi_cost;
	struct count_bpf_request bpf;

	struct count_repeat repeat;
	const char *pre, *post;  /* shell commands before and after each run; or NULL */
	bool sync;               /* call sync() before each run */
	uint64_t interval_ms;    /* 0: only at the end */
	uint64_t interval_count; /* 0: no limit */
	uint64_t timeout_ms;     /* 0: none */

	enum choice scale; /* unless no: counts of multiplexed events are scaled up */
	bool no_merge;     /* a row for each PMU, if one name means several */
	bool hybrid_merge; /* one row for all types of CPU */
	bool percore_show_thread;

	const char *buildid_dir; /* directory of known markers; or NULL */
	const char *record; /* the file to which counts are also written ("-": stdout); or NULL */
	bool verbose;       /* notes have details: refused events, raw counts */
};

struct count_job {
	const struct count_request *rq;
	struct notes *notes;
	struct diag *diag;
	char *const *argv; /* the request's, unless several commands are compared */
	bool cpus;         /* CPUs are counted, not tasks */
	bool planned;      /* the request is valid: other errors are not usage errors */
	struct count_plan plan;
	struct cpu_list cpu_list;
	struct topology topology;
	struct task_list tasks; /* the tasks that exist already */
	struct control *control;
	struct count_recorder *recorder; /* recorder for request->record; or NULL */
	struct smi_freeze smi_freeze;
	struct signals signals;        /* blocked from count_job_prepare() on, also between runs */
	struct stat_model *model;      /* model of the runs so far; made by the first */
	struct count_bpf *bpf;         /* events that BPF programs count; or NULL */
	bool without_bpf;              /* BPF cannot count here: this has been reported */
	struct count_drm *drm;         /* values that drm events read; or NULL */
	struct opened_events counters; /* open until the next run or count_job_done() */
	struct loop loop;              /* loop of the last run */
	uint64_t before_ns;            /* the last interval's end */
	uint64_t begin_ns;             /* time of count_job_begin(), monotonic */
	/*
	 * Called when there is a table of an interval, or of one of endlessly many runs; or NULL.
	 */
	void (*on_table)(void *arg, const struct stat_table *table);
	/*
	 * Called when events of a run have been opened for @tasks, or for CPUs if there are none;
	 * or NULL.
	 */
	void (*on_open)(void *arg, const struct opened_events *es, const struct task_list *tasks);
	void *arg;
};

/* True with -D: the events do not start with the command. */
bool count_job_is_delayed(const struct count_job *j);

/* Prepares @j. Everything is borrowed. To be released with count_job_done() in any case. */
void count_job_init(struct count_job *j, const struct count_request *rq, struct notes *notes,
		    struct diag *diag);
void count_job_done(struct count_job *j);

/* Determines the tasks and events to count. Returns a negative errno with job->diag set. */
int count_job_prepare(struct count_job *j);

/*
 * Execute all runs of the request, until one ends by a signal. Errors as above. The file of the
 * request is begun, and is completed with count_job_finish().
 */
int count_job_run(struct count_job *j);
int count_job_finish(struct count_job *j);

/*
 * For callers that also wait for other things: events are opened and started, and count_job_look()
 * makes a table of the counts since the previous call. There is no command, no signals are blocked,
 * and messages are returned as the error. Used instead of count_job_prepare() and count_job_run().
 */
int count_job_begin(struct count_job *j);
int count_job_look(struct count_job *j, struct stat_table *ret);

/* Execute a single run, which is added to the model; and forget the runs so far. */
int count_job_run_once(struct count_job *j);
void count_job_reset(struct count_job *j);

/* Gives the model's table, borrowed until the next run. */
void count_job_table(const struct count_job *j, struct stat_table *ret);

/* Adds the notes below the table: measure/count-notes.h. */
void count_job_notes(const struct count_job *j, struct notes *notes);

bool count_job_has_command(const struct count_job *j);

/*
 * Returns the aggregation of the model: as requested, or as the other fields of the request need
 * it.
 */
enum stat_aggregation count_job_aggregation(const struct count_job *j);

/* Return the user and system time of the last run's command, in seconds. */
double count_job_user_s(const struct count_job *j);
double count_job_system_s(const struct count_job *j);
