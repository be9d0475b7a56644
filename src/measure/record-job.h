/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording on its way from the request to open ring buffers, and the declarations that the parts
 * of measure/record-*.c share. Other code calls record_run(), which writes a file, or live_run().
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cpu-list.h"
#include "capture/opened-events.h"
#include "capture/record-drain.h"
#include "capture/record-file.h"
#include "capture/record-rings.h"
#include "capture/record-sink.h"
#include "capture/record-source.h"
#include "capture/record-trigger.h"
#include "capture/recording.h"
#include "capture/rotation.h"
#include "capture/sampling.h"
#include "capture/signals.h"
#include "capture/task-list.h"
#include "capture/workload.h"
#include "event/event.h"
#include "measure/cgroup-choice.h"
#include "measure/jit-map-copies.h"
#include "measure/record-facts.h"
#include "measure/record-finish.h"
#include "measure/record.h"

struct attached_probes;
struct bpf_events;
struct control;
struct diag;
struct event_env;
struct kept_files;
struct notes;
struct record_filters;
struct record_off_cpu;
struct record_stacks;
struct runtime_functions;
struct unwind_tables_facts;
struct unwinding;

/*
 * The sources of records beside the rings that a recording may have: one for each kind of program.
 */
#define RECORD_SOURCES_MAX 4

struct record_job {
	const struct record_request *rq;
	struct notes *notes;
	struct diag *diag;
	const char *command; /* in messages that begin with "perf COMMAND:" */
	const char *path;    /* the file's path; NULL: standard output */
	bool streams;        /* the recording goes to standard output */
	bool system;         /* CPUs are recorded, not tasks */
	bool planned;        /* the request makes sense: later errors are not usage errors */
	struct event_env *env;
	struct attached_probes *attached; /* for markers among the events; or NULL */
	struct bpf_events *programs;      /* BPF programs among the events */
	struct event_list events;
	struct cgroup_choice cgroups;
	struct cpu_list cpus;
	struct task_list targets; /* existing tasks, or the workload */
	struct sampling sampling;
	bool may_trace; /* hardware traces are possible, since there is a file for them */
	struct aux_plan aux;
	struct signals signals;
	/* SIGPIPE and SIGUSR2 keep their effect, because the output is shown to a person */
	bool ends_by_pipe;
	bool leaves_signals; /* no signal is waited for: another thread handles them */
	struct control *control;
	struct workload workload;
	struct opened_events opened;
	struct record_rings rings;
	struct record_drain *drains;
	size_t n_drains;
	struct record_source sources[RECORD_SOURCES_MAX]; /* the first drain's sources */
	size_t n_sources;
	struct record_filters *filters; /* BPF filters on samples; or NULL */
	struct record_facts facts;
	bool unwinds;                            /* --unwind=now */
	struct unwinding *unwinding;             /* set once it has started */
	size_t off_cpu_event;                    /* the index of the event of --off-cpu */
	struct record_off_cpu *off_cpu;          /* --off-cpu, set once it has started */
	struct record_sink sink;                 /* @off_cpu as a sink */
	struct record_stacks *stacks;            /* stacks unwound in the kernel; or NULL */
	struct unwind_tables_facts *more_stacks; /* those of record_stacks_count(); or NULL */
	struct runtime_functions *functions;     /* of interpreted languages; NULL: not wanted */
	struct kept_files *kept; /* mapped files, if names or unwinding need them; or NULL */
	struct record_file file;
	struct rotation rotation;
	struct event_list trigger_events;
	struct record_trigger trigger; /* --switch-output-event */
	uint64_t *turns_ms;            /* times given with -D */
	size_t n_turns;
	struct recording recording;
	struct silent_runtimes runtimes;
	struct jit_map_copies jit_maps;
	struct stack_depths depths; /* depths of the stacks in the part that was read again */
};

/*
 * Returns a job that has not begun. Everything is borrowed; release the job with record_job_done().
 */
struct record_job record_job_new(const struct record_request *rq, struct notes *notes,
				 struct diag *diag);
void record_job_done(struct record_job *j);

/*
 * Determines the tasks and CPUs that are recorded, and completes the events. Sets the job's diag on
 * errors.
 */
int record_job_prepare(struct record_job *j);

/* Forks the command, opens the events and maps the rings. Sets the job's diag on errors. */
int record_job_open(struct record_job *j);

/*
 * Adds @s as a source, so that its records go into the recording too. To be called after
 * record_job_open() and before the drains are made. The data behind the source must live as long as
 * the job.
 */
void record_job_add_source(struct record_job *j, struct record_source s);

/*
 * True if maps come with build-ids, which the kernel may have refused. Valid once events are open.
 */
bool record_job_has_build_ids(const struct record_job *j);

/*
 * Returns the loop that waits for the end of the recording. The caller sets its handler and
 * sources.
 */
struct loop record_job_loop(struct record_job *j);

/* True if the recording ends when the recorded tasks are gone. */
bool record_job_ends_with_tasks(const struct record_job *j);

/* Returns how the recording ended, if @loop has run. */
struct record_result record_job_result(const struct record_job *j, const struct loop *loop);
