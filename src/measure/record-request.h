/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request for a recording: what is recorded, how, and where it goes. All zero means cycles of
 * the whole system, into perf.data. Texts are borrowed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/choice.h"
#include "base/cpu-list.h"
#include "capture/aux-plan.h"
#include "capture/sampling-request.h"
#include "capture/synth.h"
#include "measure/bpf-events.h"
#include "measure/control-request.h"
#include "measure/event-words.h"
#include "measure/target.h"

enum switch_kind {
	SWITCH_NEVER,
	SWITCH_ON_SIGNAL, /* SIGUSR2 */
	SWITCH_ON_SIZE,
	SWITCH_ON_TIME,
};

/* The condition on which another file is begun. */
struct output_switch {
	enum switch_kind kind;
	uint64_t bytes;
	uint64_t seconds;
};

#define COMPRESSION_LEVEL_MAX 22

struct output_request {
	const char *path;           /* NULL: perf.data; "-": standard output */
	uint64_t compression_level; /* 0: none */
	bool compress_aligned;      /* COMPRESSED2 records, in place of COMPRESSED */
	struct output_switch rotate;
	const char *switch_event;  /* events whose occurrence begins another file */
	uint64_t switch_max_files; /* 0: keep all */
	uint64_t max_bytes;        /* 0: no limit */
	bool timestamp_filename;
	bool timestamp_boundary;
	enum choice no_buildid; /* unset: build-ids are kept, but not when files are switched */
	enum choice no_buildid_cache;
	bool buildid_all;
	/* The setting in perfconfig. Options take precedence over it. */
	enum {
		BUILDIDS_UNSAID,
		BUILDIDS_CACHED,
		BUILDIDS_NOT_CACHED,
		BUILDIDS_SKIPPED,
		BUILDIDS_IN_MAPS,
		BUILDIDS_NOT_IN_MAPS,
	} usual_buildids;
	enum choice buildid_mmap; /* yes: only maps have build-ids; no: maps have none */
	bool map_build_ids;       /* ask the kernel for them; it may be too old */
	bool kcore;
};

/* The sizes of the kernel's ring buffers. */
struct buffer_size {
	uint64_t data_pages; /* in pages of the kernel, a power of two; 0: unset */
	uint64_t aux_pages;
};

enum thread_layout_kind {
	THREADS_ONE, /* no layout was given */
	THREADS_PER_CPU,
	THREADS_PER_CORE,
	THREADS_PER_PACKAGE,
	THREADS_PER_NUMA,
	THREADS_LISTED,
};

/*
 * "cpus/affinity": the CPUs whose buffers one thread empties, and the CPUs that the thread runs on.
 */
struct thread_mask {
	struct cpu_list cpus;
	struct cpu_list affinity;
};

struct thread_layout {
	enum thread_layout_kind kind;
	struct thread_mask *items; /* masks for THREADS_LISTED */
	size_t n, room;
};

struct buffer_request {
	struct buffer_size size;
	uint64_t flush_bytes; /* 0: not given */
	struct thread_layout threads;
	int64_t realtime; /* a SCHED_FIFO priority; 0: none */
	bool no_buffering;
	bool overwrite;
};

void thread_layout_done(struct thread_layout *t);
void buffer_request_done(struct buffer_request *b);

/*
 * The choice whether stacks are unwound while they are recorded, or copied into the file for its
 * readers.
 */
enum record_unwind {
	RECORD_UNWIND_UNSAID, /* while they are recorded, if that is possible */
	RECORD_UNWIND_NOW,
	RECORD_UNWIND_LATER,
};

/* The time that tasks are off their CPUs, measured by BPF programs. */
struct off_cpu_choice {
	bool wanted;
	uint64_t threshold_ms; /* waits of at least this length get their own sample */
};

#define OFF_CPU_THRESHOLD_MS 500

struct record_request {
	char *const *argv; /* the command, NULL-terminated; empty: none */
	struct target target;
	struct event_words events;
	struct bpf_source_request bpf_sources; /* for BPF programs among the events */
	struct sampling_request sampling;
	enum record_unwind unwind;
	struct off_cpu_choice off_cpu;
	struct control_request control;
	struct output_request output;
	struct buffer_request buffer;
	struct aux_request aux;     /* for hardware traces; its pages are those of the buffer */
	enum choice no_inherit;     /* unset: children inherit, but not those of threads */
	bool group;                 /* all events are one group */
	bool may_be_empty;          /* without a named event none is opened, instead of cycles */
	bool dry_run;               /* find out what would be recorded, then stop */
	struct synth_guests guests; /* the locations of guest kernels, if events count guests */
	const char *buildid_dir;    /* the cache's directory; NULL: there is no cache */
	struct progress *progress;  /* the progress of reading the recording; or NULL */
	unsigned verbose;           /* 1: notes have details; 2: events are listed too */
	/*
	 * Lists an event, by name or with its attr. It is called when verbose, or when --control
	 * asks for it; or NULL.
	 */
	void (*on_list)(void *arg, const struct event *e, bool with_attr);
	void *arg;
};

void record_request_done(struct record_request *rq);

bool record_request_has_command(const struct record_request *rq);
