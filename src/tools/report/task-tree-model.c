/* SPDX-License-Identifier: MIT */
#include "tools/report/task-tree-model.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/u64-map.h"

struct report_task_tree_node {
	struct task task;
	struct report_task_tree_node *parent; /* NULL: the root, or not linked yet */
	struct report_task_tree_node *first_child, *last_child, *next;
	bool linked;
	bool on_path; /* waits for its ancestors to be linked */
};

struct forest {
	struct {
		struct report_task_tree_node *items;
		size_t n, room;
	} tasks;
	struct u64_map by_tid;
	struct {
		struct report_task_tree_node **items;
		size_t n, room;
	} path;
	struct report_task_tree_node root; /* the parent of tasks whose parent is unknown */
};

static void task_tree_add_task(void *arg, const struct task *t)
{
	struct forest *f = arg;

	ARRAY_ADD(&f->tasks)->task = *t;
}

/*
 * Orders the tasks. Linux's perf keeps them in 256 lists by the lower byte of the tid, and the
 * order shows this: among the tasks with one parent, the first is the one that is met first, or
 * that has a descendant that is met first.
 */
static int by_list(const void *a, const void *b)
{
	const struct report_task_tree_node *x = a, *y = b;
	uint32_t p = x->task.tid, q = y->task.tid;

	if ((p ^ q) & 0xff)
		return (p & 0xff) < (q & 0xff) ? -1 : 1;
	return p < q ? -1 : p > q;
}

static struct report_task_tree_node *task_tree_parent_of(const struct forest *f,
							 const struct report_task_tree_node *n)
{
	return n->task.ptid < 0 ? NULL : u64_map_find(&f->by_tid, (uint64_t)n->task.ptid);
}

static void task_tree_append(struct report_task_tree_node *parent, struct report_task_tree_node *n)
{
	if (parent->last_child)
		parent->last_child->next = n;
	else
		parent->first_child = n;
	parent->last_child = n;
	n->parent = parent;
	n->linked = true;
	n->on_path = false;
}

/*
 * Links @n after its parent's other children, and before that those of its ancestors that are not
 * linked yet. A damaged file may make a task its own ancestor: the last new task then counts as one
 * without a parent.
 */
static void link_task(struct forest *f, struct report_task_tree_node *n)
{
	struct report_task_tree_node *parent = &f->root;

	for (; n && !n->linked && !n->on_path; n = task_tree_parent_of(f, n)) {
		n->on_path = true;
		*ARRAY_ADD(&f->path) = n;
	}
	if (n && n->linked)
		parent = n;
	while (f->path.n) {
		struct report_task_tree_node *child = f->path.items[--f->path.n];

		task_tree_append(parent, child);
		parent = child;
	}
}

static void forest_build(struct forest *f, const struct session *s)
{
	machine_tasks(s, task_tree_add_task, f);
	qsort(f->tasks.items, f->tasks.n, sizeof(f->tasks.items[0]), by_list);
	for (size_t i = 0; i < f->tasks.n; i++)
		u64_map_put(&f->by_tid, f->tasks.items[i].task.tid, &f->tasks.items[i]);
	for (size_t i = 0; i < f->tasks.n; i++)
		link_task(f, &f->tasks.items[i]);
}

static void forest_done(struct forest *f)
{
	u64_map_done(&f->by_tid);
	free(f->path.items);
	free(f->tasks.items);
}

/* Returns the node that follows @n in a walk from the root; NULL: @n was the last one. */
static const struct report_task_tree_node *next_of(const struct report_task_tree_node *n,
						   unsigned *level)
{
	if (n->first_child) {
		++*level;
		return n->first_child;
	}
	while (n && !n->next) {
		n = n->parent;
		--*level;
	}
	return n ? n->next : NULL;
}

void task_tree_init(struct task_tree *ret, const struct session *s)
{
	_cleanup_(forest_done) struct forest f = { 0 };
	unsigned level = 0;

	forest_build(&f, s);
	*ret = (struct task_tree){ .items = xcalloc(f.tasks.n + 1, sizeof(*ret->items)) };
	for (const struct report_task_tree_node *n = f.root.first_child; n; n = next_of(n, &level))
		ret->items[ret->n++] = (struct task_node){ .task = n->task, .level = level };
}

void task_tree_done(struct task_tree *t)
{
	free(t->items);
}
