/* SPDX-License-Identifier: MIT */
#include "tools/diff/repeats-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "profile/rest-scale.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"

void diff_repeats_free(struct diff_repeats *r)
{
	if (!r)
		return;
	compare_free(r->compare);
	free(r->rows);
	free(r);
}

static bool diff_repeats_model_is_of_periods(const struct diff *d)
{
	return d->options->compute == DIFF_RATIO;
}

static uint64_t diff_repeats_samples_of(const struct diff *d, size_t recording)
{
	const struct report_rows *rows = d->sides[recording];

	return d->options->absolute ? rows->all.samples : rows->shown.samples;
}

/* True if the recording has samples of the event; otherwise it is no measurement. */
static bool diff_repeats_is_measured(const struct diff *d, size_t recording)
{
	return d->totals[recording] && diff_repeats_samples_of(d, recording);
}

static void diff_repeats_add_value(struct diff_repeats *r, struct compare_row *row, size_t side,
				   bool known, double value)
{
	if (known)
		compare_add(r->compare, row, side, value);
	else
		compare_add_missing(r->compare, row, side);
}

static bool diff_repeats_is_left_out(const struct diff_repeats_options *o, size_t recording)
{
	return o->left_out && o->left_out[recording];
}

static void diff_repeats_add_whole(struct diff_repeats *r, const struct diff_repeats_options *o)
{
	struct compare_row *time = NULL, *total;

	if (o->seconds)
		time = compare_add_row(r->compare, COMPARE_ELAPSED, "time", "s");
	total = compare_add_row(r->compare, *o->unit ? COMPARE_AMOUNT : COMPARE_COUNT, "total",
				o->unit);
	for (size_t i = 0; i < r->diff->n_sides; i++) {
		if (diff_repeats_is_left_out(o, i))
			continue;
		if (time)
			diff_repeats_add_value(r, time, o->side_of[i], o->seconds[i] > 0,
					       o->seconds[i]);
		diff_repeats_add_value(r, total, o->side_of[i],
				       diff_repeats_is_measured(r->diff, i),
				       (double)r->diff->totals[i]);
	}
	r->n_whole = r->compare->n_rows;
}

static bool diff_repeats_is_kept(const struct diff_repeats *r, const struct diff_repeats_options *o,
				 const struct diff_row *row)
{
	bool in_baseline = false, elsewhere = false;

	for (size_t i = 0; i < r->diff->n_sides; i++) {
		bool is_there = row->cells[i].is_there && !diff_repeats_is_left_out(o, i);

		in_baseline |= !o->side_of[i] && is_there;
		elsewhere |= o->side_of[i] && is_there;
	}
	return o->baseline_only ? in_baseline && elsewhere : in_baseline || elsewhere;
}

/* Appends a key: a function by its name, other keys by their values. */
static void diff_repeats_add_key(const struct diff_row *row, size_t i, struct text *out)
{
	const struct report_entry *e = &row->entry;
	const struct report_options *o = e->rows->options;
	const struct key_cell cell = report_row_cell(e->row, i);
	const struct key_type *t = o->keys[i].type;
	const struct symbol *sym = NULL;

	if (t->flags & KEY_IS_FRAME && e->row->frame != FRAME_NONE)
		sym = frames_get(o->env->frames, e->row->frame)->sym;
	if (sym)
		text_add(out, sym->name);
	else
		key_value_add(&o->keys[i], o->env, &cell, out);
}

static char *diff_repeats_short_name(const struct diff_row *row)
{
	const struct report_options *o = row->entry.rows->options;
	struct text name = TEXT_EMPTY;
	size_t i = 0;

	while (i + 1 < o->n_keys && !(o->keys[i].type->flags & KEY_IS_FRAME))
		i++;
	diff_repeats_add_key(row, i, &name);
	return text_take(&name);
}

char *diff_row_name(const struct diff_row *row)
{
	struct text name = TEXT_EMPTY;

	for (size_t i = 0; i < row->entry.rows->options->n_keys; i++) {
		text_add(&name, i ? " " : "");
		diff_repeats_add_key(row, i, &name);
	}
	return text_take(&name);
}

/*
 * Returns the names of rows for limits: the function, or all keys if several rows have the same
 * function.
 */
static char **names_of(const struct diff *d)
{
	struct shared_values *values = d->sides[0]->options->env->values;
	char **names = xcalloc(d->n + 1, sizeof(*names));
	_cleanup_(u64_map_done) struct u64_map seen = { 0 };

	for (size_t i = 0; i < d->n; i++) {
		uint64_t number;
		char **first;

		names[i] = diff_repeats_short_name(&d->rows[i]);
		number = shared_values_add_text(values, names[i]);
		first = u64_map_find(&seen, number);
		if (!first) {
			u64_map_put(&seen, number, &names[i]);
			continue;
		}
		free(names[i]);
		names[i] = diff_row_name(&d->rows[i]);
		if (!strcmp(*first, shared_value_text(number))) {
			free(*first);
			*first = diff_row_name(&d->rows[first - names]);
		}
	}
	return names;
}

/*
 * Sets the least deviations: that of a count, multiplied by the mean weight of a sample in the
 * side's recordings.
 */
static void set_least_deviations(const struct diff_repeats *r, const struct diff_repeats_options *o,
				 bool periods, struct compare_row *figures)
{
	for (size_t side = 0; side < o->n_sides; side++) {
		double worth = 0;
		size_t n = 0;

		for (size_t i = 0; i < r->diff->n_sides; i++)
			if (o->side_of[i] == side && diff_repeats_is_measured(r->diff, i) &&
			    !diff_repeats_is_left_out(o, i)) {
				double whole = periods ? (double)r->diff->totals[i] : 100;

				worth += whole / (double)diff_repeats_samples_of(r->diff, i);
				n++;
			}
		figures->sides[side].least_deviation =
			n ? COMPARE_COUNT_DEVIATION * worth / (double)n : 0;
	}
}

static void diff_repeats_add_row(struct diff_repeats *r, const struct diff_repeats_options *o,
				 const struct diff_row *row, const char *name)
{
	bool periods = diff_repeats_model_is_of_periods(r->diff);
	struct compare_row *figures = compare_add_row(
		r->compare, periods ? COMPARE_COUNT : COMPARE_RATIO, name, periods ? o->unit : "%");
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->diff->n_sides; i++) {
		size_t side = o->side_of[i];
		double share = diff_share(r->diff, i, row->cells[i].period);
		bool known = diff_repeats_is_measured(r->diff, i);

		if (diff_repeats_is_left_out(o, i))
			continue;
		diff_repeats_add_value(r, figures, side, known,
				       periods ? (double)row->cells[i].period : share);
		sum += !side && known ? share : 0;
		n += !side && known;
	}
	set_least_deviations(r, o, periods, figures);
	r->rows[r->n++] = (struct diff_repeat){ .row = row,
						.figures = figures,
						.share = n ? sum / (double)n : 0 };
}

/* Another measure of the same rows, with which the shares have to agree. */
struct measure {
	bool periods;         /* periods; otherwise shares, */
	const double *scales; /* by recording: divisor of each; NULL: 1 */
	struct diff_repeats_options options;
};

static void measure_row(const struct diff_repeats *r, const struct measure *m, struct compare *c,
			const struct diff_row *row)
{
	const struct diff_repeats_options *o = &m->options;
	struct compare_row *figures = compare_add_row(c, COMPARE_RATIO, "", "");

	for (size_t i = 0; i < r->diff->n_sides; i++) {
		uint64_t period = row->cells[i].period;
		double value = m->periods ? (double)period : diff_share(r->diff, i, period);

		if (diff_repeats_is_left_out(o, i))
			continue;
		if (diff_repeats_is_measured(r->diff, i))
			compare_add(c, figures, o->side_of[i],
				    m->scales ? value / m->scales[i] : value);
		else
			compare_add_missing(c, figures, o->side_of[i]);
	}
	set_least_deviations(r, o, m->periods, figures);
}

static void agree_with(struct diff_repeats *r, const struct measure *m)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(m->options.n_sides,
								 m->options.names);

	for (size_t i = 0; i < r->n; i++)
		measure_row(r, m, c, r->rows[i].row);
	compare_finish(c);
	compare_agree(r->compare, c, r->n_whole);
}

/* Returns the factor by which recording @i differs from the baseline in the unchanged rows. */
static double scale_of(const struct diff_repeats *r, size_t i)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale;

	for (size_t k = 0; k < r->n; k++)
		rest_scale_add(&s, r->rows[k].share,
			       diff_share(r->diff, i, r->rows[k].row->cells[i].period), 100, 100);
	return rest_scale_find(&s, &scale) && scale > 0 ? scale : 1;
}

/* Checks shares. A share also changes because others do: see the header. */
static void check_shares(struct diff_repeats *r, const struct diff_repeats_options *o)
{
	_cleanup_(freep) double *scales = xcalloc(r->diff->n_sides, sizeof(*scales));
	struct diff_repeats_options everybody = *o;

	for (size_t i = 0; i < r->diff->n_sides; i++)
		scales[i] = scale_of(r, i);
	agree_with(r, &(struct measure){ .scales = scales, .options = *o });
	if (!o->periods_vary)
		agree_with(r, &(struct measure){ .periods = true, .options = *o });
	/* Without the left-out recordings the others look more alike than they are. */
	everybody.left_out = NULL;
	if (o->left_out)
		agree_with(r, &(struct measure){ .options = everybody });
}

struct diff_repeats *diff_repeats_new(const struct diff *d, const struct diff_repeats_options *o)
{
	struct diff_repeats *r = xcalloc(1, sizeof(*r));
	char **names = names_of(d);

	r->diff = d;
	r->compare = compare_new(o->n_sides, o->names);
	r->rows = xcalloc(d->n + 1, sizeof(*r->rows));
	diff_repeats_add_whole(r, o);
	for (size_t i = 0; i < d->n; i++) {
		if (diff_repeats_is_kept(r, o, &d->rows[i]))
			diff_repeats_add_row(r, o, &d->rows[i], names[i]);
		free(names[i]);
	}
	free(names);
	compare_finish(r->compare);
	if (!diff_repeats_model_is_of_periods(d))
		check_shares(r, o);
	return r;
}

struct diff_repeats_sorting {
	const struct diff *diff;
	size_t order;
};

static int diff_repeats_compare_numbers(double a, double b)
{
	return a > b ? -1 : a < b;
}

static int diff_repeats_by_change(const void *va, const void *vb, void *arg)
{
	const struct diff_repeat *a = va, *b = vb;
	const struct diff_repeats_sorting *s = arg;
	const struct compare_difference *da = &a->figures->differences[s->order];
	const struct compare_difference *db = &b->figures->differences[s->order];
	int c = 0;

	if (s->order && compare_is_shown(da) != compare_is_shown(db))
		return compare_is_shown(da) ? -1 : 1;
	if (s->order && s->diff->options->compute == DIFF_DELTA)
		c = diff_repeats_compare_numbers(da->absolute, db->absolute);
	else if (s->order)
		c = diff_repeats_compare_numbers(fabs(da->absolute), fabs(db->absolute));
	if (!c)
		c = diff_repeats_compare_numbers(a->share, b->share);
	/* Within a comparison, rows are already sorted. */
	return c ? c : a->row < b->row ? -1 : 1;
}

void diff_repeats_correct(struct diff_repeats *r, const struct diff_repeats_options *o)
{
	struct diff_repeats_sorting s = { r->diff, o->order };

	compare_correct(r->compare, r->n_whole);
	qsort_r(r->rows, r->n, sizeof(*r->rows), diff_repeats_by_change, &s);
}
