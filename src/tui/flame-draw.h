/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Draws flame bars: some lines that say what is selected, and the bars.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/screen.h"

struct browse_snapshot;
struct flame_excerpt;
struct flame_view;

/* All of it is borrowed. */
struct flame_drawing {
	struct flame_view *view;
	const struct browse_snapshot *snapshot; /* NULL: none came yet */
	size_t event;
	const struct flame_excerpt *part;
	bool callers; /* what was sampled is on top */
};

/* Draws into @a, and fits the view to it. Returns where the bars are. */
struct area flame_draw(const struct flame_drawing *d, struct screen *s, struct area a);
