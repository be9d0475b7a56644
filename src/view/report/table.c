/* SPDX-License-Identifier: MIT */
#include "view/report/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/report-group.h"
#include "profile/report-plan.h"
#include "view/report/cells.h"
#include "view/report/levels.h"
#include "view/report/title.h"
#include "view/report/tree.h"
#include "view/text-flush.h"

/* The number of rows in a piece, and the number of pieces that are printed at a time. */
#define PIECE_ROWS   16
#define ROUND_PIECES 256

/* The number of rows that are examined at a time for the widths of columns. */
#define FIT_ROWS 512

/* The data that a thread needs to print rows. */
struct row_printer {
	struct report_tree *tree; /* for the first event; NULL: no call trees */
	struct table_scratch scratch;
};

static void row_printer_init(struct row_printer *p, const struct report_block *b)
{
	*p = (struct row_printer){
		.tree = b->tree ? report_tree_new(b->tree, b->group->members[0]) : NULL,
		.scratch = TABLE_SCRATCH,
	};
}

static void row_printer_done(struct row_printer *p)
{
	report_tree_free(p->tree);
	table_scratch_done(&p->scratch);
}

static bool report_table_has_samples(const struct report_view *v, const struct report_entry *e)
{
	return !v->min_samples || (e->members[0] && e->members[0]->total.samples >= v->min_samples);
}

/* Returns the index after the last printed entry. */
static size_t report_table_end_of(const struct report_cells *c)
{
	const struct report_group *g = c->group;
	size_t left = c->view->max_rows, i = 0;

	if (!left)
		return g->n;
	for (; i < g->n && left; i++)
		left -= report_entry_is_shown(g, &g->entries[i]) &&
			report_table_has_samples(c->view, &g->entries[i]);
	return i;
}

static void report_table_print_row(struct row_printer *p, const struct report_cells *c,
				   const struct report_entry *e, struct text *out)
{
	if (!report_entry_is_shown(c->group, e) || !report_table_has_samples(c->view, e))
		return;
	table_add_row(&c->table, e, &p->scratch, out);
	report_tree_print(p->tree, e->members[0], out);
}

/* The rows of a block, divided among threads. Each piece has its own text. */
struct report_table_printing {
	const struct report_group *group;
	const struct report_cells *cells;
	struct row_printer *printers;
	struct text *texts;
	size_t first; /* the first row of this round */
};

static void print_piece(void *arg, size_t piece, unsigned worker)
{
	struct report_table_printing *pr = arg;
	size_t from = pr->first + piece * PIECE_ROWS, to = from + PIECE_ROWS;

	for (size_t i = from; i < to && i < pr->group->n; i++)
		report_table_print_row(&pr->printers[worker], pr->cells, &pr->group->entries[i],
				       &pr->texts[piece]);
}

static int print_round(struct report_table_printing *pr, struct workers *w, FILE *file)
{
	size_t left = pr->group->n - pr->first;
	size_t pieces = (left + PIECE_ROWS - 1) / PIECE_ROWS;
	int r = 0;

	pieces = pieces < ROUND_PIECES ? pieces : ROUND_PIECES;
	workers_run(w, pieces, print_piece, pr);
	for (size_t i = 0; i < pieces && r >= 0; i++)
		r = text_flush(&pr->texts[i], file, true);
	pr->first += pieces * PIECE_ROWS;
	return r;
}

static int print_shared(const struct report_cells *c, const struct report_block *b, FILE *file)
{
	struct workers *w = c->view->workers;
	unsigned n = workers_count(w);
	_cleanup_(freep) struct row_printer *printers = xcalloc(n, sizeof(*printers));
	_cleanup_(freep) struct text *texts = xcalloc(ROUND_PIECES, sizeof(*texts));
	struct report_table_printing pr = {
		.group = b->group, .cells = c, .printers = printers, .texts = texts
	};
	int r = 0;

	for (size_t i = 0; i < ROUND_PIECES; i++)
		texts[i] = (struct text)TEXT_EMPTY;
	for (unsigned i = 0; i < n; i++)
		row_printer_init(&printers[i], b);
	while (r >= 0 && pr.first < pr.group->n)
		r = print_round(&pr, w, file);
	for (unsigned i = 0; i < n; i++)
		row_printer_done(&printers[i]);
	for (size_t i = 0; i < ROUND_PIECES; i++)
		text_done(&texts[i]);
	return r;
}

static int print_alone(const struct report_cells *c, const struct report_block *b, FILE *file)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(row_printer_done) struct row_printer p;
	int r = 0;

	row_printer_init(&p, b);
	for (size_t i = 0, end = report_table_end_of(c); i < end && r >= 0; i++) {
		report_table_print_row(&p, c, &b->group->entries[i], &out);
		r = text_flush(&out, file, false);
	}
	return r < 0 ? r : text_flush(&out, file, true);
}

/* The data that a thread needs to compute the widths of columns. */
struct fitter {
	struct table table;
	struct table_scratch scratch;
};

struct report_table_fitting {
	const struct report_cells *cells;
	size_t end; /* the end of the rows */
	struct fitter *fitters;
};

static void fit_piece(void *arg, size_t piece, unsigned worker)
{
	const struct report_table_fitting *f = arg;
	size_t from = piece * FIT_ROWS, to = from + FIT_ROWS;

	for (size_t i = from; i < to && i < f->end; i++)
		table_fit(&f->fitters[worker].table, &f->cells->group->entries[i],
			  &f->fitters[worker].scratch);
}

static void fit_shared(struct report_cells *c, size_t end)
{
	struct workers *w = c->view->workers;
	unsigned n = workers_count(w);
	_cleanup_(freep) struct fitter *fitters = xcalloc(n, sizeof(*fitters));
	struct report_table_fitting f = { .cells = c, .end = end, .fitters = fitters };

	for (unsigned i = 0; i < n; i++) {
		table_init(&fitters[i].table, c->table.columns, c->table.n, c->table.model,
			   &c->table.style);
		fitters[i].scratch = (struct table_scratch)TABLE_SCRATCH;
	}
	workers_run(w, (end + FIT_ROWS - 1) / FIT_ROWS, fit_piece, &f);
	for (unsigned i = 0; i < n; i++) {
		table_fit_like(&c->table, &fitters[i].table);
		table_done(&fitters[i].table);
		table_scratch_done(&fitters[i].scratch);
	}
}

static void fit_columns(struct report_cells *c)
{
	_cleanup_(table_scratch_done) struct table_scratch scratch = TABLE_SCRATCH;
	size_t end = report_table_end_of(c);

	if (c->view->workers && end > FIT_ROWS) {
		fit_shared(c, end);
		return;
	}
	for (size_t i = 0; i < end; i++)
		table_fit(&c->table, &c->group->entries[i], &scratch);
}

static int report_table_print_heads(struct report_cells *c, FILE *file)
{
	_cleanup_(text_done) struct text heads = TEXT_EMPTY;

	fit_columns(c);
	report_cells_limit(c, strlen("  "));
	if (!c->view->form.quiet)
		table_add_heads(&c->table, &heads);
	return text_flush(&heads, file, true);
}

static int report_table_print_rows(FILE *file, const struct report_view *v,
				   const struct report_block *b)
{
	_cleanup_(report_cells_done) struct report_cells c;
	int r;

	report_cells_init(&c, v, b->group, &v->plan->columns, v->form.widths);
	r = report_table_print_heads(&c, file);
	if (r < 0)
		return r;
	if (v->workers && workers_count(v->workers) > 1 && b->group->n > PIECE_ROWS)
		return print_shared(&c, b, file);
	return print_alone(&c, b, file);
}

static int report_table_print_block(FILE *out, const struct report_view *v,
				    const struct report_block *b)
{
	int r;

	if (!v->form.quiet)
		report_title_print(b->title, out);
	r = v->plan->levels ? report_levels_print(out, v, b) : report_table_print_rows(out, v, b);
	if (r < 0)
		return r;
	return fputs("\n\n", out) < 0 ? -EIO : 0;
}

int report_print(FILE *out, const struct report_view *v)
{
	int r = 0;

	for (size_t i = 0; i < v->n_blocks && r >= 0; i++)
		r = report_table_print_block(out, v, &v->blocks[i]);
	return r;
}
