/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The state of the browser of code. Private to src/tui/annotate-*.c.
 */
#include "base/diag.h"
#include "profile/code-functions.h"
#include "tui/annotate-rows.h"
#include "tui/list.h"
#include "tui/panel.h"
#include "view/annotate/annotate.h"
#include "view/annotate/line-text.h"

/* A function that another one was reached from. */
struct annotate_visit {
	struct code_listing *code;
	size_t line; /* with the cursor */
};

struct annotate_panel {
	struct panel panel;
	struct code_functions *functions;
	const struct code_samples *samples; /* the newest; NULL: none came yet */
	struct code_listing *code;          /* what is shown; NULL: it is not made yet */
	bool waits;                         /* a listing was asked for */
	bool goes_in;                       /* it comes on top of what is shown, to be gone back */

	/* What is wanted first; see struct annotate_panel_options. */
	char *image, *symbol;
	uint64_t start;
	bool only_function;
	void (*save)(void *arg, struct panel *panel);
	void *save_arg;

	struct annotate_view view, *kept; /* see there */
	struct line_text text;            /* of @code, if that has a listing */
	struct annotate_rows rows;
	struct annotate_hottest hottest;
	struct list list;
	struct annotate_jump jump; /* of the line with the cursor, when it is drawn */
	bool centres;              /* the cursor goes to the middle when it is drawn */

	struct {
		struct annotate_visit *items;
		size_t n, room;
	} back;

	char *part; /* that is searched for; or NULL */
	int search_step;
	struct diag failure;
	bool has_failed;
};

extern const struct key_binding annotate_keys[];

static inline struct annotate_panel *annotate_panel_of(struct panel *p)
{
	return (struct annotate_panel *)p;
}

/* Whether there are lines to be shown. */
bool annotate_has_lines(const struct annotate_panel *a);

/* The line with the cursor, if it is an instruction; or NULL. */
const struct listing_line *annotate_current(const struct annotate_panel *a);

/* After the view has changed: makes the rows anew, with the cursor on the same line. */
void annotate_lay_out(struct annotate_panel *a);

/* Puts the cursor on @line, in the middle of the screen if it was out of sight. */
void annotate_go_to(struct annotate_panel *a, size_t line);

/* Asks for the code of @sym; @goes_in: one can go back to what is shown now. */
void annotate_ask(struct annotate_panel *a, struct image *im, const struct symbol *sym,
		  bool goes_in);

/* Goes back to where the function was reached from. False: it was not. */
bool annotate_go_back(struct annotate_panel *a);

/* Where the instruction with the cursor leads. */
enum panel_next annotate_follow(struct annotate_panel *a);

/* Writes what is shown to a file, and says so. */
void annotate_print(struct annotate_panel *a);

/* The first of the columns that jumps are drawn in. */
#define ANNOTATE_ARROW_WIDTH 3
int annotate_arrow_column(const struct annotate_panel *a);

void annotate_draw(struct panel *p, struct screen *s);
