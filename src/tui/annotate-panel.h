/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The browser of code: a function with the samples of its instructions, from which the user can
 * follow jumps and calls.
 */
#include <stdbool.h>
#include <stdint.h>

#include "view/annotate/annotate.h"

struct code_functions;
struct panel;
struct panels;

struct annotate_panel_options {
	/* The source of functions, which belongs to the panel from now on. */
	struct code_functions *functions;

	/*
	 * The function: its name, that of its image (image_long_name()) and its start, as any
	 * session of the same data knows them. Without an image, the first function with the name;
	 * also without a name, the one with the most samples.
	 */
	const char *image, *symbol;
	uint64_t start;

	/*
	 * The initial view: figure, base, layout and raw. When the panel is closed, it contains the
	 * changes made by keys, so that the next panel looks the same. It outlives the panel.
	 */
	struct annotate_view *view;

	/*
	 * x: opens the menu that exports the contents of the browser, above @panel; NULL: there is
	 * none.
	 */
	void (*save)(void *arg, struct panel *panel);
	void *arg;

	bool only_function; /* the title only counts this function's samples */
};

/* Pushes a panel with the function onto @p. Texts are copied. */
void annotate_panel_push(struct panels *p, const struct annotate_panel_options *o);
