/* SPDX-License-Identifier: MIT */
#include "view/report/table.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/levels.h"
#include "view/report/title.h"
#include "view/report/tree.h"

static void print_heads(struct report_pen *p, const struct cells *c)
{
	text_add(&p->out, "# ");
	report_cells_print_titles(p, c);
	text_add_char(&p->out, '\n');
	if (p->view->separator)
		return;
	text_add(&p->out, "# ");
	report_cells_print_dots(p, c);
	text_add(&p->out, "\n#\n");
}

/* Rows are printed in pieces of so many, and so many pieces at a time. */
#define PIECE_ROWS   16
#define ROUND_PIECES 256

static void pen_init(struct report_pen *p, FILE *out, const struct report_view *v,
		     const struct report_block *b)
{
	*p = (struct report_pen){
		.view = v,
		.group = b->group,
		.tree = b->tree ? report_tree_new(b->tree, b->group->members[0]) : NULL,
		.file = out,
		.out = TEXT_EMPTY,
		.cell = TEXT_EMPTY,
		.escaped = TEXT_EMPTY,
	};
}

static void pen_done(struct report_pen *p)
{
	report_tree_free(p->tree);
	report_pen_done(p);
}

static void print_row(struct report_pen *p, const struct cells *c, const struct report_entry *e)
{
	if (report_entry_percent(p, e) < p->view->percent_limit)
		return;
	text_add(&p->out, p->view->separator ? "" : "  ");
	report_cells_print(p, c, e, false);
	text_add_char(&p->out, '\n');
	report_entry_print_tree(p, e);
}

/* The rows of a block, shared out among threads: each has a pen, and each piece its text. */
struct printing {
	const struct report_group *group;
	const struct cells *cells;
	struct report_pen *pens;
	struct text *texts;
	size_t first; /* row of the round */
};

static void print_piece(void *arg, size_t piece, unsigned worker)
{
	struct printing *pr = arg;
	struct report_pen *p = &pr->pens[worker];
	size_t from = pr->first + piece * PIECE_ROWS, to = from + PIECE_ROWS;
	struct text own = p->out;

	p->out = pr->texts[piece];
	for (size_t i = from; i < to && i < pr->group->n; i++)
		print_row(p, pr->cells, &pr->group->entries[i]);
	pr->texts[piece] = p->out;
	p->out = own;
}

static int print_round(struct printing *pr, struct workers *w, struct report_pen *p)
{
	size_t left = pr->group->n - pr->first;
	size_t pieces = (left + PIECE_ROWS - 1) / PIECE_ROWS;
	int r = 0;

	pieces = pieces < ROUND_PIECES ? pieces : ROUND_PIECES;
	workers_run(w, pieces, print_piece, pr);
	for (size_t i = 0; i < pieces; i++) {
		text_add_bytes(&p->out, pr->texts[i].chars, pr->texts[i].length);
		text_clear(&pr->texts[i]);
		if (r >= 0)
			r = report_pen_flush(p, false);
	}
	pr->first += pieces * PIECE_ROWS;
	return r;
}

/* @p is where it all comes together. */
static int print_shared(struct report_pen *p, const struct report_block *b, const struct cells *c)
{
	struct workers *w = p->view->workers;
	unsigned n = workers_count(w);
	_cleanup_(freep) struct report_pen *pens = xcalloc(n, sizeof(*pens));
	_cleanup_(freep) struct text *texts = xcalloc(ROUND_PIECES, sizeof(*texts));
	struct printing pr = { .group = p->group, .cells = c, .pens = pens, .texts = texts };
	int r = 0;

	for (size_t i = 0; i < ROUND_PIECES; i++)
		texts[i] = (struct text)TEXT_EMPTY;
	for (unsigned i = 0; i < n; i++)
		pen_init(&pens[i], p->file, p->view, b);
	while (r >= 0 && pr.first < pr.group->n)
		r = print_round(&pr, w, p);
	for (unsigned i = 0; i < n; i++)
		pen_done(&pens[i]);
	for (size_t i = 0; i < ROUND_PIECES; i++)
		text_done(&texts[i]);
	return r;
}

static int print_rows(struct report_pen *p, const struct report_block *b)
{
	const struct report_group *g = p->group;
	_cleanup_(report_cells_done) struct cells c = { 0 };
	int r = 0;

	report_cells_make(p, &p->view->plan->columns, p->view->widths, &c);
	for (size_t i = 0; i < g->n; i++)
		report_cells_fit(p, &c, &g->entries[i]);
	if (!p->view->quiet)
		print_heads(p, &c);
	if (p->view->workers && workers_count(p->view->workers) > 1 && g->n > PIECE_ROWS)
		return print_shared(p, b, &c);
	for (size_t i = 0; i < g->n && r >= 0; i++) {
		print_row(p, &c, &g->entries[i]);
		r = report_pen_flush(p, false);
	}
	return r;
}

static int print_block(FILE *out, const struct report_view *v, const struct report_block *b)
{
	_cleanup_(pen_done) struct report_pen p;
	int r;

	pen_init(&p, out, v, b);
	if (!v->quiet)
		report_title_print(b->title, out);
	r = v->plan->levels ? report_levels_print(&p) : print_rows(&p, b);
	if (r < 0)
		return r;
	text_add(&p.out, "\n\n");
	return report_pen_flush(&p, true);
}

int report_print(FILE *out, const struct report_view *v)
{
	int r = 0;

	for (size_t i = 0; i < v->n_blocks && r >= 0; i++)
		r = print_block(out, v, &v->blocks[i]);
	return r;
}
