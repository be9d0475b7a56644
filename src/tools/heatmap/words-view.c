/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/words-view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/text.h"

#define NS_PER_US 1000u
#define NS_PER_S  1000000000u

#define STRENGTH_LEAST 0.2

static enum scale_unit heatmap_words_unit_of(const struct heat_picture *p)
{
	return p->values_are_times ? SCALE_TIME : SCALE_NUMBER;
}

static void set_tick(struct heat_tick *tick, double place, enum scale_unit unit, double value)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	tick->place = place;
	scale_label(&t, unit, value);
	snprintf(tick->label, sizeof(tick->label), "%s", t.chars);
}

size_t heat_x_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks)
{
	double span = (double)p->map->step_ns * (double)p->map->n_columns;
	struct scale s = { .high = span, .to = 1, .unit = SCALE_TIME };
	struct scale_ticks t = scale_ticks(&s, wanted);

	for (size_t i = 0; i < t.n; i++)
		set_tick(&ticks[i], scale_place(&s, t.values[i]), SCALE_TIME, t.values[i]);
	return t.n;
}

/*
 * Returns the place of @value on the axis. Rows have equal height whatever range of values they
 * cover; within a row the place is proportional to the value.
 */
static double heatmap_words_place_of(const struct heat_rows *rows, double value)
{
	size_t i = heat_rows_find(rows, (uint64_t)(value + 0.5));
	double low = (double)rows->bounds[i], high = (double)rows->bounds[i + 1];

	return ((double)i + (value - low) / (high - low)) / (double)rows->n;
}

size_t heat_y_ticks(const struct heat_picture *p, size_t wanted, struct heat_tick *ticks)
{
	const struct heat_rows *rows = &p->map->rows;
	bool is_log = p->map->is_log;
	struct scale s = { .low = (double)rows->bounds[is_log && !rows->bounds[0] && rows->n > 1],
			   .high = (double)rows->bounds[rows->n],
			   .to = 1,
			   .is_log = is_log,
			   .unit = heatmap_words_unit_of(p) };
	struct scale_ticks t = scale_ticks(&s, wanted);

	for (size_t i = 0; i < t.n; i++)
		set_tick(&ticks[i], heatmap_words_place_of(rows, t.values[i]), s.unit, t.values[i]);
	return t.n;
}

static void add_grouped(struct text *t, uint64_t n)
{
	text_filled(t, digits_grouped(text_room(t, DIGITS_GROUPED_MAX), n));
}

void heat_add_count(struct text *t, const struct heat_picture *p, uint64_t n)
{
	add_grouped(t, n);
	text_addf(t, " %.*s", (int)(strlen(p->noun) - (n == 1)), p->noun);
}

/* Appends a time since the start, with as many decimals as the width of columns needs. */
static void heatmap_words_add_time(struct text *t, const struct heat_map *m, double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, " s" }, { 1e6, " ms" }, { 1e3, " \xc2\xb5s" }, { 1, " ns" } };
	double span = (double)m->step_ns * (double)m->n_columns;
	unsigned decimals = 0;
	size_t u = 0;

	while (u + 1 < ARRAY_SIZE(units) && span < units[u].ns)
		u++;
	while (decimals < 6 && (double)m->step_ns * pow(10, decimals) < units[u].ns)
		decimals++;
	text_filled(t, digits_short(text_room(t, DIGITS_MAX), ns / units[u].ns, decimals));
	text_add(t, units[u].name);
}

static void heatmap_words_add_share(struct text *t, uint64_t part, uint64_t whole)
{
	double percent = whole ? 100 * (double)part / (double)whole : 0;

	text_addf(t, percent < 0.1 && part ? "%.2g%%" : "%.1f%%", percent);
}

void heat_add_cell(struct text *t, const struct heat_picture *p, size_t column, size_t row)
{
	const struct heat_map *m = p->map;
	uint64_t count = heat_count(m, column, row);

	heatmap_words_add_time(t, m, (double)m->step_ns * (double)column);
	text_add(t, " to ");
	heatmap_words_add_time(t, m, (double)m->step_ns * (double)(column + 1));
	text_add(t, ", ");
	scale_label(t, heatmap_words_unit_of(p), (double)m->rows.bounds[row]);
	text_add(t, " to ");
	scale_label(t, heatmap_words_unit_of(p), (double)m->rows.bounds[row + 1]);
	text_add(t, ": ");
	heat_add_count(t, p, count);
	text_add(t, ", ");
	heatmap_words_add_share(t, count, m->column_totals[column]);
	text_add(t, " of the column");
}

static void add_outside(struct text *t, const struct heat_picture *p, uint64_t n, const char *where,
			uint64_t bound)
{
	if (!n)
		return;
	text_add(t, "; ");
	add_grouped(t, n);
	text_addf(t, " %s ", where);
	scale_label(t, heatmap_words_unit_of(p), (double)bound);
	text_add(t, " not shown");
}

void heat_add_summary(struct text *t, const struct heat_picture *p)
{
	const struct heat_map *m = p->map;

	heat_add_count(t, p, m->total);
	text_add(t, ", ");
	scale_label(t, heatmap_words_unit_of(p), (double)m->smallest);
	text_add(t, " to ");
	scale_label(t, heatmap_words_unit_of(p), (double)m->largest);
	text_add(t, ", in columns of ");
	scale_label(t, SCALE_TIME, (double)m->step_ns);
	add_outside(t, p, m->over, "above", m->rows.bounds[m->rows.n]);
	add_outside(t, p, m->under, "below", m->rows.bounds[0]);
}

void heat_add_time_name(struct text *t, const struct heat_picture *p)
{
	uint64_t start = p->map->start_ns;

	text_addf(t, "time since %" PRIu64 ".%06" PRIu64 " s", start / NS_PER_S,
		  start % NS_PER_S / NS_PER_US);
}

double heat_shade(const struct heat_map *m, uint64_t count)
{
	return m->highest > 1 ? log((double)count) / log((double)m->highest) : 1;
}

double heat_shade_count(const struct heat_map *m, double shade)
{
	return pow((double)m->highest, shade);
}

double heat_strength(double shade)
{
	return STRENGTH_LEAST + (1 - STRENGTH_LEAST) * shade;
}
