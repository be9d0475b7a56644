/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * CoreSight packets as text, from any number of ranges of a trace.
 *
 * Decoders are kept from one range to the next. Their cost is taken from a budget, because a
 * recording may have traces of many units, and units whose ids change again and again. `struct
 * cs_packets p = { 0 };` has none; it must not move while it has some. One thread at a time
 * (hwtrace/cs-tree.h).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/u64-map.h"
#include "hwtrace/cs-info.h"

struct cs_packets {
	struct cs_info info;  /* copied */
	struct u64_map trees; /* struct packet_tree by CPU, or one for all units together */
	struct budget memory;
	bool is_begun;
	/* The receiver of the packets of the current range. */
	void (*line)(void *arg, const char *line);
	void *arg;
};

struct cs_stretch {
	bool is_raw;  /* from the trace unit of @cpu alone, not formatted */
	uint32_t cpu; /* valid if @is_raw */
	uint64_t index;
	const uint8_t *bytes;
	size_t n;
};

/* Sets the units that exist from now on. */
void cs_packets_set_units(struct cs_packets *p, const struct cs_info *info);
void cs_packets_done(struct cs_packets *p);

/*
 * Passes the packets of @s to @line. -ENOENT: there is no such unit, or the library is missing or
 * does not support it; -ENOMEM: decoders would take too much memory.
 */
int cs_packets_print(struct cs_packets *p, const struct cs_stretch *s,
		     void (*line)(void *arg, const char *line), void *arg);
