/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is on the screen: a stack of panels, of which the topmost gets the keys.
 *
 * A panel is a struct of its own that begins with `struct panel`. Menus, prompts and messages are
 * panels that lie above others (popups). There is one loop, panels_run(): nobody else waits, so
 * that live data goes on behind an open menu.
 *
 * Keys are rows of a table. Help (h, ?, F1), which every panel has, lists the rows that apply, and
 * so cannot forget one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/screen.h"

struct panel;
struct panels;

/* What a key does to the panel: what follows. */
enum panel_next {
	PANEL_STAY,  /* it is drawn again */
	PANEL_CLOSE, /* the panel goes; with the last one, all ends */
	PANEL_QUIT,  /* all panels go */
	PANEL_PASS,  /* the key means nothing here */
};

struct key_binding {
	int keys[4];       /* any of these; 0 ends them early */
	const char *names; /* for help: "h/?/F1"; NULL: the row is not listed */
	const char *what;  /* "Annotate current symbol" */
	enum panel_next (*run)(struct panel *p);
	bool (*applies)(const struct panel *p); /* NULL: always */
	const char *heading;                    /* in help, this line stands above it; or NULL */
};

/* A row: { KEY(redraw, "CTRL+L", "Draw the screen again", 12), .applies = is_live }. */
#define KEY(run_, names_, what_, ...)                                                              \
	.keys = { __VA_ARGS__ }, .names = names_, .what = what_, .run = run_

struct panel_type {
	const char *name;               /* of the help's box: "Help" if NULL */
	const struct key_binding *keys; /* ends with a row without @run */
	/* Sees a key first, for lists, mice and text; PANEL_PASS: the table decides. Or NULL. */
	enum panel_next (*input)(struct panel *p, const struct screen_input *in);
	void (*draw)(struct panel *p, struct screen *s);
	/* What it watches (panels_watch()) is ready, or the time of panels_tick() is over; or NULL.
	 */
	void (*news)(struct panel *p);
	/* A panel above it was closed; or NULL. */
	void (*uncovered)(struct panel *p);
	void (*free)(struct panel *p);
	bool is_popup; /* what lies below is drawn too */
};

struct panel {
	const struct panel_type *type;
	struct panels *panels; /* once pushed */
	/* Private: */
	struct panel *below;
};

struct panels *panels_new(struct screen *s);
/* With all panels that are left. */
void panels_free(struct panels *p);
DEFINE_FREEP(panels)

struct screen *panels_screen(struct panels *p);

/* The one that gets the keys; NULL: none is left. */
struct panel *panels_top(struct panels *p);

/* Puts @panel, which belongs to @p from now on, on top. */
void panels_push(struct panels *p, struct panel *panel);

/* Takes @panel away, wherever it lies, and frees it. */
void panels_close(struct panel *panel);

/*
 * Runs until the last panel is closed. The signal that ended it, or 0. -EIO: the terminal went
 * away.
 */
int panels_run(struct panels *p);

/*
 * Calls news() of all panels whenever @fd is readable (they make it unreadable again), until
 * panels_unwatch(). A few descriptors only.
 */
void panels_watch(struct panels *p, int fd);
void panels_unwatch(struct panels *p, int fd);

/* The same every @ms; 0: no more. */
void panels_tick(struct panels *p, unsigned ms);

/*
 * The last line of the screen: what the keys of a panel do, or a short answer to the last one. Text
 * is copied; an answer stays until the next key.
 */
void panels_status(struct panels *p, const char *text);
void panels_answer(struct panels *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The screen without the last line: where panels draw. */
struct area panels_area(struct panels *p);

/* Keys that all panels have: help, redrawing, leaving. NULL-terminated like those of a panel. */
extern const struct key_binding panel_common_keys[];

/* Whether @b means something on @p now. */
bool key_binding_applies(const struct key_binding *b, const struct panel *p);
