/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records that are no samples, as lines of `perf script`. Private to tools/script/script-view*.
 */
#include <stdbool.h>

struct delivered;
struct script_event;
struct script_writer;

/* The SCRIPT_SHOW_* of which one must be asked for, for records of @type to be shown; 0: never. */
unsigned script_shows(unsigned type);

/*
 * Takes @d in and, if it is @shown, writes its line, laid out as @e says. A damaged record gives
 * none.
 */
void script_record(struct script_writer *p, const struct script_event *e, const struct delivered *d,
		   bool shown);
