/* SPDX-License-Identifier: MIT */
#include "tools/timechart/wakes-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/timechart-model.h"

struct wake_list {
	struct chart_wake *items;
	size_t n, room;
};

static int by_wait(const void *a, const void *b)
{
	const struct chart_wake *x = a, *y = b;

	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

static void timechart_wakes_add_row(struct wake_list *l, const struct chart *c,
				    const uint32_t *row_of, uint32_t row, const struct lane *lane)
{
	for (size_t i = 0; i < lane->n; i++) {
		const struct lane_piece *p = &lane->items[i];

		if (p->fold != LANE_NONE || p->mark.state != CHART_RUNNABLE ||
		    p->mark.flags & CHART_PREEMPTED || p->mark.by >= c->tasks.n ||
		    row_of[p->mark.by] == LANE_NONE || row_of[p->mark.by] == row)
			continue;
		*ARRAY_ADD(l) = (struct chart_wake){ .time = p->start,
						     .wait_ns = lane_piece_end(lane, i) - p->start,
						     .from = row_of[p->mark.by],
						     .to = row };
	}
}

size_t chart_wakes(const struct chart *c, const struct chart_rows *rows, size_t most,
		   struct chart_wake **ret)
{
	uint32_t *row_of = xcalloc(c->tasks.n + 1, sizeof(*row_of));
	struct wake_list l = { 0 };

	for (size_t i = 0; i < c->tasks.n; i++)
		row_of[i] = LANE_NONE;
	for (uint32_t i = 0; i < rows->n_drawn; i++)
		row_of[rows->tasks[i]] = i;
	for (uint32_t i = 0; i < rows->n_drawn; i++) {
		const struct chart_task *t = &c->tasks.items[rows->tasks[i]];

		timechart_wakes_add_row(&l, c, row_of, i, &c->lanes.items[t->lane]);
	}
	if (l.n)
		qsort(l.items, l.n, sizeof(*l.items), by_wait);
	free(row_of);
	*ret = l.items;
	return l.n < most ? l.n : most;
}
