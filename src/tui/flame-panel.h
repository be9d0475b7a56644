/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call tree of an event as bars: the outermost functions on top, and below each the functions
 * that it calls, with widths according to their shares. Or the other way round: the sampled
 * functions on top, and their callers below.
 *
 * It is made from the snapshots that the report shows, and follows them: zoom and selection are
 * kept by name.
 */
#include <stddef.h>

#include "profile/flame-excerpt.h"
#include "tui/panel.h"

struct browse;
struct flame_box;
struct snapshot_flame_request;

/* The operations that keys of the panel need. Each may be NULL: its key does not exist. */
struct flame_panel_hooks {
	void *arg;
	/* Shows the code of the function. False: it has none. */
	bool (*annotate)(void *arg, const struct flame_box *box);
	/* Requests samples of only this function; they come as snapshots. */
	void (*filter)(void *arg, const struct flame_box *box);
	/* Writes the visible part to a file: the boxes of @rq above @path. */
	void (*save)(void *arg, struct panel *panel, const struct snapshot_flame_request *rq,
		     const char *const *path, size_t n_path);
};

struct flame_panel_options {
	struct browse *browse;
	size_t event;                   /* among the session's events */
	struct flame_excerpt part;      /* only boxes above this one; texts are copied */
	struct flame_panel_hooks hooks; /* copied; its pointers outlive the panel */
};

void flame_panel_push(struct panels *p, const struct flame_panel_options *o);
