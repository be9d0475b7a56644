/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples between two events: --switch-on and --switch-off.
 *
 * The state of one pass over the samples, which must be given in order.
 */
#include <stdbool.h>

struct diag;
struct session;
struct session_event;

struct event_switch {
	const struct session_event *on, *off; /* NULL: no event switches it */
	bool is_off;                          /* waiting for @on, or off for good */
	bool shows;                           /* the switching events count themselves */
};

/*
 * Finds the events with the names @on and @off, either of which may be NULL. -EINVAL with @diag:
 * there is no such event.
 */
int event_switch_init(struct event_switch *w, const struct session *s, const char *on,
		      const char *off, struct diag *diag);

/* True if a sample of @e is left out. The sample may turn the switch on or off. */
bool event_switch_leaves_out(struct event_switch *w, const struct session_event *e);
