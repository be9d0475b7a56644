/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * --switch-output-event: events that are not recorded, but begin another file when they happen, on
 * any CPU and by any task.
 */
#include <stdbool.h>

#include "capture/record-drain.h"
#include "capture/opened-events.h"
#include "capture/record-rings.h"

struct cpu_list;
struct diag;
struct event_list;

struct record_trigger {
	struct opened_events events;
	struct record_rings rings;
	struct record_drain drain; /* used only to watch them */
};

#define RECORD_TRIGGER_NONE                                                                        \
	{                                                                                          \
		.drain = RECORD_DRAIN_NONE                                                         \
	}

/* Opens @events, whose attrs are prepared for this, on @cpus. Errors of opening, with @diag set. */
int record_trigger_open(struct record_trigger *t, struct event_list *events,
			const struct cpu_list *cpus, struct diag *diag);
void record_trigger_close(struct record_trigger *t);

/* Returns the descriptor to poll. */
int record_trigger_fd(const struct record_trigger *t);

/* True if one of them has happened since the last call. */
bool record_trigger_take(struct record_trigger *t);
