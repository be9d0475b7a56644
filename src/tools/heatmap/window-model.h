/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map that scrolls: the last columns of an endless stream.
 *
 *	heat_window_init(&w, &options, now_ns);
 *	heat_window_add(&w, time, value);	as heat_add()
 *	heat_window_settle(&w, now_ns, &map, diag);
 *
 * There are at most two heats (tools/heatmap/heatmap-model.h). The younger one replaces the older
 * one when it is as long as the window. Memory is therefore that of two windows, and the rows are
 * chosen from the values of up to two windows.
 */
#include <stddef.h>
#include <stdint.h>

#include "tools/heatmap/heatmap-model.h"

struct heat_window {
	struct heat_options options; /* columns: those of the window; the step must be given */
	struct heat *older, *younger;
	uint64_t start_ns, younger_ns; /* the times at which they begin */
};

/* Initializes @w. The first column begins at @now_ns. */
void heat_window_init(struct heat_window *w, const struct heat_options *o, uint64_t now_ns);
void heat_window_done(struct heat_window *w);

/* Counts @value at @time_ns. A value older than the window is ignored. */
void heat_window_add(struct heat_window *w, uint64_t time_ns, uint64_t value);

/*
 * Makes the map of the last columns, which ends with the one before @now_ns. Totals are those of
 * the shown part. Returns -ENODATA with @diag if there was nothing; @ret is then untouched.
 */
int heat_window_settle(struct heat_window *w, uint64_t now_ns, struct heat_map *ret,
		       struct diag *diag);
