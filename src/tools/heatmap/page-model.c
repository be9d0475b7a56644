/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/page-model.h"

#include "base/arena.h"
#include "base/memory.h"
#include "profile/page/page.h"
#include "tools/heatmap/heatmap-model.h"

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
