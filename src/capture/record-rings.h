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
#include <sys/types.h>

#include "capture/aux-area.h"
#include "capture/ring.h"

struct diag;
struct opened_event;
struct opened_events;

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
