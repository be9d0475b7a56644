/* SPDX-License-Identifier: MIT */
#pragma once
/* Draws flame bars: some lines about the selection, and the bars. */
#include <stdbool.h>
#include <stddef.h>

#include "tui/screen.h"

struct browse_snapshot;
struct flame_excerpt;
struct flame_view;

/* The parts of a drawing. All of it is borrowed. */
struct flame_drawing {
	struct flame_view *view;
	const struct browse_snapshot *snapshot; /* NULL: none came yet */
	size_t event;
	const struct flame_excerpt *part;
	bool callers; /* the sampled functions are on top */
};

/* Draws into @a, and fits the view to it. Returns the area of the bars. */
struct area flame_draw(const struct flame_drawing *d, struct screen *s, struct area a);
