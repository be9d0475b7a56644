/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What menus, prompts and messages have in common. Private to them.
 */
#include <stdbool.h>

#include "tui/panel.h"

/*
 * Draws an empty box in the middle of the screen with room for @height rows of @width, or as many
 * as there are, and returns the area within.
 */
struct area popup_box(struct panels *p, int width, int height, const char *title);

/* Whether a key takes a popup away without an answer. */
bool popup_is_closed_by(const struct screen_input *in);

/* Does to @owner what its callback answered with; the popup is gone already. */
enum panel_next popup_answered(struct panels *p, struct panel *owner, enum panel_next next);
