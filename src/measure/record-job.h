/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording on its way from the request to open ring buffers, and what the parts of
 * measure/record-*.c share. Others call record_run(), which writes a file, or live_run().
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
struct unwinding;

/* Origins of records beside the rings that a recording may have: one for each kind of program. */
#define RECORD_SOURCES_MAX 4

struct record_job {
	const struct record_request *rq;
	struct notes *notes;
	struct diag *diag;
	const char *path; /* of the file; NULL: standard output */
	bool streams;     /* what is recorded goes to standard output */
	bool system;      /* CPUs are recorded, not tasks */
	bool planned;     /* what was asked for makes sense: other errors are not of usage */
	struct event_env *env;
	struct attached_probes *attached; /* for markers among the events; or NULL */
	struct bpf_events *programs;      /* BPF programs among the events */
	struct event_list events;
	struct cgroup_choice cgroups;
	struct cpu_list cpus;
	struct task_list targets; /* existing ones, or the workload */
	struct sampling sampling;
	bool may_trace; /* hardware traces can be taken: there is a file for them */
	struct aux_plan aux;
	struct signals signals;
	bool ends_by_pipe;   /* SIGPIPE and SIGUSR2 keep their effect: what is written is shown to
				somebody */
	bool leaves_signals; /* none is waited for: they are for another thread */
	struct control *control;
	struct workload workload;
	struct opened_events opened;
	struct record_rings rings;
	struct record_drain *drains;
	size_t n_drains;
	struct record_source sources[RECORD_SOURCES_MAX]; /* of the first drain */
	size_t n_sources;
	struct record_filters *filters; /* of samples, by BPF; or NULL */
	struct record_facts facts;
	bool unwinds;                   /* --unwind=now */
	struct unwinding *unwinding;    /* once it has started */
	size_t off_cpu_event;           /* of --off-cpu: its index */
	struct record_off_cpu *off_cpu; /* --off-cpu, once it has started */
	struct record_sink sink;        /* which is it */
	struct record_stacks *stacks;   /* unwound in the kernel; or NULL */
	struct kept_files *kept; /* mapped files, where names or unwinding need them; or NULL */
	struct record_file file;
	struct rotation rotation;
	struct event_list trigger_events;
	struct record_trigger trigger; /* --switch-output-event */
	uint64_t *turns_ms;            /* of -D */
	size_t n_turns;
	struct recording recording;
	struct silent_runtimes runtimes;
	struct jit_map_copies jit_maps;
	struct stack_depths depths; /* of what was recorded, as far as it was read again */
};

/* A job that has not begun. Everything is borrowed; release it with record_job_done(). */
struct record_job record_job_new(const struct record_request *rq, struct notes *notes,
				 struct diag *diag);
void record_job_done(struct record_job *j);

/* Finds out what is recorded of whom, and completes the events. Errors with the job's diag. */
int record_job_prepare(struct record_job *j);

/* Forks the command, opens the events and maps the rings. Errors with the job's diag. */
int record_job_open(struct record_job *j);

/*
 * Records of @s go into the recording, too. After record_job_open() and before the drains are made;
 * what the source is made of must live as long as the job.
 */
void record_job_add_source(struct record_job *j, struct record_source s);

/* Whether maps come with build-ids: the kernel may have refused them. Once events are open. */
bool record_job_has_build_ids(const struct record_job *j);

/* The loop that waits for the end of it. Its handler and sources are the caller's. */
struct loop record_job_loop(struct record_job *j);

/* Whether it is over when the recorded tasks are gone. */
bool record_job_ends_with_tasks(const struct record_job *j);

/* How it ended, if @loop has run. */
struct record_result record_job_result(const struct record_job *j, const struct loop *loop);
