/* SPDX-License-Identifier: MIT */
#include "profile/page/from-flame.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/flame.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"

/* Pages have before and after in the order of time. */
static const uint32_t side_of[N_FLAME_SIDES] = { [FLAME_BEFORE] = 0, [FLAME_AFTER] = 1 };

static bool stands_on_tasks(const struct flame *f)
{
	for (size_t i = 1; i < f->n; i = f->boxes[i].end)
		if (f->boxes[i].kind != FLAME_TASK)
			return false;
	return f->n > 1;
}

static void add_task(struct page *p, const char *name)
{
	*ARRAY_ADD(&p->tasks) = (struct page_task){ .pid = PAGE_NONE,
						    .tid = PAGE_NONE,
						    .comm = page_text(p, name) };
}

static void add_event(struct page *p, const struct flame *f, const char *name, const char *unit)
{
	uint64_t total = f->boxes[0].value[FLAME_AFTER].total;

	if (f->is_comparison)
		total += f->boxes[0].value[FLAME_BEFORE].total;
	*ARRAY_ADD(&p->events) = (struct page_event){
		.name = page_text(p, name),
		.unit = page_text(p, unit),
		.samples = total,
		.total = total,
		.period = 1,
	};
}

/* The node of a box whose parent has the node @parent. */
static uint32_t add_node(struct page_tree *t, uint32_t parent, const struct flame_box *b)
{
	uint32_t node = page_tree_node(t, parent, page_tree_name(t, b->name),
				       page_tree_object(t, b->object), b->kind);

	t->page->nodes.items[node].change = b->change;
	return node;
}

static void add_cells(struct page *p, const struct flame *f, const struct flame_box *b,
		      uint32_t node)
{
	for (size_t side = 0; side < N_FLAME_SIDES; side++) {
		uint64_t self = b->value[side].self;

		if (self)
			*ARRAY_ADD(&p->cells) = (struct page_cell){
				.task = (uint32_t)p->tasks.n - 1,
				.node = node,
				.where = f->is_comparison ? side_of[side] : 0,
				.samples = self,
				.weight = self,
			};
	}
}

/* Boxes come depth first: all boxes of a task stand behind it. */
static void add_boxes(struct page *p, const struct flame *f, bool on_tasks)
{
	_cleanup_(freep) uint32_t *nodes = xcalloc(f->n, sizeof(*nodes));
	_cleanup_(page_tree_done) struct page_tree tree;

	page_tree_init(&tree, p);
	for (size_t i = 1; i < f->n; i++) {
		const struct flame_box *b = &f->boxes[i];

		if (on_tasks && b->depth == 1)
			add_task(p, b->name);
		else
			nodes[i] = add_node(&tree, nodes[b->parent], b);
		add_cells(p, f, b, nodes[i]);
	}
}

void page_add_flame(struct page *p, const struct flame *f, const char *event, const char *unit)
{
	bool on_tasks = stands_on_tasks(f);

	p->is_comparison = f->is_comparison;
	add_event(p, f, event, unit);
	for (uint32_t side = 0; side < (f->is_comparison ? N_FLAME_SIDES : 1); side++)
		*ARRAY_ADD(&p->wheres) = (struct page_where){ .side = side };
	if (!on_tasks) {
		add_task(p, "");
		p->start = "root=none";
	}
	add_boxes(p, f, on_tasks);
	page_cells_merge(p);
}
