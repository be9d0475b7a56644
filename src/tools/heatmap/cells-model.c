/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/cells-model.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

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

/* The cell, or the free place where it would go. */
static struct heat_cell *heat_cells_place_of(const struct heat_cells *c, int64_t column,
					     uint32_t row)
{
	uint64_t hash = hash_u64(c->seed, hash_u64(c->seed, (uint64_t)column) ^ row);
	size_t i = (size_t)hash & (c->room - 1);

	while (c->items[i].count && (c->items[i].column != column || c->items[i].row != row))
		i = (i + 1) & (c->room - 1);
	return &c->items[i];
}

/* Puts all cells into a table of @room places, with columns divided by @factor. */
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
