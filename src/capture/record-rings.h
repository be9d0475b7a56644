/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The ring buffers of a recording: one for each CPU, or for each thread with --per-thread, which
 * all events of that place share; a second one where some events overwrite and others do not.
 *
 * A ring is watched through the descriptor of one of its events. When that event's task ends the
 * kernel reports only its end (POLLHUP), so another event's descriptor takes over; a ring that none
 * is left for has no source any more.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "capture/ring.h"

struct diag;
struct opened_event;
struct opened_events;

/*
 * The AUX area of a ring buffer: memory that hardware writes a trace into, beside the records.
 *
 * An area that is emptied as it fills is like a ring: the hardware stops before what was not
 * released. One for snapshots is overwritten; it is read while the event that writes it is
 * stopped. What the hardware wrote so far ends at aux_head of the control page. Some drivers count
 * all bytes there (CoreSight), others give the place in a snapshot area (Intel PT, Arm SPE): then
 * only the area itself can tell whether it was filled once, as it begins as zeros.
 */

struct control_page;
struct ring;

struct aux_area {
	uint8_t *base; /* NULL: there is none */
	size_t size;   /* a power of two */
	struct control_page *page;
	bool overwrites;
	bool counts_all; /* of a snapshot area: its head is no place, but counts all bytes */
	bool wrapped;    /* a snapshot has shown that it was filled once */
	uint64_t tail;   /* up to here it was taken */
	uint64_t head;   /* up to here it was read */
};

/* What was read: up to two pieces of the area. */
struct aux_span {
	uint64_t offset; /* of its first byte, for AUXTRACE */
	size_t size;
	struct iovec pieces[2];
};

/*
 * Maps the area of @r, whose event writes one: @size bytes, a power of two pages. -EOPNOTSUPP: the
 * event has no AUX area; -EPERM, -ENOMEM, -EINVAL, ...
 */
int aux_area_map(const struct ring *r, size_t size, bool overwrites, struct aux_area *ret);
void aux_area_unmap(struct aux_area *a);

/* How many bytes wait to be read; 0 for a snapshot area. */
size_t aux_area_pending(const struct aux_area *a);

/* What has come since the last release. Returns its size. Not for snapshot areas. */
size_t aux_area_read(struct aux_area *a, struct aux_span *ret);

/* Gives the space of what was read back to the hardware. */
void aux_area_release(struct aux_area *a);

/*
 * What a snapshot area holds that the last snapshot has not taken, at most the last @most bytes (0:
 * all). Its event must be stopped. Returns its size.
 */
size_t aux_area_snapshot(struct aux_area *a, size_t most, struct aux_span *ret);

struct record_ring {
	struct ring ring;
	struct aux_area aux; /* of its first event, if that writes one */
	pid_t tid;           /* whose trace it is; -1: of all tasks */
	int cpu;             /* -1: of a thread */
	size_t task;
	int *fds; /* of its events */
	size_t n, room;
	size_t n_aux;   /* of these, the first ones, write its AUX area */
	size_t watched; /* index in fds; n: no source is left */
};

struct record_rings {
	struct record_ring *items;
	size_t n, room;
};

/*
 * Maps rings of @bytes each (a power of two pages; 0: as large as is good, within what may be
 * locked) and lets all events write into them. -EPERM (more than this user may lock), -ENOMEM, ...
 * with @diag saying what to do. *@ret is to be released in any case.
 */
int record_rings_map(const struct opened_events *events, size_t bytes, struct record_rings *ret,
		     struct diag *diag);
void record_rings_unmap(struct record_rings *r);

/*
 * Maps AUX areas of @bytes each to the rings that the first of @events, which writes one, is the
 * first event of. @overwrites: for snapshots. Errors as above, and -EOPNOTSUPP.
 */
int record_rings_map_aux(struct record_rings *r, const struct opened_events *events, size_t bytes,
			 bool overwrites, struct diag *diag);

/* Starts or stops the first event of @r, which writes its AUX area, for all its tasks. */
void record_ring_switch_aux(const struct record_ring *r, bool on);

/* Which of the rings an open place of @e writes into. */
size_t record_rings_find(const struct record_rings *r, const struct opened_event *e, size_t place);

/* The descriptor to poll for @r, or -1 when no source is left. */
int record_ring_fd(const struct record_ring *r);

/* The watched event has ended: turns to the next that has not. */
void record_ring_next_source(struct record_ring *r);
