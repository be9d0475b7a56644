/* SPDX-License-Identifier: MIT */
#include "tools/diff/peers-model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/student.h"

/* One in this number of machines may differ. */
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

/* The data with which one row is searched. */
struct diff_peers_search {
	const struct peers *peers;
	double *y;        /* indexed by machine */
	double *noise;    /* by machine: the part of y's variance that comes from sampling */
	double *limits;   /* indexed by stage */
	size_t *removed;  /* removed machines, in the order of the stages */
	bool *is_removed; /* indexed by machine */
	size_t *order;    /* the machines, sorted by y */
	double *sorted;   /* shares of the other machines */
	size_t *best;     /* by machine: 1 + its outlier's index; 0: none */
	size_t n_stages;
};

/*
 * Returns the transformed share, as in F. J. Anscombe, "The transformation of Poisson, binomial and
 * negative-binomial data" (1948).
 */
static double peers_arcsine(double share, double samples)
{
	double count = fmin(fmax(share / 100, 0), 1) * samples;

	return asin(sqrt((count + 0.375) / (samples + 0.75)));
}

/* Returns how far the furthest of @n machines may be, in deviations: Rosner's lambda. */
static double peers_limit_of(size_t n, double p)
{
	double t = student_quantile(1 - p / (2 * (double)n), (double)n - 2);

	return ((double)n - 1) * t / sqrt(((double)n - 2 + t * t) * (double)n);
}

static int by_y(const void *va, const void *vb, void *arg)
{
	const struct diff_peers_search *s = arg;
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;

	if (s->y[a] != s->y[b])
		return s->y[a] < s->y[b] ? -1 : 1;
	return a < b ? -1 : 1;
}

/* The sums over the remaining machines, which are updated when machines are removed one by one. */
struct remaining {
	size_t n;
	size_t first, last; /* in s->order: machines outside are removed */
	double origin;      /* sums are of y - origin, which keeps them exact */
	double sum, sum_squares, noise;
};

static void remaining_add(struct remaining *r, const struct diff_peers_search *s, size_t machine,
			  int sign)
{
	double y = s->y[machine] - r->origin;

	r->sum += sign * y;
	r->sum_squares += sign * y * y;
	r->noise += sign * s->noise[machine];
	r->n += (size_t)sign;
}

static struct remaining all_remain(const struct diff_peers_search *s)
{
	const size_t n = s->peers->n;
	struct remaining r = { .last = n - 1, .origin = s->y[s->order[n / 2]] };

	for (size_t i = 0; i < n; i++)
		remaining_add(&r, s, i, 1);
	return r;
}

/*
 * Finds the machine that is furthest from the mean of the remaining ones, and how far it is, in
 * deviations. The uncertainty from few samples is added to the usual deviation, so a machine is at
 * most as far as its y indicates. The search goes inwards from both ends of the order only as long
 * as a machine may be further than the best one.
 */
static size_t peers_furthest(const struct diff_peers_search *s, const struct remaining *r,
			     double *ret_distance)
{
	double mean = r->origin + r->sum / (double)r->n, noise = r->noise / (double)r->n;
	double variance = (r->sum_squares - r->sum * r->sum / (double)r->n) / ((double)r->n - 1);
	size_t low = r->first, high = r->last, found = s->order[low];

	variance = fmax(variance, noise);
	*ret_distance = -1;
	while (low <= high && high < s->peers->n) {
		double below = fabs(s->y[s->order[low]] - mean);
		double above = fabs(s->y[s->order[high]] - mean);
		size_t machine = s->order[above > below ? high-- : low++];
		double distance = fmax(above, below);
		double extra = fmax(s->noise[machine] - noise, 0);

		if (distance / sqrt(variance) <= *ret_distance)
			break;
		distance /= sqrt(variance + extra);
		if (!s->is_removed[machine] && distance > *ret_distance) {
			*ret_distance = distance;
			found = machine;
		}
	}
	return found;
}

static void remove_machine(struct diff_peers_search *s, struct remaining *r, size_t machine)
{
	s->is_removed[machine] = true;
	remaining_add(r, s, machine, -1);
	while (r->first < r->last && s->is_removed[s->order[r->first]])
		r->first++;
	while (r->last > r->first && s->is_removed[s->order[r->last]])
		r->last--;
}

static int peers_by_number(const void *va, const void *vb)
{
	double a = *(const double *)va, b = *(const double *)vb;

	return a < b ? -1 : a > b;
}

/* Computes the median and the deviation of the shares of the machines that were not removed. */
static void usual_of(const struct diff_peers_search *s, const struct peer_row *row,
		     struct peer_outlier *ret)
{
	struct moments m = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < s->peers->n; i++)
		if (!s->is_removed[i]) {
			s->sorted[n++] = row->shares[i];
			moments_add(&m, row->shares[i]);
		}
	qsort(s->sorted, n, sizeof(*s->sorted), peers_by_number);
	ret->usual = (s->sorted[(n - 1) / 2] + s->sorted[n / 2]) / 2;
	ret->deviation = sqrt(moments_variance(&m));
}

static void take_outlier(struct peers *p, struct diff_peers_search *s, struct peer_outlier found)
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

/*
 * Returns the number of outliers. All stages are done, because one that finds nothing may be
 * followed by one that does.
 */
static size_t count_outliers(struct diff_peers_search *s)
{
	struct remaining r;
	size_t n = 0;

	memset(s->is_removed, 0, s->peers->n * sizeof(*s->is_removed));
	for (size_t i = 0; i < s->peers->n; i++)
		s->order[i] = i;
	qsort_r(s->order, s->peers->n, sizeof(*s->order), by_y, s);
	r = all_remain(s);
	for (size_t stage = 0; stage < s->n_stages; stage++) {
		double distance;
		size_t machine = peers_furthest(s, &r, &distance);

		s->removed[stage] = machine;
		remove_machine(s, &r, machine);
		if (distance > s->limits[stage])
			n = stage + 1;
	}
	for (size_t stage = n; stage < s->n_stages; stage++)
		s->is_removed[s->removed[stage]] = false;
	return n;
}

static void search_row(struct peers *p, struct diff_peers_search *s, const struct peer_row *row)
{
	struct peer_outlier found = { .row = row->number, .n_rows = 1 };
	size_t n;

	for (size_t i = 0; i < p->n; i++)
		s->y[i] = peers_arcsine(row->shares[i], p->samples[i]);
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
	struct diff_peers_search s = {
		.peers = p,
		.n_stages = p->n / SHARE_OF_OUTLIERS,
		.y = xcalloc(p->n + 1, sizeof(double)),
		.noise = xcalloc(p->n + 1, sizeof(double)),
		.limits = xcalloc(p->n + 1, sizeof(double)),
		.removed = xcalloc(p->n + 1, sizeof(size_t)),
		.is_removed = xcalloc(p->n + 1, sizeof(bool)),
		.order = xcalloc(p->n + 1, sizeof(size_t)),
		.sorted = xcalloc(p->n + 1, sizeof(double)),
		.best = xcalloc(p->n + 1, sizeof(size_t)),
	};

	for (size_t i = 0; i < p->n; i++)
		s.noise[i] = 1 / (4 * p->samples[i]);
	for (size_t i = 0; p->rows.n && i < s.n_stages; i++)
		s.limits[i] = peers_limit_of(p->n - i, PEERS_P / (double)p->rows.n);
	for (size_t i = 0; i < p->rows.n; i++)
		search_row(p, &s, &p->rows.items[i]);
	if (p->n_outliers)
		qsort(p->outliers, p->n_outliers, sizeof(*p->outliers), by_distance);
	free(s.y);
	free(s.noise);
	free(s.limits);
	free(s.removed);
	free(s.is_removed);
	free(s.order);
	free(s.sorted);
	free(s.best);
}

bool peers_are_few(const struct peers *p)
{
	return p->n_outliers * SHARE_OF_OUTLIERS <= p->n;
}
