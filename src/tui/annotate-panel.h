/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The browser of code: a function with the samples of its instructions, from which one goes where
 * jumps and calls lead.
 */
#include <stdbool.h>
#include <stdint.h>

#include "view/annotate/annotate.h"

struct code_functions;
struct panel;
struct panels;

struct annotate_panel_options {
	/* Where functions come from; it belongs to the panel from now on. */
	struct code_functions *functions;

	/*
	 * The function: its name, that of its image (image_long_name()) and where it starts, as any
	 * session of the same data knows it. Without an image, the first that is called so; without
	 * a name too, the one with the most samples.
	 */
	const char *image, *symbol;
	uint64_t start;

	/*
	 * How it looks at first: figure, base, layout and raw. What keys have changed of it is here
	 * when the panel is gone, so that the next one looks the same; it outlives the panel.
	 */
	struct annotate_view *view;

	/* x: the menu that exports what the browser shows, above @panel; NULL: there is none. */
	void (*save)(void *arg, struct panel *panel);
	void *arg;

	bool only_function; /* the title tells of this function's samples, not of all */
};

/* Puts the function on top of @p. Texts are copied. */
void annotate_panel_push(struct panels *p, const struct annotate_panel_options *o);
