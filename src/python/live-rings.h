/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Ring buffers of events that a Python program opened: one for each CPU, or one for each thread if
 * events follow threads on any CPU. Records are taken one at a time.
 */
#include <stddef.h>
#include <stdint.h>

#include "capture/ring.h"
#include "python/live-event.h"

struct diag;

struct live_ring {
	struct ring ring;
	int cpu; /* -1: a thread's ring, on any CPU */
};

struct live_rings {
	struct live_ring *items;
	size_t n, room;
};

/*
 * Maps rings of @pages pages, a power of two, for @events, which are open at the same CPUs and
 * threads. Returns a negative errno with @diag.
 */
int live_rings_map(struct live_rings *r, struct live_event *const *events, size_t n, size_t pages,
		   struct diag *diag);
void live_rings_done(struct live_rings *r);

/*
 * Takes the next record of CPU @cpu into @record, which has space for 64 KiB. Returns its size, or
 * 0 if there is none; -ENOENT: there is no ring for that CPU.
 */
int live_rings_take(struct live_rings *r, int cpu, uint8_t *record);
