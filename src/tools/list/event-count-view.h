/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts one event or metric on all CPUs while the user looks at it.
 *
 * No function blocks: event_count_look() reads what was counted since the previous call.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct catalog_entry;
struct diag;
struct event_count;
struct screen;
struct text;

/* The number of previous readings that are kept. */
#define EVENT_COUNT_LOOKS 24

/*
 * Begins to count. Returns a negative errno with @diag: the reason why it cannot be counted, and
 * advice.
 */
int event_count_new(const struct catalog_entry *e, const char *buildid_dir,
		    struct event_count **ret, struct diag *diag);
void event_count_free(struct event_count *c);
DEFINE_FREEP(event_count)

const struct catalog_entry *event_count_entry(const struct event_count *c);

/* Reads the counts. Errors as above; the counter can then no longer be used. */
int event_count_look(struct event_count *c, struct diag *diag);

/* Appends "1,234/s, 5,678 in 4.6 s" and the history of the rate as bars. */
void event_count_describe(const struct event_count *c, const struct screen *s, struct text *t);
