/* SPDX-License-Identifier: MIT */
#include "count/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/moments.h"
#include "base/student.h"

/* One in so many may differ. */
#define SHARE_OF_OUTLIERS 5

struct peers *peers_new(const double *samples, size_t n)
{
	struct peers *p = xcalloc(1, sizeof(*p));

	p->n = n;
	p->samples = xcalloc(n + 1, sizeof(*p->samples));
	if (n)
		memcpy(p->samples, samples, n * sizeof(*samples));
	return p;
}

void peers_free(struct peers *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->rows.n; i++)
		free(p->rows.items[i].shares);
	free(p->rows.items);
	free(p->samples);
	free(p->outliers);
	free(p);
}

void peers_add_row(struct peers *p, size_t number, const double *shares)
{
	double least = INFINITY, most = -INFINITY;
	struct peer_row *row;

	for (size_t i = 0; i < p->n; i++) {
		least = fmin(least, shares[i]);
		most = fmax(most, shares[i]);
	}
	if (p->n < PEERS_MIN || most - least < PEERS_POINTS)
		return;
	row = ARRAY_ADD(&p->rows);
	row->number = number;
	row->shares = xcalloc(p->n, sizeof(*row->shares));
	memcpy(row->shares, shares, p->n * sizeof(*shares));
}

/* What one row is searched with. */
struct search {
	const struct peers *peers;
	double *y;        /* by machine */
	double *noise;    /* by machine: the variance of y that sampling explains */
	double *limits;   /* by stage */
	size_t *removed;  /* the machines, in the order of the stages */
	bool *is_removed; /* by machine */
	double *sorted;   /* shares of the others */
	size_t *best;     /* by machine: 1 + its outlier; 0: it is none */
	size_t n_stages;
};

/* F. J. Anscombe, "The transformation of Poisson, binomial and negative-binomial data" (1948). */
static double arcsine(double share, double samples)
{
	double count = fmin(fmax(share / 100, 0), 1) * samples;

	return asin(sqrt((count + 0.375) / (samples + 0.75)));
}

/* How far the furthest of @n machines may be, in deviations: Rosner's lambda. */
static double limit_of(size_t n, double p)
{
	double t = student_quantile(1 - p / (2 * (double)n), (double)n - 2);

	return ((double)n - 1) * t / sqrt(((double)n - 2 + t * t) * (double)n);
}

/* The machine that is furthest from the mean of those that remain; how far, in deviations. */
static size_t furthest(const struct search *s, double *ret_distance)
{
	const size_t n = s->peers->n;
	struct moments m = { 0 };
	double noise = 0, variance;
	size_t found = 0, left = 0;

	for (size_t i = 0; i < n; i++)
		if (!s->is_removed[i]) {
			moments_add(&m, s->y[i]);
			noise += s->noise[i];
			left++;
		}
	noise /= (double)left;
	variance = fmax(moments_variance(&m), noise);
	*ret_distance = -1;
	for (size_t i = 0; i < n; i++) {
		/* What few samples leave open comes on top of what is usual. */
		double extra = fmax(s->noise[i] - noise, 0);
		double distance = fabs(s->y[i] - m.mean) / sqrt(variance + extra);

		if (!s->is_removed[i] && distance > *ret_distance) {
			*ret_distance = distance;
			found = i;
		}
	}
	return found;
}

static int by_number(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return a < b ? -1 : a > b;
}

/* The median and the deviation of the shares of those that were not removed. */
static void usual_of(const struct search *s, const struct peer_row *row, struct peer_outlier *ret)
{
	struct moments m = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->peers->n; i++)
		if (!s->is_removed[i]) {
			s->sorted[n++] = row->shares[i];
			moments_add(&m, row->shares[i]);
		}
	qsort(s->sorted, n, sizeof(*s->sorted), by_number);
	ret->usual = (s->sorted[(n - 1) / 2] + s->sorted[n / 2]) / 2;
	ret->deviation = sqrt(moments_variance(&m));
}

static void take_outlier(struct peers *p, struct search *s, struct peer_outlier found)
{
	size_t *best = &s->best[found.machine];
	struct peer_outlier *o;

	if (!*best) {
		p->outliers = array_reserve(p->outliers, &p->outliers_room, p->n_outliers + 1,
					    sizeof(*p->outliers));
		p->outliers[p->n_outliers++] = found;
		*best = (size_t)p->n_outliers;
		return;
	}
	o = &p->outliers[*best - 1];
	found.n_rows = o->n_rows + 1;
	if (fabs(found.share - found.usual) > fabs(o->share - o->usual))
		*o = found;
	else
		o->n_rows++;
}

/* All stages are gone through: one that finds nothing may be followed by one that does. */
static size_t count_outliers(struct search *s)
{
	size_t n = 0;

	memset(s->is_removed, 0, s->peers->n * sizeof(*s->is_removed));
	for (size_t stage = 0; stage < s->n_stages; stage++) {
		double distance;
		size_t machine = furthest(s, &distance);

		s->removed[stage] = machine;
		s->is_removed[machine] = true;
		if (distance > s->limits[stage])
			n = stage + 1;
	}
	for (size_t stage = n; stage < s->n_stages; stage++)
		s->is_removed[s->removed[stage]] = false;
	return n;
}

static void search_row(struct peers *p, struct search *s, const struct peer_row *row)
{
	struct peer_outlier found = { .row = row->number, .n_rows = 1 };
	size_t n;

	for (size_t i = 0; i < p->n; i++)
		s->y[i] = arcsine(row->shares[i], p->samples[i]);
	n = count_outliers(s);
	if (!n)
		return;
	usual_of(s, row, &found);
	for (size_t i = 0; i < n; i++) {
		found.machine = s->removed[i];
		found.share = row->shares[found.machine];
		if (fabs(found.share - found.usual) >= PEERS_POINTS)
			take_outlier(p, s, found);
	}
}

static int by_distance(const void *va, const void *vb)
{
	const struct peer_outlier *a = va, *b = vb;
	double da = fabs(a->share - a->usual), db = fabs(b->share - b->usual);

	if (da != db)
		return da > db ? -1 : 1;
	return a->machine < b->machine ? -1 : 1;
}

void peers_find(struct peers *p)
{
	struct search s = {
		.peers = p,
		.n_stages = p->n / SHARE_OF_OUTLIERS,
		.y = xcalloc(p->n + 1, sizeof(double)),
		.noise = xcalloc(p->n + 1, sizeof(double)),
		.limits = xcalloc(p->n + 1, sizeof(double)),
		.removed = xcalloc(p->n + 1, sizeof(size_t)),
		.is_removed = xcalloc(p->n + 1, sizeof(bool)),
		.sorted = xcalloc(p->n + 1, sizeof(double)),
		.best = xcalloc(p->n + 1, sizeof(size_t)),
	};

	for (size_t i = 0; i < p->n; i++)
		s.noise[i] = 1 / (4 * p->samples[i]);
	for (size_t i = 0; p->rows.n && i < s.n_stages; i++)
		s.limits[i] = limit_of(p->n - i, PEERS_P / (double)p->rows.n);
	for (size_t i = 0; i < p->rows.n; i++)
		search_row(p, &s, &p->rows.items[i]);
	if (p->n_outliers)
		qsort(p->outliers, p->n_outliers, sizeof(*p->outliers), by_distance);
	free(s.y);
	free(s.noise);
	free(s.limits);
	free(s.removed);
	free(s.is_removed);
	free(s.sorted);
	free(s.best);
}

bool peers_are_few(const struct peers *p)
{
	return p->n_outliers * SHARE_OF_OUTLIERS <= p->n;
}
