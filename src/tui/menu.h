/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small panels above others: a menu, an input line, a message, and a long text that scrolls.
 *
 * Answers are passed to a callback after the popup was closed. Text is copied.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/panel.h"

struct menu_item {
	const char *text;
	int key;         /* a key that chooses it at once; 0: none */
	bool is_heading; /* it cannot be chosen */
	size_t value;    /* passed to the callback */
};

struct menu {
	const char *title;
	const struct menu_item *items;
	size_t n;
	size_t first; /* the initial position of the cursor */
	/* Its result is applied to @owner. */
	enum panel_next (*chosen)(struct panel *owner, size_t value, void *arg);
	/* Called when the menu is closed without an answer; or NULL. */
	void (*given_up)(void *arg);
	void *arg;
	struct panel *owner; /* the asking panel; or NULL */
};
void menu_push(struct panels *p, const struct menu *m);

struct prompt {
	const char *title, *explanation; /* the explanation may have several lines, or be NULL */
	const char *text;                /* the initial text; or NULL */
	/* Called on Enter. @text is freed after the callback. */
	enum panel_next (*typed)(struct panel *owner, const char *text, void *arg);
	/* Called after each key, for search as you type; or NULL. */
	void (*changed)(struct panel *owner, const char *text, void *arg);
	/* Called on Escape; or NULL. */
	void (*given_up)(struct panel *owner, void *arg);
	void *arg;
	struct panel *owner;
};
void prompt_push(struct panels *p, const struct prompt *pr);

/* Shows a box with some lines, until a key is pressed. */
void message_push(struct panels *p, const char *title, const char *text);

/* Asks a question to be answered with y or n. */
void question_push(struct panels *p, struct panel *owner, const char *text,
		   enum panel_next (*yes)(struct panel *owner, void *arg), void *arg);

/*
 * Shows a panel full of text, which scrolls in both directions and can be searched (/ n). The text
 * is copied.
 */
void text_panel_push(struct panels *p, const char *title, const char *text);

/* Common parts of menus, prompts and messages. Private to them. */

/*
 * Draws an empty box in the middle of the screen with space for @height rows of @width, or for as
 * many as there are, and returns the area within.
 */
struct area popup_box(struct panels *p, int width, int height, const char *title);

/* True if a key closes a popup without an answer. */
bool popup_is_closed_by(const struct screen_input *in);

/* Applies the result of the callback to @owner. The popup is closed already. */
enum panel_next popup_answered(struct panels *p, struct panel *owner, enum panel_next next);
