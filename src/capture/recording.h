/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One recording, from letting the workload go to the last record in the file.
 *
 * The loop wakes up for a ring buffer that is half full and for a file that is to be switched; and
 * once a second if records wait, so that a recorder that is killed leaves no more than that behind.
 * With several drains each has a thread of its own, and the loop only steers.
 *
 * A signal ends the recording at once; a workload that still runs then is ended and waited for
 * after the file is complete.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/loop.h"
#include "capture/record-drain.h"

struct diag;
struct record_file;
struct record_trigger;
struct rotation;
struct writer;

struct recording {
	struct loop loop; /* given: events, workload, signals, control, turns and notes */
	struct record_drain *drains;
	size_t n_drains;
	const struct record_file *file;
	struct writer *writer;     /* of the last file, once it has begun; the caller frees it */
	struct rotation *rotation; /* or NULL */
	struct record_trigger *trigger; /* of another file; or NULL */
	bool by_signal;                 /* SIGUSR2 switches files, or takes a snapshot */
	bool aux_snapshots;             /* AUX areas overwrite; they are read for a snapshot, */
	bool aux_at_exit;               /* and at the end */
	bool overwrites;      /* some rings do; they are read at the end, or for a snapshot */
	uint64_t max_bytes;   /* of data; 0: no limit */
	int realtime;         /* the priority to record with, where it is permitted */
	bool ends_with_tasks; /* there is no workload: the run ends when all tasks are gone */
	/* --control asks for a list of the events; or NULL. */
	void (*on_list)(void *arg, const char *options);
	void *arg;

	uint64_t data_bytes;     /* of all files */
	uint64_t unpacked_bytes; /* that went into the compressor, */
	uint64_t packed_bytes;   /* and what became of them */
};

/*
 * Records to the end, and finishes the file. A negative errno with @diag set: the workload could
 * not be executed, or the file not be written; what was written until then is there.
 */
int recording_run(struct recording *rec, struct diag *diag);

/* The counts of all drains. */
struct record_tally recording_tally(const struct recording *rec);
