/* SPDX-License-Identifier: MIT */
#include "tools/stat/grid-view.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "view/stat/metric.h"

/*
 * Rows come unit by unit, or event by event with the units in the same order. The wanted line or
 * column is therefore nearly always the last one found or the one after it. The search begins there
 * and wraps around.
 */

static bool same_unit(const struct stat_unit *a, const struct stat_unit *b)
{
	return a == b || (a->socket == b->socket && a->die == b->die && a->cluster == b->cluster &&
			  a->core == b->core && a->node == b->node && a->cpu == b->cpu &&
			  a->cache == b->cache && a->tid == b->tid);
}

/* Returns the line of @unit, or lines.n if it has none. */
static size_t stat_grid_find_line(const struct stat_grid *g, const struct stat_unit *unit,
				  size_t last)
{
	for (size_t i = 0; i < g->lines.n; i++) {
		size_t at = (last + i) % g->lines.n;

		if (same_unit(g->lines.items[at]->unit, unit))
			return at;
	}
	return g->lines.n;
}

static size_t find_column(const struct stat_grid *g, const struct stat_event *event, size_t index,
			  size_t last)
{
	for (size_t i = 0; i < g->columns.n; i++) {
		size_t at = (last + i) % g->columns.n;
		const struct stat_column *c = &g->columns.items[at];

		if (c->event == event && c->index == index)
			return at;
	}
	return g->columns.n;
}

static bool has_heading(const struct stat_grid *g, const char *heading)
{
	for (size_t i = 0; i < g->columns.n; i++)
		if (!strcmp(g->columns.items[i].heading, heading))
			return true;
	return false;
}

/* Returns the metric's unit, after the names that are necessary to make it unique. */
static char *make_heading(const struct stat_grid *g, const struct stat_event *e,
			  const struct stat_metric *m, bool with_cgroup, bool with_name)
{
	struct text t = TEXT_EMPTY;

	if (with_cgroup && *e->cgroup)
		text_addf(&t, "%s ", e->cgroup);
	if (with_name)
		text_addf(&t, "%s ", e->name);
	text_add(&t, m->unit);
	if (with_name || !has_heading(g, t.chars))
		return text_take(&t);
	text_done(&t);
	return make_heading(g, e, m, with_cgroup, true);
}

/*
 * Adds a line. An event may count on fewer CPUs of a unit than others; the line has the largest
 * number.
 */
static void stat_grid_add_line(struct stat_grid *g, const struct stat_row *r, size_t *line)
{
	const struct stat_row **named;

	*line = stat_grid_find_line(g, r->unit, *line);
	if (*line == g->lines.n)
		*ARRAY_ADD(&g->lines) = r;
	named = &g->lines.items[*line];
	if (r->unit && r->n_cpus > (*named)->n_cpus)
		*named = r;
}

static void stat_grid_add_columns(struct stat_grid *g, const struct stat_table *t,
				  const struct stat_row *r, size_t *column)
{
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct stat_metric *m = &r->metrics[i];
		struct stat_column *c;
		char *heading;

		if (m->rate)
			continue;
		*column = find_column(g, r->event, i, *column);
		if (*column < g->columns.n)
			continue;
		heading = make_heading(g, r->event, m, t->has_cgroups, m->of_all);
		c = ARRAY_ADD(&g->columns);
		*c = (struct stat_column){ .event = r->event, .index = i, .heading = heading };
	}
}

static void fill_cells(struct stat_grid *g, const struct stat_row *r, size_t *line, size_t *column)
{
	*line = stat_grid_find_line(g, r->unit, *line);
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct stat_metric *m = &r->metrics[i];

		if (m->rate || r->state != STAT_COUNTED || !stat_metric_is_known(m))
			continue;
		*column = find_column(g, r->event, i, *column);
		g->cells[*line * g->columns.n + *column] = m;
	}
}

void stat_grid_init(struct stat_grid *g, const struct stat_table *t)
{
	size_t line = 0, column = 0;

	*g = (struct stat_grid){ 0 };
	for (size_t i = 0; i < t->n_rows; i++) {
		stat_grid_add_line(g, &t->rows[i], &line);
		stat_grid_add_columns(g, t, &t->rows[i], &column);
	}
	g->cells = xcalloc(g->lines.n * g->columns.n + 1, sizeof(g->cells[0]));
	for (size_t i = 0; i < t->n_rows; i++)
		fill_cells(g, &t->rows[i], &line, &column);
}

void stat_grid_done(struct stat_grid *g)
{
	for (size_t i = 0; i < g->columns.n; i++)
		free(g->columns.items[i].heading);
	free(g->columns.items);
	free(g->lines.items);
	free(g->cells);
}

const struct stat_metric *stat_grid_get(const struct stat_grid *g, size_t line, size_t column)
{
	return g->cells[line * g->columns.n + column];
}
