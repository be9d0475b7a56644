/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One event or metric that is counted on all CPUs while it is looked at.
 *
 * Nothing waits: event_count_look() reads what was counted since the look before.
 */
#include <stddef.h>

#include "base/cleanup.h"

struct catalog_entry;
struct diag;
struct event_count;
struct screen;
struct text;

/* So many last looks are kept. */
#define EVENT_COUNT_LOOKS 24

/* Begins. A negative errno with @diag: why it cannot be counted, and what to do. */
int event_count_new(const struct catalog_entry *e, const char *buildid_dir,
		    struct event_count **ret, struct diag *diag);
void event_count_free(struct event_count *c);
DEFINE_FREEP(event_count)

const struct catalog_entry *event_count_entry(const struct event_count *c);

/* Errors as above: it is of no more use then. */
int event_count_look(struct event_count *c, struct diag *diag);

/* Appends "1,234/s, 5,678 in 4.6 s" and the course of the rate as bars. */
void event_count_describe(const struct event_count *c, const struct screen *s, struct text *t);
