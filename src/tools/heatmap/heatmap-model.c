/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/heatmap-model.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "profile/page/page.h"

/*
 * The maximum number of fine columns. Their width is a power of ten of nanoseconds. When there are
 * more columns than this, the width is multiplied by ten, which leaves HEAT_COLUMNS_MAX columns.
 */
#define FINE_COLUMNS_MAX (10 * HEAT_COLUMNS_MAX)

/* With more cells than this, fine columns become wider as long as the picture permits it. */
#define CELLS_MAX (1u << 18)

/* The rows of cells outside of the range. They are larger than any step. */
#define ROW_UNDER (UINT32_MAX - 1)
#define ROW_OVER  UINT32_MAX

struct heat {
	struct heat_options o;
	struct heat_cells cells;
	uint64_t base;      /* subtracted from a value to get its step */
	uint64_t origin_ns; /* the beginning of fine column 0 */
	uint64_t width_ns;  /* the width of a fine column */
	bool has_columns;
	int64_t first, last; /* the range of fine columns */
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

/* Returns the distance from @from to @to. A distance that no clock can reach is reduced. */
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

/* Returns the number of values below @bound. */
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

/* Cuts the rows at min and max. The last row ends at max and includes it. */
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

/* Returns the number of fine columns that make one shown column. */
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

#define ROOM_FIRST 1024

void heat_cells_init(struct heat_cells *c)
{
	*c = (struct heat_cells){ .room = ROOM_FIRST, .seed = hash_seed() };
	c->items = xcalloc(c->room, sizeof(*c->items));
}

void heat_cells_done(struct heat_cells *c)
{
	free(c->items);
	*c = (struct heat_cells){ 0 };
}

int64_t heat_floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;

	return q - (a % b < 0);
}

/* Returns the cell, or the free place for it. */
static struct heat_cell *heat_cells_place_of(const struct heat_cells *c, int64_t column,
					     uint32_t row)
{
	uint64_t hash = hash_u64(c->seed, hash_u64(c->seed, (uint64_t)column) ^ row);
	size_t i = (size_t)hash & (c->room - 1);

	while (c->items[i].count && (c->items[i].column != column || c->items[i].row != row))
		i = (i + 1) & (c->room - 1);
	return &c->items[i];
}

/* Moves all cells to a table with @room places, and divides their columns by @factor. */
static void heat_cells_rebuild(struct heat_cells *c, size_t room, int64_t factor)
{
	struct heat_cells old = *c;

	c->room = room;
	c->n = 0;
	c->items = xcalloc(room, sizeof(*c->items));
	for (size_t i = 0; i < old.room; i++)
		if (old.items[i].count)
			heat_cells_add(c, heat_floor_div(old.items[i].column, factor),
				       old.items[i].row, old.items[i].count);
	free(old.items);
}

void heat_cells_add(struct heat_cells *c, int64_t column, uint32_t row, uint64_t count)
{
	struct heat_cell *cell = heat_cells_place_of(c, column, row);

	if (!cell->count) {
		*cell = (struct heat_cell){ .column = column, .row = row };
		c->n++;
	}
	cell->count += count;
	if (2 * c->n > c->room)
		heat_cells_rebuild(c, c->room * 2, 1);
}

void heat_cells_coarsen(struct heat_cells *c, int64_t factor)
{
	heat_cells_rebuild(c, c->room, factor);
}

#define STEPS_PER_DECADE 1000

static const uint64_t powers[] = {
	1u,
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
};

/* Returns the number of digits of @value, which is above 0. */
static unsigned heatmap_rows_digits_of(uint64_t value)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(value);
	unsigned digits = bits * 1233 >> 12; /* log10(2) is 1233 / 4096 */

	return digits + (digits < ARRAY_SIZE(powers) && value >= powers[digits]);
}

uint32_t heat_step(uint64_t value)
{
	unsigned magnitude;

	if (value < STEPS_PER_DECADE)
		return (uint32_t)value;
	magnitude = heatmap_rows_digits_of(value) - 3;
	return magnitude * STEPS_PER_DECADE + (uint32_t)(value / powers[magnitude]);
}

uint64_t heat_step_value(uint32_t step)
{
	return step % STEPS_PER_DECADE * powers[step / STEPS_PER_DECADE];
}

void heat_rows_done(struct heat_rows *r)
{
	free(r->bounds);
	*r = (struct heat_rows){ 0 };
}

uint64_t heat_round_up(uint64_t at_least)
{
	static const unsigned leading[] = { 1, 2, 5 };

	for (size_t p = 0; p < ARRAY_SIZE(powers) - 1; p++)
		for (size_t i = 0; i < ARRAY_SIZE(leading); i++)
			if (leading[i] * powers[p] >= at_least)
				return leading[i] * powers[p];
	return powers[ARRAY_SIZE(powers) - 1];
}

struct heat_rows heat_rows_linear(uint64_t high, size_t rows)
{
	uint64_t width = heat_round_up(high / rows + 1);
	struct heat_rows r = { .n = high / width + 1 };

	r.bounds = xcalloc(r.n + 1, sizeof(*r.bounds));
	for (size_t i = 0; i <= r.n; i++)
		if (__builtin_mul_overflow(i, width, &r.bounds[i]))
			r.bounds[i] = UINT64_MAX;
	return r;
}

/* Preferred numbers: @n of them for a power of ten, in about equal ratios. */
static const struct {
	unsigned n;
	unsigned leading[20];
} series[] = {
	{ 20, { 100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
		315, 355, 400, 450, 500, 560, 630, 710, 800, 900 } },
	{ 10, { 100, 125, 160, 200, 250, 315, 400, 500, 630, 800 } },
	{ 5, { 100, 160, 250, 400, 630 } },
	{ 3, { 100, 200, 500 } },
	{ 2, { 100, 315 } },
	{ 1, { 100 } },
};

/*
 * Fills in the bounds of series @s in every @decades powers of ten, from @low to the first one
 * above @high. Returns their number.
 */
static size_t log_bounds(size_t s, size_t decades, uint64_t low, uint64_t high, uint64_t *bounds)
{
	size_t n = 0;

	for (size_t p = 0; p < ARRAY_SIZE(powers); p += decades)
		for (unsigned i = 0; i < series[s].n; i++) {
			__extension__ unsigned __int128 wide =
				(unsigned __int128)series[s].leading[i] * powers[p] / 100;
			uint64_t bound = wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;

			if (n && bound <= bounds[n - 1])
				continue;
			if (bound <= low)
				n = 0; /* keeps only the last of the bounds up to @low */
			bounds[n++] = bound;
			if (bound > high)
				return n;
		}
	if (bounds[n - 1] < UINT64_MAX)
		bounds[n++] = UINT64_MAX;
	return n;
}

struct heat_rows heat_rows_log(uint64_t low, uint64_t high, size_t rows)
{
	enum {
		ROOM = 20 * ARRAY_SIZE(powers) + 2
	};
	struct heat_rows r = { .bounds = xcalloc(ROOM, sizeof(*r.bounds)) };
	size_t zero = low == 0, n = rows + 2, s = 0;

	while (n - 1 + zero > rows && s < ARRAY_SIZE(series))
		n = log_bounds(s++, 1, low ? low : 1, high, r.bounds + zero);
	for (size_t decades = 2; n - 1 + zero > rows && decades < ARRAY_SIZE(powers); decades++)
		n = log_bounds(ARRAY_SIZE(series) - 1, decades, low ? low : 1, high,
			       r.bounds + zero);
	r.n = n - 1 + zero;
	return r;
}

size_t heat_rows_find(const struct heat_rows *r, uint64_t value)
{
	size_t n = BISECT(i, r->n, r->bounds[i] <= value);

	return n ? n - 1 : 0;
}

static struct page_axis time_axis(const struct heat_map *m)
{
	return (struct page_axis){ .step = (double)m->step_ns,
				   .n = (uint32_t)m->n_columns,
				   .unit = "ns" };
}

static struct page_axis value_axis(struct page *p, const struct heat_map *m, bool values_are_times)
{
	double *bounds = arena_alloc(&p->arena, (m->rows.n + 1) * sizeof(*bounds));

	for (size_t i = 0; i <= m->rows.n; i++)
		bounds[i] = (double)m->rows.bounds[i];
	return (struct page_axis){ .bounds = bounds,
				   .n = (uint32_t)m->rows.n,
				   .unit = values_are_times ? "ns" : "" };
}

static void heatmap_page_add_cells(const struct heat_map *m, struct page_heat *heat)
{
	for (size_t i = 0; i < m->n_columns * m->rows.n; i++)
		heat->n += m->counts[i] != 0;
	heat->cells = xcalloc(heat->n + 1, sizeof(*heat->cells));
	heat->n = 0;
	for (size_t c = 0; c < m->n_columns; c++)
		for (size_t r = 0; r < m->rows.n; r++)
			if (heat_count(m, c, r))
				heat->cells[heat->n++] =
					(struct page_heat_cell){ .row = (uint32_t)r,
								 .column = (uint32_t)c,
								 .count = heat_count(m, c, r) };
}

void heat_page_fill(struct page *p, const struct heat_map *m, bool values_are_times)
{
	struct page_heat *heat = xcalloc(1, sizeof(*heat));

	*heat = (struct page_heat){ .x = time_axis(m),
				    .y = value_axis(p, m, values_are_times),
				    .over = m->over };
	heatmap_page_add_cells(m, heat);
	p->heat = heat;
	p->views = PAGE_VIEW_HEAT | PAGE_VIEW_FACTS;
}
