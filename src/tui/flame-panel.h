/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call tree of an event as bars: the outermost functions on top, and below each the functions
 * that it calls, as wide as their share. Or the other way round: what was sampled on top, and below
 * it who called that.
 *
 * It is made of the snapshots that the report shows, and follows them: what is zoomed into and
 * selected stays, by its names.
 */
#include <stddef.h>

#include "profile/flame-excerpt.h"
#include "tui/panel.h"

struct browse;
struct flame_box;
struct snapshot_flame_request;

/* What keys of the panel ask of others. Each may be NULL: there is no such key. */
struct flame_panel_hooks {
	void *arg;
	/* Shows the code of the function; false: it has none. */
	bool (*annotate)(void *arg, const struct flame_box *box);
	/* Asks for samples of this function alone; they come as snapshots. */
	void (*filter)(void *arg, const struct flame_box *box);
	/* Writes what is seen into a file: the boxes of @rq that stand on @path. */
	void (*save)(void *arg, struct panel *panel, const struct snapshot_flame_request *rq,
		     const char *const *path, size_t n_path);
};

struct flame_panel_options {
	struct browse *browse;
	size_t event;                   /* of the session's events */
	struct flame_excerpt part;      /* only what stands on this; texts are copied */
	struct flame_panel_hooks hooks; /* copied; what it points to outlives the panel */
};

void flame_panel_push(struct panels *p, const struct flame_panel_options *o);
