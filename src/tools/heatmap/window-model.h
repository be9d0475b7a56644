/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A heat map that scrolls: the last columns of what goes on for ever.
 *
 *	heat_window_init(&w, &options, now_ns);
 *	heat_window_add(&w, time, value);	as heat_add()
 *	heat_window_settle(&w, now_ns, &map, diag);
 *
 * There are two heats (tools/heatmap/heatmap-model.h) at most, and the younger one takes the place
 *of the older one when it is as long as the window. So memory is that of two windows, and the
 *values of up to two windows choose the rows.
 */
#include <stddef.h>
#include <stdint.h>

#include "tools/heatmap/heatmap-model.h"

struct heat_window {
	struct heat_options options; /* its columns are those of the window, its step is given */
	struct heat *older, *younger;
	uint64_t start_ns, younger_ns; /* where they begin */
};

/* The first column begins at @now_ns. */
void heat_window_init(struct heat_window *w, const struct heat_options *o, uint64_t now_ns);
void heat_window_done(struct heat_window *w);

/* Counts @value at @time_ns; what is older than the window is passed over. */
void heat_window_add(struct heat_window *w, uint64_t time_ns, uint64_t value);

/*
 * The map of the last columns, the one before @now_ns at the end. Totals are those of what it
 * shows. -ENODATA with @diag: there was nothing; then @ret is untouched.
 */
int heat_window_settle(struct heat_window *w, uint64_t now_ns, struct heat_map *ret,
		       struct diag *diag);
