/* SPDX-License-Identifier: MIT */
#include "tools/diff/diff-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/contexts.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"

void diff_free(struct diff *d)
{
	if (!d)
		return;
	free(d->sides);
	free(d->totals);
	free(d->rows);
	free(d->cells);
	free(d);
}

double diff_share(const struct diff *d, size_t side, uint64_t period)
{
	return percent_of(period, d->totals[side]);
}

static const struct image *diff_image_of(const struct diff_row *row)
{
	const struct report_entry *e = &row->entry;

	if (e->row->frame == FRAME_NONE)
		return NULL;
	return frames_get(e->rows->options->env->frames, e->row->frame)->image;
}

struct diff_apart diff_find_apart(const struct diff *d, const size_t *side_of)
{
	_cleanup_(freep) double *alone = xcalloc(d->n_sides + 1, sizeof(*alone));
	struct diff_apart a = { 0 };
	double heaviest[2] = { 0 };

	for (size_t i = 0; i < d->n; i++) {
		bool is_in[2] = { false, false };
		double share[2] = { 0 };

		for (size_t k = 0; k < d->n_sides; k++) {
			bool other = side_of ? side_of[k] != 0 : k != 0;
			double s = diff_share(d, k, d->rows[i].cells[k].period);

			is_in[other] |= d->rows[i].cells[k].is_there;
			share[other] = s > share[other] ? s : share[other];
		}
		if (is_in[0] == is_in[1])
			continue;
		for (size_t k = 0; k < d->n_sides; k++)
			alone[k] += diff_share(d, k, d->rows[i].cells[k].period);
		if (share[is_in[1]] > heaviest[is_in[1]]) {
			heaviest[is_in[1]] = share[is_in[1]];
			*(is_in[1] ? &a.new_image : &a.old_image) = diff_image_of(&d->rows[i]);
		}
	}
	for (size_t k = 0; k < d->n_sides; k++) {
		double *most = (side_of ? side_of[k] != 0 : k != 0) ? &a.after : &a.before;

		*most = alone[k] > *most ? alone[k] : *most;
	}
	return a;
}

double diff_shown_share(const struct diff *d, const struct diff_row *row)
{
	return percent_of(row->cells[0].period, d->shown_total);
}

int64_t diff_weighted(const struct diff_options *o, uint64_t base, uint64_t other)
{
	return (int64_t)(other * (uint64_t)o->weight_other - base * (uint64_t)o->weight_base);
}

/* Returns the number of the function's name; all rows without a name have the same number. */
static uint64_t diff_function_of(const struct report_entry *e)
{
	const struct key_env *env = e->rows->options->env;
	const struct symbol *sym = e->row->frame == FRAME_NONE
					   ? NULL
					   : frames_get(env->frames, e->row->frame)->sym;

	return sym ? shared_values_add_text(env->values, sym->name) : 0;
}

static uint64_t diff_identity_of(const struct report_entry *e, size_t i)
{
	const struct report_options *o = e->rows->options;
	const struct key_type *t = o->keys[i].type;
	const struct key_cell cell = report_row_cell(e->row, i);
	_cleanup_(text_done) struct text text = TEXT_EMPTY;

	if (t->flags & KEY_IS_FRAME)
		return diff_function_of(e);
	key_value_add(&o->keys[i], o->env, &cell, &text);
	return shared_values_add(o->env->values, text.chars, text.length);
}

/* Returns the number of the row to which @e belongs, or the number of rows if it is a new one. */
static uint32_t diff_number_of(struct contexts *known, uint64_t *identity,
			       const struct report_entry *e)
{
	for (size_t i = 0; i < e->rows->options->n_keys; i++)
		identity[i] = diff_identity_of(e, i);
	return contexts_add(known, identity);
}

typedef int compare_fn(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

static int compare_keys(const struct report_entry *a, const struct report_entry *b,
			bool by_identity)
{
	const struct report_options *o = a->rows->options;
	int c = 0;

	for (size_t i = 0; i < o->n_keys && !c; i++) {
		uint64_t va = a->row->values[i], vb = b->row->values[i];
		const struct key_type *t = o->keys[i].type;
		compare_fn *compare = by_identity && t->identity ? t->identity : t->compare;

		if (va != vb)
			c = compare ? compare(&o->keys[i], o->env, va, vb) : va < vb ? -1 : 1;
	}
	return c;
}

/* The mapping from each row of each side to its row in the diff. */
struct diff_matching {
	struct contexts known;
	uint64_t *identity;
	struct diff_row *items;
	size_t n, room;
	uint32_t **numbers; /* by side and by row of the side */
	size_t n_sides;
};

static void matching_done(struct diff_matching *m)
{
	contexts_done(&m->known);
	free(m->identity);
	free(m->items);
	for (size_t i = 0; i < m->n_sides; i++)
		free(m->numbers[i]);
	free(m->numbers);
}

/* Chooses the shown row: if several rows of a side are one row here, the first one by place. */
static void stand_for(struct report_entry *shown, const struct report_entry *other)
{
	bool is_before;

	if (shown->rows != other->rows)
		return;
	is_before = shown->rows->options->in_groups ? other->place < shown->place
						    : compare_keys(other, shown, true) < 0;
	if (is_before)
		*shown = *other;
}

static void match_side(struct diff_matching *m, const struct report_rows *rows, uint32_t *numbers)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct report_entry e = { .rows = rows,
						.row = &rows->rows[i],
						.place = rows->rows[i].place };

		numbers[i] = diff_number_of(&m->known, m->identity, &e);
		if (numbers[i] == m->n)
			*ARRAY_ADD(m) = (struct diff_row){ .entry = e };
		else
			stand_for(&m->items[numbers[i]].entry, &e);
	}
}

static void diff_match(struct diff_matching *m, const struct diff *d)
{
	const size_t n_keys = d->sides[0]->options->n_keys;

	*m = (struct diff_matching){
		.identity = xcalloc(n_keys + 1, sizeof(*m->identity)),
		.numbers = xcalloc(d->n_sides, sizeof(*m->numbers)),
		.n_sides = d->n_sides,
	};
	contexts_init(&m->known, n_keys);
	for (size_t i = 0; i < d->n_sides; i++)
		if (d->sides[i]) {
			m->numbers[i] = xcalloc(d->sides[i]->n + 1, sizeof(*m->numbers[i]));
			match_side(m, d->sides[i], m->numbers[i]);
		}
}

static void diff_compute(const struct diff *d, struct diff_row *row, size_t side)
{
	const struct diff_cell *base = &row->cells[0];
	struct diff_cell *c = &row->cells[side];

	if (!c->is_there)
		return;
	switch (d->options->compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		c->value = diff_share(d, side, c->period) - diff_share(d, 0, base->period);
		c->is_known = true;
		break;
	case DIFF_RATIO:
		c->is_known = base->is_there && base->period;
		c->value = (double)c->period / (c->is_known ? (double)base->period : 1);
		break;
	case DIFF_WDIFF:
		c->is_known = base->is_there;
		c->value = (double)diff_weighted(d->options, base->period, c->period);
		break;
	}
}

static void diff_take_rows(struct diff *d, struct diff_matching *m)
{
	d->n = m->n;
	d->rows = TAKE(m->items);
	d->cells = xcalloc(d->n * d->n_sides + 1, sizeof(*d->cells));
	for (size_t i = 0; i < d->n; i++)
		d->rows[i].cells = &d->cells[i * d->n_sides];
	for (size_t s = 0; s < d->n_sides; s++)
		for (size_t i = 0; d->sides[s] && i < d->sides[s]->n; i++) {
			struct diff_cell *c = &d->rows[m->numbers[s][i]].cells[s];

			c->is_there = true;
			c->period += d->sides[s]->rows[i].self.period;
		}
	for (size_t i = 0; i < d->n; i++)
		for (size_t s = 1; s < d->n_sides; s++)
			diff_compute(d, &d->rows[i], s);
}

static bool diff_has_pair(const struct diff *d, const struct diff_row *row)
{
	for (size_t s = 1; s < d->n_sides; s++)
		if (row->cells[s].is_there)
			return row->cells[0].is_there;
	return false;
}

static void drop_unpaired(struct diff *d)
{
	size_t n = 0;

	d->shown_total = 0;
	for (size_t i = 0; i < d->n; i++)
		if (diff_has_pair(d, &d->rows[i])) {
			d->shown_total += d->rows[i].cells[0].period;
			d->rows[n++] = d->rows[i];
		}
	d->n = n;
}

static int diff_compare_numbers(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Compares cells: present before absent, with a value before without. */
static int compare_cells(const struct diff *d, const struct diff_cell *a, const struct diff_cell *b)
{
	if (a->is_there != b->is_there)
		return a->is_there ? -1 : 1;
	if (a->is_known != b->is_known)
		return a->is_known ? -1 : 1;
	if (d->options->compute == DIFF_DELTA_ABS)
		return diff_compare_numbers(fabs(a->value), fabs(b->value));
	return diff_compare_numbers(a->value, b->value);
}

/*
 * Compares by the requested side, by the baseline, then by all sides; among these, cells without a
 * value count too.
 */
static int compare_weights(const struct diff *d, const struct diff_row *a, const struct diff_row *b)
{
	const struct diff_cell *ca = &a->cells[d->options->order];
	const struct diff_cell *cb = &b->cells[d->options->order];
	int c = 0;

	if (d->options->order && (ca->is_known || cb->is_known || ca->is_there != cb->is_there))
		c = compare_cells(d, ca, cb);
	if (!c)
		c = diff_compare_numbers((double)a->cells[0].period, (double)b->cells[0].period);
	for (size_t s = 1; s < d->n_sides && !c; s++)
		c = compare_cells(d, &a->cells[s], &b->cells[s]);
	return c;
}

static int diff_by_order(const void *va, const void *vb, void *diff)
{
	const struct diff_row *a = va, *b = vb;
	int c = compare_weights(diff, a, b);

	if (!c)
		c = compare_keys(&a->entry, &b->entry, false);
	if (!c)
		c = compare_keys(&a->entry, &b->entry, true);
	/* The cells are in the order of arrival. */
	return c ? c : a->cells < b->cells ? -1 : 1;
}

struct diff *diff_new(const struct diff_options *o, const struct report_rows *const *sides,
		      size_t n)
{
	_cleanup_(matching_done) struct diff_matching m;
	struct diff *d = xcalloc(1, sizeof(*d));

	d->options = o;
	d->n_sides = n;
	d->sides = xcalloc(n, sizeof(const struct report_rows *));
	memcpy(d->sides, sides, n * sizeof(const struct report_rows *));
	d->totals = xcalloc(n, sizeof(*d->totals));
	for (size_t i = 0; i < n; i++)
		if (sides[i])
			d->totals[i] = o->absolute ? sides[i]->all.period : sides[i]->shown.period;
	d->shown_total = d->totals[0];
	diff_match(&m, d);
	diff_take_rows(d, &m);
	if (o->baseline_only)
		drop_unpaired(d);
	if (d->n)
		qsort_r(d->rows, d->n, sizeof(*d->rows), diff_by_order, d);
	return d;
}
