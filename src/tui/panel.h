/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The contents of the screen: a stack of panels. The topmost panel gets the keys.
 *
 * A panel is a struct of its own that begins with `struct panel`. Menus, prompts and messages are
 * panels above others (popups). There is only one loop, panels_run(), in which the program waits,
 * so that live data continues behind an open menu.
 *
 * Keys are rows of a table. Help (h, ?, F1), which every panel has, lists the rows that apply, and
 * therefore cannot omit one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/screen.h"

struct panel;
struct panels;

/* The result of a key for the panel. */
enum panel_next {
	PANEL_STAY,  /* it is drawn again */
	PANEL_CLOSE, /* the panel is closed; after the last one, the loop ends */
	PANEL_QUIT,  /* all panels are closed */
	PANEL_PASS,  /* the key has no meaning here */
};

struct key_binding {
	int keys[4];       /* any of these keys; 0 ends the list early */
	const char *names; /* for help: "h/?/F1"; NULL: the row is not listed */
	const char *what;  /* "Annotate current symbol" */
	enum panel_next (*run)(struct panel *p);
	bool (*applies)(const struct panel *p); /* NULL: it always applies */
	const char *heading;                    /* a line above it in help; or NULL */
};

/* A row: { KEY(redraw, "CTRL+L", "Draw the screen again", 12), .applies = is_live }. */
#define KEY(run_, names_, what_, ...)                                                              \
	.keys = { __VA_ARGS__ }, .names = names_, .what = what_, .run = run_

struct panel_type {
	const char *name;               /* the title of the help's box; NULL: "Help" */
	const struct key_binding *keys; /* terminated by a row without @run */
	/* Gets a key first, for lists, mice and text. PANEL_PASS: the table decides. Or NULL. */
	enum panel_next (*input)(struct panel *p, const struct screen_input *in);
	void (*draw)(struct panel *p, struct screen *s);
	/*
	 * Called when a watched descriptor (panels_watch()) is ready, or when the time of
	 * panels_tick() is over; or NULL.
	 */
	void (*news)(struct panel *p);
	/* Called when a panel above it was closed; or NULL. */
	void (*uncovered)(struct panel *p);
	void (*free)(struct panel *p);
	bool is_popup; /* panels below it are drawn too */
};

struct panel {
	const struct panel_type *type;
	struct panels *panels; /* set when the panel is pushed */
	/* Private: */
	struct panel *below;
};

struct panels *panels_new(struct screen *s);
/* Frees @p with all remaining panels. */
void panels_free(struct panels *p);
DEFINE_FREEP(panels)

struct screen *panels_screen(struct panels *p);

/* Returns the panel that gets the keys; NULL: none is left. */
struct panel *panels_top(struct panels *p);

/* Pushes @panel, which @p now owns. */
void panels_push(struct panels *p, struct panel *panel);

/* Removes @panel, wherever it is in the stack, and frees it. */
void panels_close(struct panel *panel);

/*
 * Runs until the last panel is closed. Returns the signal that ended it, or 0. -EIO: the terminal
 * has gone.
 */
int panels_run(struct panels *p);

/*
 * Calls news() of all panels whenever @fd is readable (they make it unreadable again), until
 * panels_unwatch(). It supports only a few descriptors.
 */
void panels_watch(struct panels *p, int fd);
void panels_unwatch(struct panels *p, int fd);

/* Does the same every @ms; 0: stops it. */
void panels_tick(struct panels *p, unsigned ms);

/*
 * Set the last line of the screen: the effects of a panel's keys, or a short answer to the last
 * key. Text is copied; an answer stays until the next key.
 */
void panels_status(struct panels *p, const char *text);
void panels_answer(struct panels *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the screen without the last line: the area in which panels draw. */
struct area panels_area(struct panels *p);

/* Keys that all panels have: help, redrawing, leaving. NULL-terminated like those of a panel. */
extern const struct key_binding panel_common_keys[];

/* True if @b has a meaning on @p now. */
bool key_binding_applies(const struct key_binding *b, const struct panel *p);
