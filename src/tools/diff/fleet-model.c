/* SPDX-License-Identifier: MIT */
#include "tools/diff/fleet-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tools/diff/peers-model.h"

void diff_fleet_free(struct diff_fleet *f)
{
	if (!f)
		return;
	free(f->outliers);
	free(f->left_out);
	free(f->n_hosts);
	free(f->n_out);
	free(f->both);
	free(f);
}

static double diff_fleet_samples_of(const struct diff *d, size_t recording)
{
	const struct report_rows *rows = d->sides[recording];

	if (!rows || !d->totals[recording])
		return 0;
	return (double)(d->options->absolute ? rows->all.samples : rows->shown.samples);
}

/* The hosts of a side that have samples. */
struct members {
	size_t *recordings;
	double *samples, *shares;
	size_t n;
};

static void members_init(struct members *m, const struct diff_fleet *f, const struct diff *d,
			 size_t side)
{
	*m = (struct members){ .recordings = xcalloc(d->n_sides + 1, sizeof(size_t)),
			       .samples = xcalloc(d->n_sides + 1, sizeof(double)),
			       .shares = xcalloc(d->n_sides + 1, sizeof(double)) };
	for (size_t i = 0; i < d->n_sides; i++)
		if (f->options->side_of[i] == side && diff_fleet_samples_of(d, i) > 0) {
			m->recordings[m->n] = i;
			m->samples[m->n++] = diff_fleet_samples_of(d, i);
		}
}

static void members_done(struct members *m)
{
	free(m->recordings);
	free(m->samples);
	free(m->shares);
}

static void take_outliers(struct diff_fleet *f, const struct diff *d, size_t side,
			  const struct members *m, const struct peers *p)
{
	bool leaves_out = !f->options->keeps_outliers && peers_are_few(p);

	f->n_hosts[side] = m->n;
	for (size_t i = 0; i < p->n_outliers; i++) {
		const struct peer_outlier *o = &p->outliers[i];
		size_t recording = m->recordings[o->machine];

		f->outliers = array_reserve(f->outliers, &f->outliers_room, f->n_outliers + 1,
					    sizeof(*f->outliers));
		f->outliers[f->n_outliers++] = (struct host_outlier){
			.recording = recording,
			.side = side,
			.row = &d->rows[o->row],
			.share = o->share,
			.usual = o->usual,
			.deviation = o->deviation,
			.n_rows = o->n_rows,
		};
		f->left_out[recording] = leaves_out;
		f->n_out[side] += leaves_out;
	}
}

static void look_at_side(struct diff_fleet *f, const struct diff *d, size_t side)
{
	_cleanup_(members_done) struct members m;
	_cleanup_(peers_freep) struct peers *p = NULL;

	members_init(&m, f, d, side);
	p = peers_new(m.samples, m.n);
	for (size_t row = 0; row < d->n; row++) {
		for (size_t i = 0; i < m.n; i++)
			m.shares[i] = diff_share(d, m.recordings[i],
						 d->rows[row].cells[m.recordings[i]].period);
		peers_add_row(p, row, m.shares);
	}
	peers_find(p);
	take_outliers(f, d, side, &m, p);
}

struct host {
	const char *name;
	size_t side;
};

static int diff_fleet_by_name(const void *va, const void *vb)
{
	const struct host *a = va, *b = vb;
	int c = strcmp(a->name, b->name);

	return c ? c : a->side < b->side ? -1 : a->side > b->side;
}

static void find_both(struct diff_fleet *f, size_t n)
{
	_cleanup_(freep) struct host *hosts = xcalloc(n + 1, sizeof(*hosts));

	for (size_t i = 0; i < n; i++)
		hosts[i] = (struct host){ f->options->hosts[i], f->options->side_of[i] };
	qsort(hosts, n, sizeof(*hosts), diff_fleet_by_name);
	for (size_t i = 1; i < n; i++) {
		const char *name = hosts[i].name;

		if (strcmp(hosts[i - 1].name, name) != 0 || hosts[i - 1].side == hosts[i].side ||
		    (f->n_both && !strcmp(f->both[f->n_both - 1], name)))
			continue;
		f->both = array_reserve(f->both, &f->both_room, f->n_both + 1, sizeof(*f->both));
		f->both[f->n_both++] = name;
	}
}

struct diff_fleet *diff_fleet_new(const struct diff *d, const struct diff_fleet_options *o)
{
	struct diff_fleet *f = xcalloc(1, sizeof(*f));

	f->options = o;
	f->n_recordings = d->n_sides;
	f->left_out = xcalloc(d->n_sides + 1, sizeof(*f->left_out));
	f->n_hosts = xcalloc(o->n_sides + 1, sizeof(*f->n_hosts));
	f->n_out = xcalloc(o->n_sides + 1, sizeof(*f->n_out));
	for (size_t side = 0; side < o->n_sides; side++)
		look_at_side(f, d, side);
	find_both(f, d->n_sides);
	return f;
}
