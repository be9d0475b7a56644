/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The distinct stacks of a profile with their weights, one after the other, for formats that sum
 * up: pprof, OTLP.
 */
#include <stddef.h>
#include <stdint.h>

#include "profile/code-table.h"
#include "profile/labels.h"
#include "profile/weight.h"

struct profile;
struct session_event;

/* Returns the events that have samples which count, in their order. The caller frees the list. */
const struct session_event **weighed_events(const struct profile *p, size_t *ret_n);

/* Returns the unit of the periods of @e: "nanoseconds" or "count". */
const char *weighed_unit(const struct session_event *e);

struct weighed_stack {
	size_t event;           /* its index in the list of weighed_events() */
	const uint32_t *places; /* numbers of locations, innermost first */
	size_t n_places;
	struct weight weight;
	const struct label_values *labels;
};

/* Calls @each for every stack. Locations are added to @code. */
void weighed_for_each(struct profile *p, unsigned labels, struct code_table *code,
		      void (*each)(void *arg, const struct weighed_stack *s), void *arg);
