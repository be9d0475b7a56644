/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Copies records from ring buffers to the file: whole passes over a set of rings, straight from
 * their memory.
 *
 * Records are counted by their headers on the way, and the files of new maps are kept open. Records
 * are written unchanged, except for a bit that the kernel leaves set by mistake. A FINISHED_ROUND
 * follows each pass that had records: everything older than the newest record of the previous pass
 * has been written, so a reader can sort up to there. With --threads each thread has a drain of its
 * own, with some of the rings and a part of the directory. A sink gets the records instead of the
 * writer (capture/record-sink.h). Other sources of records are emptied in the same passes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

struct cpu_list;
struct kept_files;
struct record_ring;
struct record_sink;
struct record_source;
struct writer;

struct record_tally {
	uint64_t samples;
	uint64_t lost;      /* records that found the ring full */
	uint64_t missed;    /* records that came while an overwriting ring was read */
	uint64_t throttled; /* times that the kernel throttled an event */
	uint64_t passes;    /* passes that found something */
	uint64_t maps;      /* records passed to seen_map() */
	/* Hardware traces: AUX records, and the numbers of those that report missing data. */
	uint64_t aux, aux_truncated, aux_partial, aux_collided;
};

/* The place of an AUXTRACE record in the file, and its size without the data after it. */
struct aux_entry {
	uint64_t offset, size;
};

struct record_drain {
	struct record_ring **items;
	size_t n, room;
	int epoll_fd;   /* readable when a ring should be emptied or a source has ended */
	size_t sources; /* rings that may still be written to */
	/* Other sources of records besides the rings (capture/record-source.h); borrowed. */
	const struct record_source *others;
	size_t n_others;
	bool others_due;          /* one of them should be emptied */
	struct bytes from_others; /* records that they have passed on */
	struct writer *writer;
	const struct record_sink *sink; /* or NULL */
	struct kept_files *kept;        /* stores mapped files as they are seen; or NULL */
	bool build_ids;                 /* its events request build-ids in MMAP2 records */
	struct bytes copy;              /* copy of records in which a bit has to be changed */
	unsigned part;
	bool compress;
	bool rounds;        /* write a record after each round */
	bool eager;         /* write every record at once: --no-buffering */
	size_t least_bytes; /* least contents of a ring that is emptied, except the last time */
	/* Hardware traces: the AUX areas of the rings. */
	size_t snapshot_bytes; /* limit for overwriting areas; 0: all */
	bool aux_off;          /* the events are stopped */
	struct {
		struct aux_entry *items;
		size_t n, room;
	} aux_index;                     /* entries for the current file */
	const struct cpu_list *affinity; /* CPUs of its thread; or NULL */
	struct record_tally tally;
	/*
	 * True if something else must be done first. Asked between slices of a pass that is not the
	 * last; NULL: never. If samples come faster than they can be written, a pass may take
	 * minutes, and the end of a recording must not wait for it.
	 */
	bool (*is_urgent)(void *arg);
	void *urgent_arg;
};

#define RECORD_DRAIN_NONE                                                                          \
	{                                                                                          \
		.epoll_fd = -1                                                                     \
	}

void record_drain_done(struct record_drain *d);

/* Begins to watch the rings. Returns 0 or a negative errno. */
int record_drain_watch(struct record_drain *d);

/*
 * Notes which events have ended, whose rings are then watched through other events, and which other
 * sources are due.
 */
void record_drain_look(struct record_drain *d);

/*
 * True if a ring contains enough to be emptied, or another source requests it. The kernel wakes us
 * up when a ring is half full, but also when a task ends.
 */
bool record_drain_is_due(const struct record_drain *d);

/*
 * Empties the rings; the last time, @all of them. Rings that overwrite are left alone. Returns 1:
 * something was written, 0: nothing was there, or the error of the writer. For a sink they are all
 * emptied twice: records in a ring that was emptied first may explain those that other rings
 * received in the meantime.
 *
 * A pass that is_urgent() ends early leaves the rest in the rings and marks no round: the next pass
 * continues it.
 */
int record_drain_pass(struct record_drain *d, bool all);

/* Informs the other sources that events called @name (NULL: all) were started or stopped. */
void record_drain_turn(struct record_drain *d, const char *name, bool on);

/* Looks at the map records that have arrived, and leaves all records in the rings. */
void record_drain_peek(struct record_drain *d);

/*
 * Writes the contents of the AUX areas that overwrite, each stopped in the meantime; the last time
 * they stay stopped. Results as above.
 */
int record_drain_aux_snapshot(struct record_drain *d, bool last);

/*
 * Writes the contents of the rings that overwrite, each stopped in the meantime. Results as above.
 */
int record_drain_snapshot(struct record_drain *d);

/* Adds the counts of @from to @to. */
void record_tally_add(struct record_tally *to, const struct record_tally *from);
