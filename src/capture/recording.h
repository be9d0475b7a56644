/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One recording, from starting the workload to the last record in the file.
 *
 * The loop wakes up for a ring buffer that is half full and for a file that is to be switched; and
 * once a second if records wait, so a recorder that is killed loses no more than that. With several
 * drains each has a thread of its own, and the loop only controls them.
 *
 * A signal ends the recording at once; a workload that still runs is ended and waited for after the
 * file is complete.
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
	struct loop loop; /* set by caller: events, workload, signals, control, turns, notes */
	struct record_drain *drains;
	size_t n_drains;
	const struct record_file *file;
	/* writer of the last file, once it has begun; the caller frees it */
	struct writer *writer;
	struct rotation *rotation;      /* or NULL */
	struct record_trigger *trigger; /* begins another file; or NULL */
	bool by_signal;                 /* SIGUSR2 switches files, or takes a snapshot */
	bool aux_snapshots;             /* AUX areas overwrite, and are read for a snapshot */
	bool aux_at_exit;               /* they are also read at the end */
	bool overwrites;      /* some rings overwrite, and are read at the end or for a snapshot */
	uint64_t max_bytes;   /* limit on the data; 0: no limit */
	int realtime;         /* the priority to record with, if permitted */
	bool ends_with_tasks; /* there is no workload: the run ends when all tasks have ended */
	/* Called when --control requests a list of the events; or NULL. */
	void (*on_list)(void *arg, const char *options);
	void *arg;

	uint64_t data_bytes;     /* data of all files, in bytes */
	uint64_t unpacked_bytes; /* input of the compressor */
	uint64_t packed_bytes;   /* output of the compressor */
};

/*
 * Records to the end, and finishes the file. Returns a negative errno with @diag set: the workload
 * could not be executed, or the file could not be written; the data written until then is kept.
 */
int recording_run(struct recording *rec, struct diag *diag);

/* Returns the sum of the counts of all drains. */
struct record_tally recording_tally(const struct recording *rec);
