/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A source of records besides the ring buffers of events: a program in the kernel that has a buffer
 * of its own, or sums that become records when a file ends.
 *
 * A source belongs to one drain (capture/record-drain.h), which empties it in every pass together
 * with its rings, before the mark that ends the round. Its records may therefore be as late as
 * those of a ring. No reader that sorts by rounds sees one too late, under two conditions: drain()
 * passes on all records that there are, and times are of the clock of the events. A BPF program has
 * no access to the kernel's default clock of events (local_clock()): bpf_ktime_get_ns() is
 * CLOCK_MONOTONIC, which must then be the clockid of the events.
 *
 * With --threads the source is emptied by the thread of its drain, one call at a time, while turn()
 * comes from the main thread.
 */
#include <stdbool.h>
#include <stddef.h>

/* The receiver of the records. */
struct record_taker {
	/*
	 * Receives whole records, which are valid during the call only. Returns a negative errno of
	 * the writer, which drain() returns as it is.
	 */
	int (*take)(void *arg, const void *records, size_t size);
	void *arg;
};

struct record_source {
	/*
	 * Becomes readable when the source should be emptied before the next pass, which comes at
	 * least once a second. It is waited for by its edge (EPOLLET): a wakeup counts once, and a
	 * descriptor that stays readable costs nothing. -1: there is none.
	 */
	int fd;
	/*
	 * Passes on all records that are finished; with @file_ends also those that are kept until a
	 * file is complete: at a switch of files, and at the end of the recording. At the end,
	 * events have already been stopped. May be called again afterwards, for records that came
	 * in the meantime. A negative errno ends the recording.
	 */
	int (*drain)(void *arg, bool file_ends, const struct record_taker *to);
	/*
	 * Called when events were started or stopped: at the start, by -D and --control, and at the
	 * end. With @name, only those of that name. A workload has not yet called exec at the
	 * start. Or NULL.
	 */
	void (*turn)(void *arg, const char *name, bool on);
	void *arg;
};
