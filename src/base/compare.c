/* SPDX-License-Identifier: MIT */
#include "base/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/false-discovery.h"
#include "base/memory.h"
#include "base/student.h"

/* The squares of smaller values stay finite. */
#define VALUE_MAX 1e100

#define NOISY_PERCENT 5

/* A first run counts as a warm-up if it exceeds the others by more than both. */
#define WARM_UP_DEVIATIONS 3
#define WARM_UP_PERCENT    2
/* Fewer runs do not show how much the others vary. */
#define WARM_UP_RUNS 5

struct compare *compare_new(size_t n, const char *const *names)
{
	struct compare *c = xcalloc(1, sizeof(*c));

	assert(n >= 2 && n <= COMPARE_COMMANDS_MAX);
	c->commands = xcalloc(n, sizeof(*c->commands));
	c->n_commands = n;
	for (size_t i = 0; i < n; i++)
		c->commands[i].name = xstrdup(names[i]);
	return c;
}

static void row_free(struct compare_row *row, size_t n_commands)
{
	for (size_t i = 0; i < n_commands; i++)
		free(row->sides[i].items);
	free(row->sides);
	free(row->differences);
	free(row->name);
	free(row->unit);
	free(row);
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_rows; i++)
		row_free(c->rows[i], c->n_commands);
	free(c->rows);
	for (size_t i = 0; i < c->n_commands; i++)
		free(c->commands[i].name);
	free(c->commands);
	free(c);
}

struct compare_row *compare_add_row(struct compare *c, enum compare_kind kind, const char *name,
				    const char *unit)
{
	struct compare_row *row = xcalloc(1, sizeof(*row));

	row->kind = kind;
	row->name = xstrdup(name);
	row->unit = xstrdup(unit);
	row->sides = xcalloc(c->n_commands, sizeof(*row->sides));
	row->differences = xcalloc(c->n_commands, sizeof(*row->differences));
	c->rows = array_reserve(c->rows, &c->room, c->n_rows + 1, sizeof(*c->rows));
	c->rows[c->n_rows++] = row;
	return row;
}

/*
 * True if @row_name is @name with modifiers: "cycles:u" is "cycles" with modifiers;
 * "sched:sched_switch" is not "sched" with any.
 */
static bool is_modified(const char *row_name, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(row_name, name, n) != 0 || row_name[n] != ':' || !row_name[n + 1])
		return false;
	return !row_name[n + 1 + strspn(row_name + n + 1, "ukhGHIpPSDWebRX")];
}

struct compare_row *compare_find_row(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->n_rows; i++)
		if (!strcmp(c->rows[i]->name, name))
			return c->rows[i];
	for (size_t i = 0; i < c->n_rows; i++)
		if (is_modified(c->rows[i]->name, name))
			return c->rows[i];
	return NULL;
}

/*
 * Updates the number of runs of a command: that of the row with the most runs, including those
 * without a value.
 */
static void compare_count_run(struct compare *c, const struct compare_side *side, size_t command)
{
	size_t runs = side->n + side->missing;

	if (runs > c->commands[command].runs)
		c->commands[command].runs = runs;
}

void compare_add(struct compare *c, struct compare_row *row, size_t command, double value)
{
	struct compare_side *side = &row->sides[command];

	if (!(fabs(value) <= VALUE_MAX))
		side->missing++;
	else
		*ARRAY_ADD(side) = value;
	compare_count_run(c, side, command);
}

void compare_add_missing(struct compare *c, struct compare_row *row, size_t command)
{
	row->sides[command].missing++;
	compare_count_run(c, &row->sides[command], command);
}

static double quantile_of_confidence(double df)
{
	return student_quantile((1 + COMPARE_CONFIDENCE) / 2, df);
}

static struct moments moments_of(const double *values, size_t n)
{
	struct moments m = { 0 };

	for (size_t i = 0; i < n; i++)
		moments_add(&m, values[i]);
	return m;
}

/*
 * True if the first value is far above the others. Runs without a value leave their order open, so
 * the result is then false.
 */
static bool first_differs(const struct compare_side *s)
{
	struct moments rest;
	double above;

	if (s->n < WARM_UP_RUNS || s->missing)
		return false;
	rest = moments_of(s->items + 1, s->n - 1);
	above = s->items[0] - rest.mean;
	return above > WARM_UP_DEVIATIONS * sqrt(moments_variance(&rest)) &&
	       above > WARM_UP_PERCENT / 100.0 * fabs(rest.mean);
}

static void side_finish(struct compare_side *s, enum compare_kind kind, size_t runs)
{
	struct moments m = moments_of(s->items, s->n);

	s->missing = runs - s->n;
	s->mean = m.mean;
	for (size_t i = 0; i < s->n; i++) {
		s->min = !i || s->items[i] < s->min ? s->items[i] : s->min;
		s->max = !i || s->items[i] > s->max ? s->items[i] : s->max;
	}
	if (s->n < 2)
		return;
	s->deviation = fmax(sqrt(moments_variance(&m)), s->least_deviation);
	s->half_width = quantile_of_confidence((double)s->n - 1) * s->deviation /
			sqrt((double)s->n);
	s->noise = s->mean == 0 ? 0 : 100 * s->half_width / fabs(s->mean);
	s->has_noise = s->mean != 0 && isfinite(s->noise);
	if (!s->has_noise)
		s->noise = 0;
	s->noisy = s->noise > NOISY_PERCENT;
	/* A ratio may as well be low at first. */
	s->first_run_differs = kind != COMPARE_RATIO && first_differs(s);
}

/*
 * B. L. Welch, "The generalization of 'Student's' problem when several different population
 * variances are involved", Biometrika 34 (1947). The degrees of freedom are written with the shares
 * of the two variances, which neither overflow nor vanish.
 */
static void compare_welch(const struct compare_side *a, const struct compare_side *b,
			  struct compare_difference *d)
{
	const double na = (double)a->n, nb = (double)b->n;
	const double va = a->deviation * a->deviation / na, vb = b->deviation * b->deviation / nb;
	const double error = sqrt(va + vb);
	double share;

	/* Deviations that are too small to be squared count as none. */
	if (error == 0) {
		d->basis = COMPARE_EXACT;
		return;
	}
	share = va / (va + vb);
	d->basis = COMPARE_TESTED;
	d->t = d->absolute / error;
	d->df = 1 / (share * share / (na - 1) + (1 - share) * (1 - share) / (nb - 1));
	d->p = student_two_sided(d->t, d->df);
	d->half_width = quantile_of_confidence(d->df) * error;
}

static enum compare_verdict compare_judge(const struct compare_difference *d)
{
	if (d->basis == COMPARE_TESTED ? d->p >= COMPARE_P_LIMIT : d->absolute == 0)
		return COMPARE_SAME;
	return d->absolute < 0 ? COMPARE_LESS : COMPARE_MORE;
}

/*
 * Computes the difference in percent of the baseline's mean, which is taken as exact. The interval
 * therefore excludes 0 exactly if that of the absolute difference does, and if its test shows a
 * difference.
 */
static void set_percent(struct compare_difference *d, double baseline)
{
	double percent, half_width;

	if (baseline == 0)
		return;
	percent = 100 * (d->absolute / fabs(baseline));
	half_width = 100 * (d->half_width / fabs(baseline));
	if (!isfinite(percent) || !isfinite(half_width))
		return;
	d->has_percent = true;
	d->percent = percent;
	d->percent_half_width = half_width;
}

static void difference_finish(struct compare_difference *d, const struct compare_side *a,
			      const struct compare_side *b)
{
	if (!a->n || !b->n)
		return; /* the basis stays NOT_COUNTED, the verdict UNKNOWN */
	d->absolute = b->mean - a->mean;
	d->basis = COMPARE_TOO_FEW;
	if (a->n > 1 && b->n > 1) {
		compare_welch(a, b, d);
		d->verdict = compare_judge(d);
	}
	set_percent(d, a->mean);
}

void compare_finish(struct compare *c)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		struct compare_row *row = c->rows[i];

		for (size_t k = 0; k < c->n_commands; k++)
			side_finish(&row->sides[k], row->kind, c->commands[k].runs);
		for (size_t k = 1; k < c->n_commands; k++)
			difference_finish(&row->differences[k], &row->sides[0], &row->sides[k]);
	}
}

static void difference_agree(struct compare_difference *d, const struct compare_difference *other)
{
	if (!compare_is_shown(d) || other->verdict == d->verdict) {
		d->p = fmax(d->p, other->p);
		return;
	}
	/* A measure that gives no verdict does not contradict the other one, either. */
	if (other->verdict == COMPARE_UNKNOWN)
		return;
	d->verdict = COMPARE_SAME;
	d->p = other->verdict == COMPARE_SAME && other->basis == COMPARE_TESTED
		       ? fmax(d->p, other->p)
		       : 1;
}

void compare_agree(struct compare *c, const struct compare *other, size_t first)
{
	for (size_t i = first; i < c->n_rows; i++)
		for (size_t k = 1; k < c->n_commands; k++)
			difference_agree(&c->rows[i]->differences[k],
					 &other->rows[i - first]->differences[k]);
}

static void base_compare_correct(struct compare_difference **tested, size_t n)
{
	_cleanup_(freep) double *p = xcalloc(n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = tested[i]->p;
	false_discovery_correct(p, n);
	for (size_t i = 0; i < n; i++) {
		tested[i]->has_q = true;
		tested[i]->q = p[i];
		if (p[i] >= COMPARE_P_LIMIT)
			tested[i]->verdict = COMPARE_SAME;
	}
}

void compare_correct(struct compare *c, size_t first)
{
	_cleanup_(freep) struct compare_difference **tested =
		xcalloc(c->n_rows + 1, sizeof(struct compare_difference *));

	for (size_t command = 1; command < c->n_commands; command++) {
		size_t n = 0;

		for (size_t i = first; i < c->n_rows; i++)
			if (c->rows[i]->differences[command].basis == COMPARE_TESTED)
				tested[n++] = &c->rows[i]->differences[command];
		base_compare_correct(tested, n);
	}
}

bool compare_is_shown(const struct compare_difference *d)
{
	return d->verdict == COMPARE_LESS || d->verdict == COMPARE_MORE;
}

const char *compare_word(enum compare_kind kind, enum compare_verdict verdict)
{
	static const char *const less[] = { "faster", "less", "fewer", "lower" };
	static const char *const more[] = { "slower", "more", "more", "higher" };

	switch (verdict) {
	case COMPARE_LESS:
		return less[kind];
	case COMPARE_MORE:
		return more[kind];
	case COMPARE_SAME:
		return "no difference shown";
	default:
		return "cannot tell";
	}
}

double compare_unit_seconds(const char *unit)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "s", 1 },          { "sec", 1 },   { "ms", 1e-3 },
		{ "msec", 1e-3 },    { "us", 1e-6 }, { "usec", 1e-6 },
		{ "\u00b5s", 1e-6 }, { "ns", 1e-9 }, { "nsec", 1e-9 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].seconds;
	return 0;
}
