/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The terms between an event's slashes that have the same meaning on every PMU: config=, name=,
 * period=, call-graph=, ... Those that a PMU defines in sysfs (event=, umask=) are not known here.
 */
#include "event/event.h"

struct event_term;

/*
 * Applies @term to @e. -ENOENT: there is no general term of that name; -EINVAL: its value is wrong,
 * or @use does not permit it. On -EINVAL @diag has a sentence; the caller marks the place (the
 * value's, or with *@ret_whole the whole term's).
 */
int term_apply(struct event *e, const struct event_term *term, enum event_use use, bool *ret_whole,
	       struct diag *diag);

/* True if it is a general term. */
bool term_is_general(const struct event_term *term);

/* Returns the names of the general terms, NULL after the last, for lists and suggestions. */
const char *term_name(size_t i);

/* Returns the value of @term as a number; a flag is 1. -EINVAL with a sentence in @diag. */
int term_number(const struct event_term *term, uint64_t *ret, struct diag *diag);
