/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One recording, from letting the workload go to the last record in the file.
 *
 * Sleeps in ppoll() and wakes only for what happens: a ring buffer that is half full, the end of
 * the workload or of all tasks, a signal, a line of --control, a switch that is due; and once a
 * second if records wait, so that a recorder that is killed leaves no more than that behind.
 *
 * A signal ends the recording at once; a workload that still runs then is asked to end (SIGTERM)
 * and waited for, after the file is complete. With several drains each has a thread of its own,
 * and this one only steers.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/record-drain.h"

struct control;
struct diag;
struct opened_events;
struct record_file;
struct record_trigger;
struct rotation;
struct signals;
struct workload;
struct writer;

enum record_end {
	RECORD_END_WORKLOAD,
	RECORD_END_SIGNAL,
	RECORD_END_TARGET,  /* the recorded tasks are gone */
	RECORD_END_STOPPED, /* by --control, or after the last turn */
	RECORD_END_SIZE,    /* --max-size */
};

struct record_hooks {
	void (*on_switch)(void *arg, bool enabled);         /* events were started or stopped */
	void (*on_list)(void *arg, const char *options);    /* --control asks for the events */
	void (*on_remark)(void *arg, const char *sentence); /* about a command of --control */
	void (*on_dump)(void *arg, const char *name);       /* a file of several is complete */
	void *arg;
};

struct record_loop {
	struct opened_events *events;
	struct record_drain *drains;
	size_t n_drains;
	const struct record_file *file;
	struct writer *writer;          /* begun; another one after a switch; the caller frees it */
	struct rotation *rotation;      /* or NULL */
	struct record_trigger *trigger; /* of another file; or NULL */
	bool by_signal;                 /* SIGUSR2 switches files, or takes a snapshot */
	bool overwrites;                /* there are rings that are only looked into at the end */
	uint64_t max_bytes;             /* of data; 0: no limit */
	int realtime;                   /* the priority to record with, where it is permitted */
	struct workload *workload;      /* forked, not started; pid 0: none */
	bool tasks;                     /* without a workload: it ends with them */
	struct signals *signals;
	struct control *control;  /* or NULL */
	bool held_back;           /* events do not start by themselves */
	const uint64_t *turns_ms; /* when they are started and stopped in turn, since the start */
	size_t n_turns;
	struct record_hooks hooks;

	enum record_end end;
	int signal;              /* the last that came to end the recording, or 0 */
	int wait_status;         /* of the workload */
	bool reaped;             /* it has ended */
	uint64_t data_bytes;     /* of all files */
	uint64_t unpacked_bytes; /* that went into the compressor, */
	uint64_t packed_bytes;   /* and what became of them */
};

/*
 * Records to the end, and finishes the file. A negative errno with @diag set: the workload could
 * not be executed, or the file not be written; what was written until then is there.
 */
int record_loop_run(struct record_loop *l, struct diag *diag);

/* The counts of all drains. */
struct record_tally record_loop_tally(const struct record_loop *l);
