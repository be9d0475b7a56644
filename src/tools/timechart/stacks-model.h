/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stacks of a time chart: a tree of functions, and the reason of a wait that the functions of a
 * stack reveal. A collector (profile/collector.h) places the stacks; they are named here.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/contexts.h"
#include "profile/wait-kind.h"

struct chart;
struct collector;
struct frames;
struct session_sample;

struct chart_stack_node {
	uint32_t parent; /* its caller; LANE_NONE: unknown */
	uint32_t name;   /* index in names */
};

struct chart_stacks {
	struct contexts placed; /* numbers for pairs of event and node in the collector's tally */
	/* Valid after chart_stacks_name(): */
	uint32_t *node_of;     /* by number: its innermost function; LANE_NONE: not used */
	enum wait_hint *hints; /* the hint for each number */
	struct {
		struct chart_stack_node *items;
		size_t n, room;
	} nodes;
	struct {
		const char **items;
		size_t n, room;
	} names;
	struct intern texts;
};

void chart_stacks_init(struct chart_stacks *s);
void chart_stacks_done(struct chart_stacks *s);

/*
 * Returns the number of the stack of @sample, which @collector (with one worker) places, or
 * LANE_NONE.
 */
uint32_t chart_stacks_place(struct chart_stacks *s, struct collector *collector,
			    const struct session_sample *sample);

/*
 * Names the stacks to which pieces of @c refer. It is called once, after the collector has settled.
 */
void chart_stacks_name(struct chart_stacks *s, const struct chart *c,
		       const struct collector *collector, const struct frames *frames);

/*
 * Sets the state CHART_IO_WAIT for blocked threads whose functions reveal a wait for I/O. Folded
 * pieces do not change.
 */
void chart_stacks_find_io(const struct chart_stacks *s, struct chart *c);
