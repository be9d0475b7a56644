/* SPDX-License-Identifier: MIT */
#include "profile/page/columns.h"

#include <assert.h>

#include "profile/page/page.h"

/* Returns the number of one column for line @i. */
typedef uint64_t column_fn(const struct page *p, size_t i);

static void page_columns_add(struct page_columns *c, const struct page *p, const char *name,
			     size_t first, size_t end, column_fn *of)
{
	size_t start = c->data.n;

	assert(c->n < PAGE_COLUMNS_MAX);
	for (size_t i = first; i < end; i++)
		bytes_uleb128(&c->data, of(p, i));
	c->items[c->n++] = (struct page_column){ name, end - first, c->data.n - start };
}

static bool is_all_zero(const struct page *p, size_t end, column_fn *of)
{
	for (size_t i = 0; i < end; i++)
		if (of(p, i))
			return false;
	return true;
}

/* Adds a column with one number for each cell, unless all are 0. */
static void add_of_cells(struct page_columns *c, const struct page *p, const char *name,
			 column_fn *of)
{
	if (!is_all_zero(p, p->cells.n, of))
		page_columns_add(c, p, name, 0, p->cells.n, of);
}

static uint64_t node_parent(const struct page *p, size_t i)
{
	return i - p->nodes.items[i].parent;
}

static uint64_t node_name(const struct page *p, size_t i)
{
	return p->nodes.items[i].name;
}

static uint64_t node_object(const struct page *p, size_t i)
{
	return p->nodes.items[i].object;
}

static uint64_t node_kind(const struct page *p, size_t i)
{
	return p->nodes.items[i].kind;
}

static uint64_t node_change(const struct page *p, size_t i)
{
	return p->nodes.items[i].change;
}

static void page_columns_add_nodes(struct page_columns *c, const struct page *p)
{
	size_t n = p->nodes.n;

	page_columns_add(c, p, "node.parent", 1, n, node_parent);
	page_columns_add(c, p, "node.name", 1, n, node_name);
	page_columns_add(c, p, "node.object", 1, n, node_object);
	page_columns_add(c, p, "node.kind", 1, n, node_kind);
	if (p->is_comparison)
		page_columns_add(c, p, "node.change", 1, n, node_change);
}

static const struct page_where *page_columns_where_of(const struct page *p, size_t i)
{
	return &p->wheres.items[p->cells.items[i].where];
}

static uint64_t cell_bin(const struct page *p, size_t i)
{
	const struct page_cell *c = &p->cells.items[i];

	return i && c[-1].task == c->task ? c->bin - c[-1].bin : c->bin;
}

static uint64_t cell_node(const struct page *p, size_t i)
{
	return p->cells.items[i].node;
}

static uint64_t cell_cpu(const struct page *p, size_t i)
{
	return page_columns_where_of(p, i)->cpu;
}

static uint64_t cell_event(const struct page *p, size_t i)
{
	return page_columns_where_of(p, i)->event;
}

static uint64_t cell_cgroup(const struct page *p, size_t i)
{
	return page_columns_where_of(p, i)->cgroup;
}

static uint64_t cell_side(const struct page *p, size_t i)
{
	return page_columns_where_of(p, i)->side;
}

static uint64_t cell_samples(const struct page *p, size_t i)
{
	return p->cells.items[i].samples;
}

static uint64_t cell_weight(const struct page *p, size_t i)
{
	return p->cells.items[i].weight;
}

static uint64_t cell_place(const struct page *p, size_t i)
{
	return p->cells.items[i].place;
}

static bool all_have_a_period(const struct page *p)
{
	for (size_t i = 0; i < p->events.n; i++)
		if (!p->events.items[i].period)
			return false;
	return true;
}

static void add_task_cells(struct page_columns *c, const struct page *p)
{
	size_t start = c->data.n, at = 0;

	for (uint32_t task = 0; task < p->tasks.n; task++) {
		size_t first = at;

		while (at < p->cells.n && p->cells.items[at].task == task)
			at++;
		bytes_uleb128(&c->data, at - first);
	}
	c->items[c->n++] = (struct page_column){ "task.cells", p->tasks.n, c->data.n - start };
}

static void page_columns_add_cells(struct page_columns *c, const struct page *p)
{
	size_t n = p->cells.n;

	add_task_cells(c, p);
	page_columns_add(c, p, "cell.bin", 0, n, cell_bin);
	page_columns_add(c, p, "cell.node", 0, n, cell_node);
	add_of_cells(c, p, "cell.cpu", cell_cpu);
	add_of_cells(c, p, "cell.event", cell_event);
	add_of_cells(c, p, "cell.cgroup", cell_cgroup);
	add_of_cells(c, p, "cell.side", cell_side);
	page_columns_add(c, p, "cell.samples", 0, n, cell_samples);
	if (!all_have_a_period(p))
		page_columns_add(c, p, "cell.weight", 0, n, cell_weight);
	add_of_cells(c, p, "cell.place", cell_place);
}

static uint64_t heat_row(const struct page *p, size_t i)
{
	return p->heat->cells[i].row;
}

static uint64_t heat_x(const struct page *p, size_t i)
{
	const struct page_heat_cell *c = &p->heat->cells[i];

	return i ? c->column - c[-1].column : c->column;
}

static uint64_t heat_count(const struct page *p, size_t i)
{
	return p->heat->cells[i].count;
}

static void page_columns_add_heat(struct page_columns *c, const struct page *p)
{
	page_columns_add(c, p, "heat.row", 0, p->heat->n, heat_row);
	page_columns_add(c, p, "heat.x", 0, p->heat->n, heat_x);
	page_columns_add(c, p, "heat.count", 0, p->heat->n, heat_count);
}

void page_columns_make(const struct page *p, struct page_columns *ret)
{
	*ret = (struct page_columns){ 0 };
	page_columns_add_nodes(ret, p);
	page_columns_add_cells(ret, p);
	if (p->heat)
		page_columns_add_heat(ret, p);
}

void page_columns_done(struct page_columns *c)
{
	bytes_done(&c->data);
}
