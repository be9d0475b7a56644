/* SPDX-License-Identifier: MIT */
#include "profile/flame-compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/false-discovery.h"
#include "base/memory.h"
#include "profile/rest-scale.h"

/* Adds the boxes of @part to those of the builder. */
static void flame_compare_add_part(struct flame_builder *b, const struct flame_part *part)
{
	const struct flame *f = part->weights;
	_cleanup_(freep) uint32_t *number = xcalloc(f->n, sizeof(*number));

	for (size_t i = 0; i < f->n; i++) {
		const struct flame_box *box = &f->boxes[i];

		if (i)
			number[i] = flame_builder_box(
				b, number[box->parent], flame_builder_text(b, box->name),
				flame_builder_text(b, box->object), box->kind);
		flame_builder_weigh(b, number[i], part->side, box->value[FLAME_AFTER].self);
	}
}

static struct flame *flame_compare_merge(const struct flame_part *parts, size_t n)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b =
		flame_builder_new(n ? parts[0].weights->boxes[0].name : "");

	for (size_t i = 0; i < n; i++)
		flame_compare_add_part(b, &parts[i]);
	return flame_builder_finish(b, true);
}

/*
 * Returns the number in @whole of each box of @part; FLAME_NONE: it is not there. Both have
 * siblings in order of their names, so one walk over both finds all.
 */
static uint32_t *places_of(const struct flame *part, const struct flame *whole)
{
	uint32_t *place = xcalloc(part->n, sizeof(*place));
	/* For each box of @part: the position in @whole from which its next child is searched. */
	_cleanup_(freep) uint32_t *next = xcalloc(part->n, sizeof(*next));

	next[0] = 1;
	for (size_t i = 1; i < part->n; i++) {
		uint32_t parent = part->boxes[i].parent;
		uint32_t at = next[parent], end;

		place[i] = FLAME_NONE;
		if (place[parent] == FLAME_NONE)
			continue;
		end = whole->boxes[place[parent]].end;
		while (at < end && strcmp(whole->boxes[at].name, part->boxes[i].name) < 0)
			at = whole->boxes[at].end;
		next[parent] = at;
		if (at < end && !strcmp(whole->boxes[at].name, part->boxes[i].name)) {
			place[i] = at;
			next[i] = at + 1;
			next[parent] = whole->boxes[at].end;
		}
	}
	return place;
}

/*
 * True if the box has all of its parent's weight. It then changes as the parent does, and is not
 * tested on its own.
 */
static bool is_like_parent(const struct flame *f, size_t i)
{
	const struct flame_box *box = &f->boxes[i], *parent = &f->boxes[box->parent];

	for (size_t side = 0; side < N_FLAME_SIDES; side++)
		if (box->value[side].total != parent->value[side].total)
			return false;
	return true;
}

/*
 * Returns the change that is shown. With several recordings, the mean of the shares may change in
 * another direction than the share of their sum, which is displayed; then no change is shown.
 */
static enum flame_change seen_change(const struct flame *f, const struct flame_box *box)
{
	double before = flame_share(f, box, FLAME_BEFORE), after = flame_share(f, box, FLAME_AFTER);

	return after > before ? FLAME_MORE : after < before ? FLAME_LESS : FLAME_NOISE;
}

/* The effect that chance can have on the share of a box follows from the samples in it. */
struct scatter {
	double samples[N_FLAME_SIDES];
	double squares[N_FLAME_SIDES]; /* the sum of the squares of their weights */
};

static void count_samples(struct scatter *boxes, const struct flame *f,
			  const struct flame_part *part)
{
	const struct flame *samples = part->samples ? part->samples : part->weights;
	_cleanup_(freep) uint32_t *place = places_of(samples, f);

	for (size_t i = 0; i < samples->n; i++)
		if (place[i] != FLAME_NONE)
			boxes[place[i]].samples[part->side] +=
				(double)samples->boxes[i].value[FLAME_AFTER].self;
}

/* Sets the squares of weights. Samples of the same stack are assumed to have the same weight. */
static void square_weights(struct scatter *s, const struct flame_box *box)
{
	for (size_t side = 0; side < N_FLAME_SIDES; side++) {
		double self = (double)box->value[side].self;

		s->squares[side] += self * self / fmax(s->samples[side], 1);
	}
}

/* Adds to @boxes, which have their own samples, those of all boxes above. */
static void scatter_sum_up(struct scatter *boxes, const struct flame *f)
{
	for (size_t i = 0; i < f->n; i++)
		square_weights(&boxes[i], &f->boxes[i]);
	for (size_t i = f->n; i-- > 1;)
		for (size_t side = 0; side < N_FLAME_SIDES; side++) {
			struct scatter *parent = &boxes[f->boxes[i].parent];

			parent->samples[side] += boxes[i].samples[side];
			parent->squares[side] += boxes[i].squares[side];
		}
}

/*
 * Returns how much more the weights of the samples of a box scatter its share than the same number
 * of samples of mean weight would: 1 if all samples weigh the same. It is computed from both sides,
 * because a box may be missing on one.
 */
static double flame_compare_unevenness(const struct flame *f, const struct scatter *all, size_t i)
{
	double squares = 0, shares = 0;

	for (size_t side = 0; side < N_FLAME_SIDES; side++) {
		double total = (double)f->boxes[0].value[side].total;

		squares += all[i].squares[side] / total * all[0].samples[side] / total;
		shares += (double)f->boxes[i].value[side].total / total;
	}
	return shares > 0 ? squares / shares : 1;
}

/*
 * Returns the p-value of the test of two proportions, with the continuity correction of Yates. If
 * samples have weights, the variance of a share q of n samples is ((1 - 2 q) q u + q q U) / n,
 * where u is the unevenness of the box and U that of everything; with equal weights that is q (1 -
 * q) / n.
 */
static double p_of_counts(const struct flame *f, const struct scatter *all, size_t i)
{
	double a = flame_share(f, &f->boxes[i], FLAME_BEFORE) / 100;
	double b = flame_share(f, &f->boxes[i], FLAME_AFTER) / 100;
	double na = all[0].samples[FLAME_BEFORE], nb = all[0].samples[FLAME_AFTER];
	double q = (na * a + nb * b) / (na + nb), per_sample = 1 / na + 1 / nb;
	double u = flame_compare_unevenness(f, all, i);
	double variance = ((1 - 2 * q) * q * u + q * q * flame_compare_unevenness(f, all, 0)) *
			  per_sample;
	double beyond = fabs(a - b) - u * per_sample / 2;

	return variance > 0 && beyond > 0 ? erfc(beyond / sqrt(2 * variance)) : 1;
}

/*
 * Returns the p-value of the test of two sums of weights, the second of which is multiplied by
 * @scale. Each sum varies as the weights of its samples do.
 */
static double p_of_sums(const struct flame *f, const struct scatter *all, size_t i, double scale)
{
	double a = (double)f->boxes[i].value[FLAME_BEFORE].total;
	double b = (double)f->boxes[i].value[FLAME_AFTER].total * scale;
	double variance = all[i].squares[FLAME_BEFORE] +
			  scale * scale * all[i].squares[FLAME_AFTER];

	return variance > 0 ? erfc(fabs(a - b) / sqrt(2 * variance)) : 1;
}

/* Returns the factor by which the unchanged boxes weigh less after than before; 0: unknown. */
static double flame_compare_rest_of(const struct flame *f)
{
	const struct flame_box *all = &f->boxes[0];
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale;

	for (size_t i = 1; i < f->n; i++)
		rest_scale_add(&s, (double)f->boxes[i].value[FLAME_AFTER].self,
			       (double)f->boxes[i].value[FLAME_BEFORE].self,
			       (double)all->value[FLAME_AFTER].total,
			       (double)all->value[FLAME_BEFORE].total);
	return rest_scale_find(&s, &scale) ? scale : 0;
}

/*
 * Returns the p-value of a box. A share also changes because others do. So it has to agree with the
 * box's own weight, which stays the same if only others have grown, and with its weight relative to
 * the unchanged boxes, as for the rows of tools/diff/repeats-model.h.
 */
static double p_of_box(const struct flame *f, const struct scatter *all, size_t i, double rest)
{
	double p = fmax(p_of_counts(f, all, i), p_of_sums(f, all, i, 1));

	return rest > 0 ? fmax(p, p_of_sums(f, all, i, rest)) : p;
}

/* Judges the changes by numbers of samples. @boxes have their own samples. */
static void judge_counts(struct flame *f, struct scatter *boxes)
{
	double rest = flame_compare_rest_of(f);
	_cleanup_(freep) double *p = xcalloc(f->n, sizeof(*p));
	size_t n = 0, k = 0;

	scatter_sum_up(boxes, f);
	if (!(boxes[0].samples[FLAME_BEFORE] > 0) || !(boxes[0].samples[FLAME_AFTER] > 0))
		return;
	for (size_t i = 1; i < f->n; i++)
		if (!is_like_parent(f, i))
			p[n++] = p_of_box(f, boxes, i, rest);
	false_discovery_correct(p, n);
	for (size_t i = 1; i < f->n; i++)
		if (is_like_parent(f, i))
			f->boxes[i].change = f->boxes[f->boxes[i].parent].change;
		else if (p[k++] < COMPARE_P_LIMIT)
			f->boxes[i].change = seen_change(f, &f->boxes[i]);
}

void flame_compare_counts(struct flame *f)
{
	_cleanup_(freep) struct scatter *boxes = xcalloc(f->n, sizeof(*boxes));

	for (size_t i = 0; i < f->n; i++)
		for (size_t side = 0; side < N_FLAME_SIDES; side++)
			boxes[i].samples[side] = (double)f->boxes[i].value[side].self;
	judge_counts(f, boxes);
}

/* Returns the shares of all boxes in one recording, in percent. */
static double *shares_of(const struct flame *f, const struct flame_part *part)
{
	const struct flame *w = part->weights;
	_cleanup_(freep) uint32_t *place = places_of(w, f);
	double *shares = xcalloc(f->n, sizeof(*shares));

	for (size_t i = 0; i < w->n; i++)
		if (place[i] != FLAME_NONE)
			shares[place[i]] = flame_share(w, &w->boxes[i], FLAME_AFTER);
	return shares;
}

static double flame_compare_samples_of(const struct flame_part *part)
{
	const struct flame *f = part->samples ? part->samples : part->weights;

	return (double)f->boxes[0].value[FLAME_AFTER].total;
}

/* True if the recording has samples; without any it is no measurement. */
static bool flame_compare_is_measured(const struct flame_part *part)
{
	return part->weights->boxes[0].value[FLAME_AFTER].total &&
	       flame_compare_samples_of(part) > 0;
}

/* Returns the number of a side in a comparison, whose baseline is the first. */
static size_t command_of(const struct flame_part *part)
{
	return part->side == FLAME_AFTER;
}

static void set_least_deviation(struct compare_side *s, const struct flame_part *parts, size_t n,
				size_t command)
{
	double worth = 0;

	for (size_t i = 0; i < n; i++)
		if (command_of(&parts[i]) == command)
			worth += 100 / flame_compare_samples_of(&parts[i]);
	s->least_deviation = COMPARE_COUNT_DEVIATION * worth / (double)s->n;
}

/* Adds the row of @box. @scales: the factors for the shares of each recording; or NULL. */
static void flame_compare_add_row(struct compare *c, const struct flame_part *parts,
				  double *const *shares, const double *scales, size_t n, size_t box)
{
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "", "%");

	for (size_t i = 0; i < n; i++)
		compare_add(c, row, command_of(&parts[i]),
			    scales ? shares[i][box] * scales[i] : shares[i][box]);
	for (size_t command = 0; command < N_FLAME_SIDES; command++)
		set_least_deviation(&row->sides[command], parts, n, command);
}

/* Returns the change that @row shows, if it agrees with @seen. */
static enum flame_change shown_change(const struct compare_row *row, enum flame_change seen)
{
	enum compare_verdict verdict = row->differences[1].verdict;

	if (verdict == COMPARE_MORE && seen == FLAME_MORE)
		return FLAME_MORE;
	return verdict == COMPARE_LESS && seen == FLAME_LESS ? FLAME_LESS : FLAME_NOISE;
}

static struct compare *compare_boxes(const struct flame *f, const struct flame_part *parts,
				     double *const *shares, const double *scales, size_t n)
{
	struct compare *c = compare_new(N_FLAME_SIDES, (const char *const[]){ "before", "after" });

	for (size_t i = 1; i < f->n; i++)
		if (!is_like_parent(f, i))
			flame_compare_add_row(c, parts, shares, scales, n, i);
	compare_finish(c);
	return c;
}

/*
 * Returns the factor that turns the shares of a recording into its weights, in hundredths of the
 * first recording's.
 */
static double weight_scale(const struct flame_part *first, const struct flame_part *part)
{
	return (double)part->weights->boxes[0].value[FLAME_AFTER].total /
	       (double)first->weights->boxes[0].value[FLAME_AFTER].total;
}

/*
 * Returns the factor that turns the shares of a recording into shares relative to the unchanged
 * boxes.
 */
static double rest_scale_of(const struct flame *f, const double *share)
{
	_cleanup_(rest_scale_done) struct rest_scale s = { 0 };
	double scale;

	for (size_t i = 1; i < f->n; i++)
		rest_scale_add(&s, share[i], flame_share(f, &f->boxes[i], FLAME_BEFORE), 100, 100);
	return rest_scale_find(&s, &scale) && scale > 0 ? scale : 1;
}

/* Judges the changes like the rows of `perf diff`. The parts are measured. */
static void judge_repeats(struct flame *f, const struct flame_part *parts, size_t n)
{
	_cleanup_(compare_freep) struct compare *c = NULL, *weights = NULL, *rest = NULL;
	_cleanup_(freep) double *scales = xcalloc(n, sizeof(*scales));
	double **shares = xcalloc(n, sizeof(*shares));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		shares[i] = shares_of(f, &parts[i]);
	c = compare_boxes(f, parts, shares, NULL, n);
	for (size_t i = 0; i < n; i++)
		scales[i] = weight_scale(&parts[0], &parts[i]);
	weights = compare_boxes(f, parts, shares, scales, n);
	for (size_t i = 0; i < n; i++)
		scales[i] = rest_scale_of(f, shares[i]);
	rest = compare_boxes(f, parts, shares, scales, n);
	compare_agree(c, weights, 0);
	compare_agree(c, rest, 0);
	compare_correct(c, 0);
	for (size_t i = 1; i < f->n; i++)
		f->boxes[i].change = is_like_parent(f, i)
					     ? f->boxes[f->boxes[i].parent].change
					     : shown_change(c->rows[k++],
							    seen_change(f, &f->boxes[i]));
	for (size_t i = 0; i < n; i++)
		free(shares[i]);
	free(shares);
}

/* True if each side has several recordings. A single one does not show how much recordings vary. */
static bool are_repeated(const struct flame_part *parts, size_t n)
{
	size_t of_side[N_FLAME_SIDES] = { 0 };

	for (size_t i = 0; i < n; i++)
		of_side[parts[i].side]++;
	return of_side[FLAME_BEFORE] > 1 && of_side[FLAME_AFTER] > 1;
}

struct flame *flame_compare(const struct flame_part *parts, size_t n)
{
	struct flame *f = flame_compare_merge(parts, n);
	_cleanup_(freep) struct flame_part *measured = xcalloc(n + 1, sizeof(*measured));
	_cleanup_(freep) struct scatter *boxes = xcalloc(f->n, sizeof(*boxes));
	size_t n_measured = 0;

	for (size_t i = 0; i < n; i++)
		if (flame_compare_is_measured(&parts[i]))
			measured[n_measured++] = parts[i];
	if (are_repeated(measured, n_measured)) {
		judge_repeats(f, measured, n_measured);
		return f;
	}
	for (size_t i = 0; i < n_measured; i++)
		count_samples(boxes, f, &measured[i]);
	judge_counts(f, boxes);
	return f;
}
