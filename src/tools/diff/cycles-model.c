/* SPDX-License-Identifier: MIT */
#include "tools/diff/cycles-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/contexts.h"
#include "profile/shared-values.h"
#include "symbol/symbolizer.h"

#define NONE UINT32_MAX

/* The identity of a block: the names of its image and function, its start and its end. */
enum {
	PLACE_IMAGE,
	PLACE_FUNCTION,
	PLACE_START,
	PLACE_END,
	N_PLACE,
};

struct diff_cycles_matching {
	struct contexts functions; /* by the image and the function */
	uint32_t *row_of;          /* by function: the index of its row in the diff */
	size_t n_functions;        /* the number of functions with a row */
	struct contexts blocks;
};

void diff_cycles_free(struct diff_cycles *c)
{
	if (!c)
		return;
	free(c->rows);
	free(c->blocks);
	free(c);
}

static void diff_cycles_name(const struct diff *d, const struct image *im, const struct symbol *sym,
			     uint64_t *place)
{
	struct shared_values *values = d->sides[0]->options->env->values;

	place[PLACE_IMAGE] = shared_values_add_text(values, image_short_name(im));
	place[PLACE_FUNCTION] = shared_values_add_text(values, sym->name);
}

/* Numbers the functions that have rows. */
static void number_functions(struct diff_cycles_matching *m, const struct diff *d)
{
	uint64_t place[N_PLACE] = { 0 };

	m->row_of = xcalloc(d->n + 1, sizeof(*m->row_of));
	for (size_t i = 0; i < d->n; i++) {
		const struct report_entry *e = &d->rows[i].entry;
		const struct frame *f = frames_get(e->rows->options->env->frames, e->row->frame);

		if (!f->sym || !f->image)
			continue;
		diff_cycles_name(d, f->image, f->sym, place);
		m->row_of[contexts_add(&m->functions, place)] = (uint32_t)i;
	}
	m->n_functions = m->functions.n;
}

/* Returns the row of the diff to which @b belongs; NONE. Fills in its place. */
static uint32_t diff_cycles_row_of(struct diff_cycles_matching *m, const struct diff *d,
				   const struct branch_block *b, uint64_t *place)
{
	uint32_t function;

	diff_cycles_name(d, b->image, b->sym, place);
	function = contexts_add(&m->functions, place);
	if (function >= m->n_functions)
		return NONE;
	place[PLACE_START] = (b->start == BLOCK_START_UNKNOWN ? b->sym->start : b->start) -
			     b->sym->start;
	place[PLACE_END] = b->end - b->sym->start;
	return m->row_of[function];
}

static const struct branch_blocks *diff_cycles_blocks_of(const struct diff *d, size_t side)
{
	static const struct branch_blocks none;

	return d->sides[side] ? &d->sides[side]->tally->blocks : &none;
}

static void take_baseline(struct diff_cycles *c, struct diff_cycles_matching *m)
{
	const struct branch_blocks *blocks = diff_cycles_blocks_of(c->diff, 0);
	uint64_t place[N_PLACE];

	c->rows = xcalloc(blocks->n + 1, sizeof(*c->rows));
	c->blocks = xcalloc(blocks->n * c->diff->n_sides + 1, sizeof(const struct branch_block *));
	for (size_t i = 0; i < blocks->n; i++) {
		uint32_t row = diff_cycles_row_of(m, c->diff, &blocks->items[i], place);

		if (row == NONE || contexts_add(&m->blocks, place) < c->n)
			continue;
		c->rows[c->n].row = &c->diff->rows[row];
		c->rows[c->n].blocks = &c->blocks[c->n * c->diff->n_sides];
		c->rows[c->n++].blocks[0] = &blocks->items[i];
	}
}

static void take_side(struct diff_cycles *c, struct diff_cycles_matching *m, size_t side)
{
	const struct branch_blocks *blocks = diff_cycles_blocks_of(c->diff, side);
	uint64_t place[N_PLACE];

	for (size_t i = 0; i < blocks->n; i++) {
		uint32_t number;

		if (diff_cycles_row_of(m, c->diff, &blocks->items[i], place) == NONE)
			continue;
		number = contexts_add(&m->blocks, place);
		if (number < c->n && !c->rows[number].blocks[side])
			c->rows[number].blocks[side] = &blocks->items[i];
	}
}

int64_t diff_cycles_change(const struct diff_cycles_row *row, size_t side)
{
	return (int64_t)branch_block_average(row->blocks[side]) -
	       (int64_t)branch_block_average(row->blocks[0]);
}

static bool diff_cycles_has_pair(const struct diff_cycles *c, const struct diff_cycles_row *row)
{
	for (size_t side = 1; side < c->diff->n_sides; side++)
		if (row->blocks[side])
			return true;
	return false;
}

static uint64_t size_of_change(const struct diff_cycles_row *row, size_t side)
{
	return row->blocks[side] ? (uint64_t)llabs(diff_cycles_change(row, side)) + 1 : 0;
}

static int diff_cycles_by_change(const void *va, const void *vb, void *arg)
{
	const struct diff_cycles_row *a = va, *b = vb;
	const struct diff *d = arg;
	size_t order = d->options->order;
	uint64_t ca = order ? size_of_change(a, order) : 0;
	uint64_t cb = order ? size_of_change(b, order) : 0;
	uint64_t pa = a->row->cells[0].period, pb = b->row->cells[0].period;

	if (ca != cb)
		return ca > cb ? -1 : 1;
	if (pa != pb)
		return pa > pb ? -1 : 1;
	/* Within a side, blocks are already sorted. */
	return a->blocks[0] < b->blocks[0] ? -1 : 1;
}

struct diff_cycles *diff_cycles_new(const struct diff *d)
{
	struct diff_cycles *c = xcalloc(1, sizeof(*c));
	struct diff_cycles_matching m = { 0 };
	size_t n = 0;

	c->diff = d;
	contexts_init(&m.functions, PLACE_FUNCTION + 1);
	contexts_init(&m.blocks, N_PLACE);
	number_functions(&m, d);
	take_baseline(c, &m);
	for (size_t side = 1; side < d->n_sides; side++)
		take_side(c, &m, side);
	for (size_t i = 0; i < c->n; i++)
		if (diff_cycles_has_pair(c, &c->rows[i]))
			c->rows[n++] = c->rows[i];
	c->n = n;
	qsort_r(c->rows, c->n, sizeof(*c->rows), diff_cycles_by_change, (void *)d);
	contexts_done(&m.functions);
	contexts_done(&m.blocks);
	free(m.row_of);
	return c;
}
