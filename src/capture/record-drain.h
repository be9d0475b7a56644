/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From ring buffers to the file: whole passes over a set of rings, straight from their memory.
 *
 * Records are counted by their headers on the way, and the files of new maps are kept open. They
 * are written as they are, but for a bit that the kernel leaves set by mistake. After each pass
 * that had something comes a FINISHED_ROUND: all that is older than the newest record of the pass
 * before has been written, so a reader can sort up to there. With --threads each thread has a
 * drain of its own, with some of the rings and a part of the directory. A sink gets the records
 * in the place of the writer (capture/record-sink.h). Other origins of records are
 * emptied in the same passes.
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
	uint64_t missed;    /* that came while a ring that overwrites was read */
	uint64_t throttled; /* times that the kernel slowed an event down */
	uint64_t passes;    /* that found something */
	uint64_t maps;      /* records that seen_map() is for */
	/* Of hardware traces: AUX records, and how many say that something is missing. */
	uint64_t aux, aux_truncated, aux_partial, aux_collided;
};

/* Where an AUXTRACE record lies in the file, and its size without the data behind it. */
struct aux_entry {
	uint64_t offset, size;
};

struct record_drain {
	struct record_ring **items;
	size_t n, room;
	int epoll_fd;   /* readable when a ring wants to be emptied or a source has ended */
	size_t sources; /* rings that something may still write into */
	/* Origins of records beside the rings (capture/record-source.h); borrowed. */
	const struct record_source *others;
	size_t n_others;
	bool others_due;          /* one of them wants to be emptied */
	struct bytes from_others; /* records that they have handed out */
	struct writer *writer;
	const struct record_sink *sink; /* or NULL */
	struct kept_files *kept;        /* where mapped files are kept as they are seen; or NULL */
	bool build_ids;                 /* its events asked for build-ids in MMAP2 records */
	struct bytes copy;              /* of records in which a bit has to be changed */
	unsigned part;
	bool compress;
	bool rounds;        /* mark them */
	bool eager;         /* every record is wanted at once: --no-buffering */
	size_t least_bytes; /* what a ring must hold to be emptied, but for the last time */
	/* Hardware traces: the AUX areas of the rings. */
	size_t snapshot_bytes; /* of areas that overwrite; 0: all */
	bool aux_off;          /* the events are stopped */
	struct {
		struct aux_entry *items;
		size_t n, room;
	} aux_index;                     /* of the present file */
	const struct cpu_list *affinity; /* where its thread runs; or NULL */
	struct record_tally tally;
	/*
	 * Whether something else is to be done first, asked between slices of a pass that is not
	 * the last; NULL: never. Where samples come faster than they can be written, a pass may
	 * take minutes, and the end of a recording must not wait for it.
	 */
	bool (*is_urgent)(void *arg);
	void *urgent_arg;
};

#define RECORD_DRAIN_NONE                                                                          \
	{                                                                                          \
		.epoll_fd = -1                                                                     \
	}

void record_drain_done(struct record_drain *d);

/* Begins to watch the rings. A negative errno. */
int record_drain_watch(struct record_drain *d);

/*
 * Notes which events have ended, whose rings are watched through other events then, and which other
 * sources are due.
 */
void record_drain_look(struct record_drain *d);

/*
 * Does a ring hold enough to be emptied, or does another source ask for it? The kernel wakes us up
 * when one is half full, but also when a task ends.
 */
bool record_drain_is_due(const struct record_drain *d);

/*
 * Empties the rings; the last time, @all of them. Those that overwrite are left alone. 1: something
 * was written, 0: nothing was there, or the error of the writer. For a sink they are all emptied
 * twice: what is in a ring that was emptied first may explain what came meanwhile into others.
 *
 * A pass that is_urgent() ends early leaves the rest in the rings and marks no round: the next pass
 * goes on with it.
 */
int record_drain_pass(struct record_drain *d, bool all);

/* Tells the other sources that events called @name (NULL: all) were started or stopped. */
void record_drain_turn(struct record_drain *d, const char *name, bool on);

/* Looks at the map records that have come, and leaves all records in the rings. */
void record_drain_peek(struct record_drain *d);

/*
 * Takes what is in the AUX areas that overwrite, each stopped meanwhile; the last time they stay
 * stopped. Results as above.
 */
int record_drain_aux_snapshot(struct record_drain *d, bool last);

/* Takes what is in the rings that overwrite, each stopped meanwhile. Results as above. */
int record_drain_snapshot(struct record_drain *d);

/* Adds the counts of @from to @to. */
void record_tally_add(struct record_tally *to, const struct record_tally *from);
