/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/window-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct heat *heat_window_begin(const struct heat_window *w, uint64_t start_ns)
{
	struct heat_options o = w->options;
	struct heat *h;

	/* The map holds two windows, and the columns in which the older one is replaced. */
	o.columns = HEAT_COLUMNS_MAX;
	h = heat_new(&o);
	heat_start(h, start_ns);
	return h;
}

void heat_window_init(struct heat_window *w, const struct heat_options *o, uint64_t now_ns)
{
	*w = (struct heat_window){ .options = *o, .start_ns = now_ns };
	w->older = heat_window_begin(w, now_ns);
}

void heat_window_done(struct heat_window *w)
{
	heat_free(w->older);
	heat_free(w->younger);
	*w = (struct heat_window){ 0 };
}

static uint64_t columns_since(const struct heat_window *w, uint64_t start_ns, uint64_t now_ns)
{
	return now_ns > start_ns ? (now_ns - start_ns) / w->options.step_ns : 0;
}

void heat_window_add(struct heat_window *w, uint64_t time_ns, uint64_t value)
{
	if (time_ns >= w->start_ns)
		heat_add(w->older, time_ns, value);
	if (w->younger && time_ns >= w->younger_ns)
		heat_add(w->younger, time_ns, value);
}

static void start_younger(struct heat_window *w, uint64_t now_ns)
{
	w->younger_ns = w->start_ns + columns_since(w, w->start_ns, now_ns) * w->options.step_ns;
	w->younger = heat_window_begin(w, w->younger_ns);
}

/* Replaces the older heat by the younger one when the time has come. */
static void heat_window_turn(struct heat_window *w, uint64_t now_ns)
{
	if (w->younger && columns_since(w, w->younger_ns, now_ns) >= w->options.columns) {
		heat_free(w->older);
		w->older = w->younger;
		w->start_ns = w->younger_ns;
		w->younger = NULL;
	}
	if (!w->younger && columns_since(w, w->start_ns, now_ns) >= w->options.columns)
		start_younger(w, now_ns);
}

/* Computes the highest count and the total from the columns of @m. */
static void heat_window_sum_up(struct heat_map *m)
{
	m->highest = m->total = 0;
	for (size_t i = 0; i < m->n_columns * m->rows.n; i++)
		m->highest = m->counts[i] > m->highest ? m->counts[i] : m->highest;
	for (size_t i = 0; i < m->n_columns; i++)
		m->total += m->column_totals[i];
}

/* Reduces @m to @n columns, from @first on. Columns that @m does not have are empty. */
static void heat_window_choose_columns(struct heat_map *m, size_t first, size_t n)
{
	size_t there = m->n_columns > first ? m->n_columns - first : 0, rows = m->rows.n;
	uint64_t *counts = xcalloc(n * rows + 1, sizeof(*counts));
	uint64_t *totals = xcalloc(n + 1, sizeof(*totals));

	there = there < n ? there : n;
	if (there) {
		memcpy(counts, m->counts + first * rows, there * rows * sizeof(*counts));
		memcpy(totals, m->column_totals + first, there * sizeof(*totals));
	}
	free(m->counts);
	free(m->column_totals);
	m->counts = counts;
	m->column_totals = totals;
	m->start_ns += first * m->step_ns;
	m->n_columns = n;
	heat_window_sum_up(m);
}

int heat_window_settle(struct heat_window *w, uint64_t now_ns, struct heat_map *ret,
		       struct diag *diag)
{
	size_t all, n;
	int r;

	heat_window_turn(w, now_ns);
	all = columns_since(w, w->start_ns, now_ns);
	all = all ? all : 1;
	n = all < w->options.columns ? all : w->options.columns;
	r = heat_settle(w->older, ret, diag);
	if (r >= 0)
		heat_window_choose_columns(ret, all - n, n);
	return r;
}
