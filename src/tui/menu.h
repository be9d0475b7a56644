/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small panels above others: a menu, a line to be typed, a message, and a long text to scroll in.
 *
 * Answers come to a callback, after the popup is gone. Text is copied.
 */
#include <stdbool.h>
#include <stddef.h>

#include "tui/panel.h"

struct menu_item {
	const char *text;
	int key;         /* chooses it at once; 0: none */
	bool is_heading; /* it cannot be chosen */
	size_t value;    /* for the callback */
};

struct menu {
	const char *title;
	const struct menu_item *items;
	size_t n;
	size_t first; /* where the cursor is at the beginning */
	/* What it returns is done to @owner. */
	enum panel_next (*chosen)(struct panel *owner, size_t value, void *arg);
	/* The menu goes without an answer; or NULL. */
	void (*given_up)(void *arg);
	void *arg;
	struct panel *owner; /* who asks; or NULL */
};
void menu_push(struct panels *p, const struct menu *m);

struct prompt {
	const char *title, *explanation; /* the latter may have several lines, or be NULL */
	const char *text;                /* to begin with; or NULL */
	/* Enter. @text dies with the callback. */
	enum panel_next (*typed)(struct panel *owner, const char *text, void *arg);
	/* After each key, for search as you type; or NULL. */
	void (*changed)(struct panel *owner, const char *text, void *arg);
	/* Escape; or NULL. */
	void (*given_up)(struct panel *owner, void *arg);
	void *arg;
	struct panel *owner;
};
void prompt_push(struct panels *p, const struct prompt *pr);

/* A box with some lines, until a key is pressed. */
void message_push(struct panels *p, const char *title, const char *text);

/* A question to be answered with y or n. */
void question_push(struct panels *p, struct panel *owner, const char *text,
		   enum panel_next (*yes)(struct panel *owner, void *arg), void *arg);

/* A panel full of text: scrolls both ways, is searched (/ n), and its text is copied. */
void text_panel_push(struct panels *p, const char *title, const char *text);

/*
 * What menus, prompts and messages have in common. Private to them.
 */

/*
 * Draws an empty box in the middle of the screen with room for @height rows of @width, or as many
 * as there are, and returns the area within.
 */
struct area popup_box(struct panels *p, int width, int height, const char *title);

/* Whether a key takes a popup away without an answer. */
bool popup_is_closed_by(const struct screen_input *in);

/* Does to @owner what its callback answered with; the popup is gone already. */
enum panel_next popup_answered(struct panels *p, struct panel *owner, enum panel_next next);
