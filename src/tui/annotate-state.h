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

/* A function from which another one was reached. */
struct annotate_visit {
	struct code_listing *code;
	size_t line; /* the line with the cursor */
};

struct annotate_panel {
	struct panel panel;
	struct code_functions *functions;
	const struct code_samples *samples; /* the newest ones; NULL: none yet */
	struct code_listing *code;          /* the shown listing; NULL: not made yet */
	bool waits;                         /* a listing was requested */
	bool goes_in;                       /* the user can go back from it to the current one */

	/* The function to show first; see struct annotate_panel_options. */
	char *image, *symbol;
	uint64_t start;
	bool only_function;
	void (*save)(void *arg, struct panel *panel);
	void *save_arg;

	struct annotate_view view, *kept; /* see there */
	struct line_text text;            /* the text of @code, if that has a listing */
	struct annotate_rows rows;
	struct annotate_hottest hottest;
	struct list list;
	struct annotate_jump jump; /* the jump of the line with the cursor, set when drawing */
	bool centres;              /* drawing moves the cursor to the middle */

	struct {
		struct annotate_visit *items;
		size_t n, room;
	} back;

	char *part; /* the searched text; or NULL */
	int search_step;
	struct diag failure;
	bool has_failed;
};

extern const struct key_binding annotate_keys[];

static inline struct annotate_panel *annotate_panel_of(struct panel *p)
{
	return (struct annotate_panel *)p;
}

/* True if there are lines to show. */
bool annotate_has_lines(const struct annotate_panel *a);

/* Returns the line with the cursor, if it is an instruction, or NULL. */
const struct listing_line *annotate_current(const struct annotate_panel *a);

/* Makes the rows again after the view has changed, with the cursor on the same line. */
void annotate_lay_out(struct annotate_panel *a);

/* Puts the cursor on @line, which moves to the middle of the screen if it was not visible. */
void annotate_go_to(struct annotate_panel *a, size_t line);

/* Requests the code of @sym. @goes_in: the user can go back to the current function. */
void annotate_ask(struct annotate_panel *a, struct image *im, const struct symbol *sym,
		  bool goes_in);

/* Goes back to the place from which the function was reached. False: there is none. */
bool annotate_go_back(struct annotate_panel *a);

/* Goes to the target of the instruction with the cursor. */
enum panel_next annotate_follow(struct annotate_panel *a);

/* Writes the contents of the panel to a file, and reports it. */
void annotate_print(struct annotate_panel *a);

/* Returns the first of the columns in which jumps are drawn. */
#define ANNOTATE_ARROW_WIDTH 3
int annotate_arrow_column(const struct annotate_panel *a);

void annotate_draw(struct panel *p, struct screen *s);
