/* SPDX-License-Identifier: MIT */
#include "profile/report-hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/contexts.h"
#include "profile/report-plan.h"

struct hierarchy_builder {
	const struct report_group *group;
	const struct report_plan *plan;
	struct arena *arena;
};

/* The entries of a level while its rows are made. */
struct hierarchy_entries {
	const struct report_entry **items;
	size_t n;
};

static void report_hierarchy_add_row(struct report_row *sum, const struct report_row *row)
{
	weight_add(&sum->self, row->self);
	weight_add(&sum->total, row->total);
	for (size_t i = 0; i < N_WEIGHT_MODES; i++)
		sum->self_by_mode[i] += row->self_by_mode[i];
	if (sum->sums)
		row_sums_add(sum->sums, row->sums);
}

/* Returns a row with the sum of all @entries; it has no stacks. */
static struct report_entry report_hierarchy_sum_up(const struct hierarchy_builder *b,
						   const struct hierarchy_entries *entries)
{
	size_t n = b->group->n_members;
	const struct report_entry *first = entries->items[0];
	struct report_row *sums = arena_alloc(b->arena, n * sizeof(*sums));
	const struct report_row **members = arena_alloc(b->arena, n * sizeof(sums));

	for (size_t m = 0; m < n; m++) {
		sums[m] = *first->row;
		sums[m].self = sums[m].total = (struct weight){ 0 };
		memset(sums[m].self_by_mode, 0, sizeof(sums[m].self_by_mode));
		if (sums[m].sums) {
			sums[m].sums = arena_alloc(b->arena, sizeof(*sums[m].sums));
			*sums[m].sums = (struct row_sums){ 0 };
		}
		members[m] = &sums[m];
		for (size_t i = 0; i < entries->n; i++)
			if (entries->items[i]->members[m])
				report_hierarchy_add_row(&sums[m], entries->items[i]->members[m]);
	}
	return (struct report_entry){ .rows = first->rows, .row = &sums[0], .members = members };
}

/* Returns the keys of @level, by number. */
static bool *level_keys(const struct hierarchy_builder *b, const struct report_columns *level)
{
	bool *keys = xcalloc(b->plan->keys.n + 1, sizeof(*keys));

	for (size_t i = 0; i < level->n; i++)
		if (!level->items[i].figure)
			keys[level->items[i].key] = true;
	return keys;
}

static int report_hierarchy_by_order(const void *a, const void *b, void *order)
{
	const struct hierarchy_row *ra = a, *rb = b;
	int c = report_entry_compare(order, &ra->entry, &rb->entry);

	return c ? c : ra->place < rb->place ? -1 : 1;
}

static void report_hierarchy_sort_rows(const struct hierarchy_builder *b, const bool *keys,
				       struct hierarchy_row *rows, size_t n)
{
	struct entry_order order = {
		.order = b->plan->order,
		.n_order = b->plan->n_order,
		.keys = keys,
		.n_members = b->group->n_members,
		.sort_by = b->group->sort_by,
	};

	qsort_r(rows, n, sizeof(*rows), report_hierarchy_by_order, &order);
}

/*
 * Groups @entries that agree in @keys, in the order of each group's first entry. Returns the
 * groups, which share one array of pointers.
 */
static struct hierarchy_entries *report_hierarchy_part(const struct hierarchy_builder *b,
						       const bool *keys,
						       const struct hierarchy_entries *entries,
						       size_t *ret_n)
{
	size_t width = b->plan->keys.n;
	_cleanup_(freep) uint64_t *values = xcalloc(width + 1, sizeof(*values));
	_cleanup_(freep) uint32_t *numbers = xcalloc(entries->n + 1, sizeof(*numbers));
	_cleanup_(contexts_done) struct contexts tuples;
	const struct report_entry **items = xcalloc(entries->n + 1, sizeof(*entries->items));
	struct hierarchy_entries *parts;

	contexts_init(&tuples, width);
	for (size_t i = 0; i < entries->n; i++) {
		const struct report_entry *e = entries->items[i];

		for (size_t k = 0; k < width; k++)
			values[k] = keys[k] ? e->row->values[k] : 0;
		numbers[i] = contexts_add(&tuples, values);
	}
	parts = xcalloc(tuples.n + 1, sizeof(*parts));
	for (size_t i = 0; i < entries->n; i++)
		parts[numbers[i]].n++;
	for (size_t i = 0; i < tuples.n; items += parts[i++].n)
		parts[i].items = items;
	for (size_t i = 0; i < tuples.n; i++)
		parts[i].n = 0;
	for (size_t i = 0; i < entries->n; i++) {
		struct hierarchy_entries *p = &parts[numbers[i]];

		p->items[p->n++] = entries->items[i];
	}
	*ret_n = tuples.n;
	return parts;
}

static struct hierarchy_row *make_level(const struct hierarchy_builder *b, size_t level,
					const struct hierarchy_entries *entries, size_t *ret_n)
{
	_cleanup_(freep) bool *keys = level_keys(b, &b->plan->levels[level]);
	_cleanup_(freep) struct hierarchy_entries *parts = report_hierarchy_part(b, keys, entries,
										 ret_n);
	struct hierarchy_row *rows = arena_alloc(b->arena, *ret_n * sizeof(*rows));

	for (size_t i = 0; i < *ret_n; i++) {
		struct hierarchy_row *row = &rows[i];

		row->place = i;
		if (level + 1 < b->plan->n_levels)
			row->children = make_level(b, level + 1, &parts[i], &row->n_children);
		row->entry = parts[i].n == 1 ? *parts[i].items[0]
					     : report_hierarchy_sum_up(b, &parts[i]);
	}
	free(parts[0].items);
	if (*ret_n)
		report_hierarchy_sort_rows(b, keys, rows, *ret_n);
	return rows;
}

static int report_hierarchy_by_place(const void *va, const void *vb)
{
	const struct report_entry *const *a = va, *const *b = vb;

	return (*a)->place < (*b)->place ? -1 : (*a)->place > (*b)->place;
}

struct report_hierarchy *report_hierarchy_new(const struct report_group *g,
					      const struct report_plan *plan)
{
	struct report_hierarchy *h = xcalloc(1, sizeof(*h));
	struct hierarchy_builder b = { .group = g, .plan = plan, .arena = &h->arena };
	struct hierarchy_entries all = { .n = g->n };

	all.items = xcalloc(g->n + 1, sizeof(*all.items));
	for (size_t i = 0; i < g->n; i++)
		all.items[i] = &g->entries[i];
	qsort(all.items, g->n, sizeof(*all.items), report_hierarchy_by_place);
	if (g->n && plan->n_levels)
		h->rows = make_level(&b, 0, &all, &h->n);
	free(all.items);
	return h;
}

void report_hierarchy_free(struct report_hierarchy *h)
{
	if (!h)
		return;
	arena_done(&h->arena);
	free(h);
}
