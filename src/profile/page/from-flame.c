/* SPDX-License-Identifier: MIT */
#include "profile/page/from-flame.h"

#include <stdlib.h>
#include <string.h>

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

/* The state of adding boxes to a page. */
struct page_from_flame_boxes {
	struct page *page;
	const struct page_boxes *from;
	struct page_tree tree;
	struct u64_map tasks; /* by comm: index + 1 */
	bool on_tasks;
	bool counts; /* weights are numbers of samples */
};

/*
 * Returns the task with the name @name, which is made if there is none. Texts of a page are equal
 * if their pointers are.
 */
static uint32_t page_from_flame_task_called(struct page_from_flame_boxes *b, const char *name)
{
	struct page *p = b->page;
	const char *comm = page_text(p, name);
	uintptr_t place = (uintptr_t)u64_map_find(&b->tasks, (uintptr_t)comm);

	if (!place) {
		*ARRAY_ADD(&p->tasks) = (struct page_task){ PAGE_NONE, PAGE_NONE, comm };
		place = p->tasks.n;
		u64_map_put(&b->tasks, (uintptr_t)comm, (void *)place);
	}
	return (uint32_t)place - 1;
}

static uint64_t page_from_flame_total_of(const struct flame *f)
{
	return f->boxes[0].value[FLAME_AFTER].total + f->boxes[0].value[FLAME_BEFORE].total;
}

static void page_from_flame_add_event(struct page_from_flame_boxes *b)
{
	const struct page_boxes *from = b->from;
	struct page *p = b->page;
	uint64_t total = page_from_flame_total_of(from->weights);

	*ARRAY_ADD(&p->events) = (struct page_event){
		.name = page_text(p, from->event),
		.unit = page_text(p, from->unit),
		.samples = from->samples ? page_from_flame_total_of(from->samples)
			   : b->counts   ? total
					 : 0,
		.total = total,
		.period = b->counts ? 1 : 0,
	};
}

/* Returns the node of a box whose parent has the node @parent. */
static uint32_t page_from_flame_add_node(struct page_from_flame_boxes *b, uint32_t parent,
					 const struct flame_box *box)
{
	struct page_tree *t = &b->tree;
	uint32_t node = page_tree_node(t, parent, page_tree_name(t, box->name),
				       page_tree_object(t, box->object), box->kind);

	if (box->change)
		b->page->nodes.items[node].change = box->change;
	return node;
}

/*
 * Adds the own weight of one side of a box: samples, or a weight with the known number of samples.
 */
static void page_from_flame_add_cell(struct page_from_flame_boxes *b, struct page_cell cell,
				     uint64_t self, bool is_samples)
{
	struct page *p = b->page;

	cell.weight = is_samples ? 0 : self;
	cell.samples = is_samples || b->counts ? self : 0;
	if (!is_samples && !b->counts && !b->from->samples) {
		cell.samples = 1; /* the number is not known, but at least one */
		p->events.items[0].samples++;
	}
	*ARRAY_ADD(&p->cells) = cell;
}

static void page_from_flame_add_cells(struct page_from_flame_boxes *b, const struct flame_box *box,
				      uint32_t task, uint32_t node, bool is_samples)
{
	for (size_t side = 0; side < N_FLAME_SIDES; side++) {
		const struct page_cell cell = {
			.task = task,
			.node = node,
			.where = b->page->is_comparison ? side_of[side] : 0,
		};

		if (box->value[side].self)
			page_from_flame_add_cell(b, cell, box->value[side].self, is_samples);
	}
}

/* Adds the boxes. They come depth first, so all boxes of a task follow it. */
static void add_boxes(struct page_from_flame_boxes *b, const struct flame *f, bool is_samples)
{
	_cleanup_(freep) uint32_t *nodes = xcalloc(f->n, sizeof(*nodes));
	uint32_t task = b->on_tasks ? 0 : page_from_flame_task_called(b, "");

	for (size_t i = 1; i < f->n; i++) {
		const struct flame_box *box = &f->boxes[i];

		if (b->on_tasks && box->depth == 1)
			task = page_from_flame_task_called(b, box->name);
		else
			nodes[i] = page_from_flame_add_node(b, nodes[box->parent], box);
		page_from_flame_add_cells(b, box, task, nodes[i], is_samples);
	}
}

void page_add_flame(struct page *p, const struct page_boxes *from)
{
	const struct flame *f = from->weights;
	struct page_from_flame_boxes b = {
		.page = p,
		.from = from,
		.on_tasks = stands_on_tasks(f),
		.counts = !from->samples && !strcmp(from->unit, "samples"),
	};

	p->is_comparison = f->is_comparison;
	if (!b.on_tasks)
		p->start = "root=none";
	page_from_flame_add_event(&b);
	for (uint32_t side = 0; side < (f->is_comparison ? N_FLAME_SIDES : 1); side++)
		*ARRAY_ADD(&p->wheres) = (struct page_where){ .side = side };
	page_tree_init(&b.tree, p);
	add_boxes(&b, f, false);
	if (from->samples)
		add_boxes(&b, from->samples, true);
	page_tree_done(&b.tree);
	u64_map_done(&b.tasks);
	page_cells_merge(p);
}
