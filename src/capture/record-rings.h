/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The ring buffers of a recording: one for each CPU, or for each thread with --per-thread, shared
 * by all events of that place. There is a second one where some events overwrite and others do not.
 *
 * A ring is watched through the descriptor of one of its events. When that event's task ends, the
 * kernel reports only its end (POLLHUP), so another event's descriptor takes over; if none is left,
 * the ring has no source any more.
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
 * The AUX area of a ring buffer: memory into which hardware writes a trace, beside the records.
 *
 * An area that is emptied as it fills works like a ring: the hardware stops before data that was
 * not released. An area for snapshots is overwritten; it is read while the event that writes it is
 * stopped. The data written so far ends at aux_head of the control page. Some drivers count all
 * bytes there (CoreSight), others give the position in a snapshot area (Intel PT, Arm SPE). In the
 * second case only the contents of the area, which begins as zeros, show whether it was filled
 * once.
 */

struct control_page;
struct ring;

struct aux_area {
	uint8_t *base; /* NULL: there is no area */
	size_t size;   /* a power of two */
	struct control_page *page;
	bool overwrites;
	bool counts_all; /* snapshot area: its head counts all bytes and is not a position */
	bool wrapped;    /* a snapshot has shown that the area was filled once */
	uint64_t tail;   /* released up to here */
	uint64_t head;   /* read up to here */
};

/* The data that was read: up to two pieces of the area. */
struct aux_span {
	uint64_t offset; /* offset of its first byte, for AUXTRACE */
	size_t size;
	struct iovec pieces[2];
};

/*
 * Maps the area of @r, whose event writes one: @size bytes, a power of two pages. -EOPNOTSUPP: the
 * event has no AUX area; -EPERM, -ENOMEM, -EINVAL, ...
 */
int aux_area_map(const struct ring *r, size_t size, bool overwrites, struct aux_area *ret);
void aux_area_unmap(struct aux_area *a);

/* Returns the number of bytes that wait to be read; 0 for a snapshot area. */
size_t aux_area_pending(const struct aux_area *a);

/*
 * Reads the data that has come since the last release, and returns its size. Not for snapshot
 * areas.
 */
size_t aux_area_read(struct aux_area *a, struct aux_span *ret);

/* Gives the space of the data that was read back to the hardware. */
void aux_area_release(struct aux_area *a);

/*
 * Reads the contents of a snapshot area that the last snapshot did not read, at most the last @most
 * bytes (0: all), and returns their size. The event must be stopped.
 */
size_t aux_area_snapshot(struct aux_area *a, size_t most, struct aux_span *ret);

struct record_ring {
	struct ring ring;
	struct aux_area aux; /* area of its first event, if that event writes one */
	pid_t tid;           /* task whose trace it is; -1: all tasks */
	int cpu;             /* -1: the ring of a thread */
	size_t task;
	int *fds; /* descriptors of its events */
	size_t n, room;
	size_t n_aux;   /* the first of them, which write its AUX area */
	size_t watched; /* index in fds; n: no source is left */
};

struct record_rings {
	struct record_ring *items;
	size_t n, room;
};

/*
 * Maps rings of @bytes each (a power of two pages; 0: the best size within the limit on locked
 * memory) and makes all events write into them. -EPERM (more than this user may lock), -ENOMEM, ...
 * with @diag explaining what to do. *@ret is to be released in any case.
 */
int record_rings_map(const struct opened_events *events, size_t bytes, struct record_rings *ret,
		     struct diag *diag);
void record_rings_unmap(struct record_rings *r);

/*
 * Maps AUX areas of @bytes each to the rings whose first event is the first of @events, which
 * writes an area. @overwrites: for snapshots. Errors as above, and -EOPNOTSUPP.
 */
int record_rings_map_aux(struct record_rings *r, const struct opened_events *events, size_t bytes,
			 bool overwrites, struct diag *diag);

/* Starts or stops the first event of @r, which writes its AUX area, for all its tasks. */
void record_ring_switch_aux(const struct record_ring *r, bool on);

/* Returns the ring into which an open place of @e writes. */
size_t record_rings_find(const struct record_rings *r, const struct opened_event *e, size_t place);

/* Returns the descriptor to poll for @r, or -1 when no source is left. */
int record_ring_fd(const struct record_ring *r);

/* Switches to the next event that has not ended, after the watched one has. */
void record_ring_next_source(struct record_ring *r);
