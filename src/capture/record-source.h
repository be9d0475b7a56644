/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An origin of records beside the ring buffers of events: a program in the kernel that has a buffer
 * of its own, or sums that become records when a file ends.
 *
 * A source belongs to one drain (capture/record-drain.h), which empties it in every pass together
 * with its rings, before the mark that ends the round. So its records may be as late as those of a
 * ring, and no reader that sorts by rounds sees one too late, if two things hold: drain() hands out
 * all that there is, and times are of the clock of the events. A BPF program has no access to the
 * kernel's default clock of events (local_clock()): bpf_ktime_get_ns() is CLOCK_MONOTONIC, and so
 * must be the clockid of the events then.
 *
 * With --threads the source is emptied by the thread of its drain, one call at a time, while turn()
 * comes from the main thread.
 */
#include <stdbool.h>
#include <stddef.h>

/* Who gets the records. */
struct record_taker {
	/*
	 * Takes whole records, which are valid during the call only; a negative errno of the
	 * writer, which drain() returns as it is.
	 */
	int (*take)(void *arg, const void *records, size_t size);
	void *arg;
};

struct record_source {
	/*
	 * Becomes readable when the source should be emptied before the next pass, which comes at
	 * least once a second. Waited for by its edge (EPOLLET): a wakeup counts once, and what
	 * stays readable costs nothing. -1: there is none.
	 */
	int fd;
	/*
	 * Hands out all records that are finished; with @file_ends also what is kept until a file
	 * is complete: at a switch of files, and at the end of the recording. Events have been
	 * stopped by then if it is the end. May be called again after that, for what came
	 * meanwhile. A negative errno ends the recording.
	 */
	int (*drain)(void *arg, bool file_ends, const struct record_taker *to);
	/*
	 * Events were started or stopped: at the start, by -D and --control, and at the end. With
	 * @name, only those of that name. A workload has not yet called exec at the start. Or NULL.
	 */
	void (*turn)(void *arg, const char *name, bool on);
	void *arg;
};
