/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/heatmap-model.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/heatmap/cells-model.h"

/*
 * Fine columns are powers of ten of nanoseconds wide. One more factor of ten is taken when there
 * are more than this many, which leaves as many as HEAT_COLUMNS_MAX.
 */
#define FINE_COLUMNS_MAX (10 * HEAT_COLUMNS_MAX)

/* With more cells than this, fine columns become wider as long as the picture permits. */
#define CELLS_MAX (1u << 18)

/* Rows of cells that lie outside; larger than any step. */
#define ROW_UNDER (UINT32_MAX - 1)
#define ROW_OVER  UINT32_MAX

struct heat {
	struct heat_options o;
	struct heat_cells cells;
	uint64_t base;      /* steps are those of the values less this */
	uint64_t origin_ns; /* fine column 0 begins here */
	uint64_t width_ns;  /* of a fine column */
	bool has_columns;
	int64_t first, last; /* fine columns */
	uint64_t total, over, under, smallest, largest;
};

struct heat *heat_new(const struct heat_options *o)
{
	struct heat *h = xcalloc(1, sizeof(*h));

	h->o = *o;
	if (o->scale == HEAT_AUTO && (o->min || o->max))
		h->o.scale = HEAT_LINEAR;
	if (h->o.scale == HEAT_LINEAR)
		h->base = o->min;
	h->width_ns = o->step_ns ? o->step_ns : 1;
	if (h->width_ns > INT64_MAX)
		h->width_ns = INT64_MAX;
	h->smallest = UINT64_MAX;
	heat_cells_init(&h->cells);
	return h;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	heat_cells_done(&h->cells);
	free(h);
}

void heat_start(struct heat *h, uint64_t time_ns)
{
	h->has_columns = true;
	h->origin_ns = time_ns;
}

static void heatmap_coarsen(struct heat *h)
{
	h->width_ns *= 10;
	h->first = heat_floor_div(h->first, 10);
	h->last = heat_floor_div(h->last, 10);
	heat_cells_coarsen(&h->cells, 10);
}

static bool is_too_fine(const struct heat *h)
{
	int64_t n = h->last - h->first;

	if (h->o.step_ns)
		return false;
	return n >= FINE_COLUMNS_MAX || (h->cells.n > CELLS_MAX && n / 10 >= (int64_t)h->o.columns);
}

static uint32_t fine_row(struct heat *h, uint64_t value)
{
	if (value < h->o.min) {
		h->under++;
		return ROW_UNDER;
	}
	if (h->o.max && value > h->o.max) {
		h->over++;
		return ROW_OVER;
	}
	return heat_step(value - h->base);
}

/* From @from to @to; what lies farther apart than any clock runs is brought nearer. */
static int64_t heatmap_distance(uint64_t from, uint64_t to)
{
	uint64_t d = to < from ? from - to : to - from;

	if (d > INT64_MAX / 2)
		d = INT64_MAX / 2;
	return to < from ? -(int64_t)d : (int64_t)d;
}

static void heatmap_widen(struct heat *h, int64_t column)
{
	if (!h->has_columns)
		h->first = h->last = column;
	h->has_columns = true;
	h->first = column < h->first ? column : h->first;
	h->last = column > h->last ? column : h->last;
	while (is_too_fine(h))
		heatmap_coarsen(h);
}

void heat_add(struct heat *h, uint64_t time_ns, uint64_t value)
{
	heat_add_many(h, time_ns, value, 1);
}

void heat_add_many(struct heat *h, uint64_t time_ns, uint64_t value, uint64_t n)
{
	int64_t column = heat_floor_div(heatmap_distance(h->origin_ns, time_ns),
					(int64_t)h->width_ns);

	heat_cells_add(&h->cells, column, fine_row(h, value), n);
	h->total += n;
	h->smallest = value < h->smallest ? value : h->smallest;
	h->largest = value > h->largest ? value : h->largest;
	heatmap_widen(h, column);
}

/* How many values are below @bound. */
static uint64_t count_below(const struct heat *h, uint64_t bound)
{
	uint64_t n = 0;

	for (size_t i = 0; i < h->cells.room; i++) {
		const struct heat_cell *c = &h->cells.items[i];

		if (c->count && c->row < ROW_UNDER && heat_step_value(c->row) < bound)
			n += c->count;
	}
	return n;
}

static uint64_t heatmap_clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* The last row ends at max, which belongs to it. */
static void cut_rows(const struct heat *h, struct heat_rows *r)
{
	if (r->bounds[0] < h->o.min)
		r->bounds[0] = h->o.min;
	if (h->o.max && r->bounds[r->n] > h->o.max)
		r->bounds[r->n] = h->o.max;
}

static struct heat_rows linear_rows(const struct heat *h, uint64_t high)
{
	struct heat_rows r = heat_rows_linear((h->o.max ? h->o.max - 1 : high) - h->base,
					      h->o.rows);

	for (size_t i = 0; i <= r.n; i++)
		if (__builtin_add_overflow(r.bounds[i], h->base, &r.bounds[i]))
			r.bounds[i] = UINT64_MAX;
	cut_rows(h, &r);
	return r;
}

static struct heat_rows log_rows(const struct heat *h, uint64_t low, uint64_t high)
{
	struct heat_rows r = heat_rows_log(low, high, h->o.rows);

	cut_rows(h, &r);
	return r;
}

static void choose_rows(const struct heat *h, struct heat_map *m)
{
	uint64_t top = h->o.max ? h->o.max : UINT64_MAX;
	uint64_t low = heatmap_clamp(h->smallest, h->o.min, top),
		 high = heatmap_clamp(h->largest, low, top);

	if (h->o.scale != HEAT_LOG) {
		m->rows = linear_rows(h, high);
		if (h->o.scale == HEAT_LINEAR || m->rows.n == 1 ||
		    count_below(h, m->rows.bounds[1]) <= h->total / 2)
			return;
		heat_rows_done(&m->rows);
	}
	m->is_log = true;
	m->rows = log_rows(h, low, high);
}

/* Returns how many fine columns make one that is shown. */
static int64_t heatmap_choose_columns(const struct heat *h, struct heat_map *m)
{
	int64_t n = h->last - h->first + 1, factor = 1;

	if (!h->o.step_ns)
		factor = (int64_t)heat_round_up((uint64_t)(n - 1) / h->o.columns + 1);
	m->start_ns = h->origin_ns + (uint64_t)h->first * h->width_ns;
	m->step_ns = h->width_ns * (uint64_t)factor;
	m->n_columns = (size_t)((n - 1) / factor + 1);
	return factor;
}

static void heatmap_fill(const struct heat *h, int64_t factor, struct heat_map *m)
{
	m->counts = xcalloc(m->n_columns * m->rows.n, sizeof(*m->counts));
	m->column_totals = xcalloc(m->n_columns, sizeof(*m->column_totals));
	for (size_t i = 0; i < h->cells.room; i++) {
		const struct heat_cell *c = &h->cells.items[i];
		size_t column = (size_t)((c->column - h->first) / factor), row = c->row;
		uint64_t *count;

		if (!c->count)
			continue;
		m->column_totals[column] += c->count;
		if (row == ROW_UNDER || row == ROW_OVER)
			continue;
		row = heat_rows_find(&m->rows, h->base + heat_step_value(c->row));
		count = &m->counts[column * m->rows.n + row];
		*count += c->count;
		m->highest = *count > m->highest ? *count : m->highest;
	}
}

int heat_settle(const struct heat *h, struct heat_map *ret, struct diag *diag)
{
	struct heat_map m = {
		.total = h->total,
		.over = h->over,
		.under = h->under,
		.smallest = h->smallest,
		.largest = h->largest,
	};
	int64_t factor;

	if (!h->total)
		return diag_set(diag, -ENODATA, "there is nothing to draw");
	factor = heatmap_choose_columns(h, &m);
	if (m.n_columns > HEAT_COLUMNS_MAX)
		return diag_set(diag, -E2BIG,
				"columns of that width would be %zu, and at most %d are drawn",
				m.n_columns, HEAT_COLUMNS_MAX);
	choose_rows(h, &m);
	heatmap_fill(h, factor, &m);
	*ret = m;
	return 0;
}

void heat_map_done(struct heat_map *m)
{
	heat_rows_done(&m->rows);
	free(m->counts);
	free(m->column_totals);
	*m = (struct heat_map){ 0 };
}

void heat_map_merge_columns(struct heat_map *m, size_t n)
{
	size_t every = (m->n_columns - 1) / n + 1;

	if (every == 1)
		return;
	m->highest = 0;
	for (size_t c = 0; c < m->n_columns; c++) {
		uint64_t *to = &m->counts[c / every * m->rows.n];

		for (size_t r = 0; r < m->rows.n; r++) {
			to[r] = (c % every ? to[r] : 0) + heat_count(m, c, r);
			m->highest = to[r] > m->highest ? to[r] : m->highest;
		}
		m->column_totals[c / every] = (c % every ? m->column_totals[c / every] : 0) +
					      m->column_totals[c];
	}
	m->n_columns = (m->n_columns - 1) / every + 1;
	m->step_ns *= every;
}
