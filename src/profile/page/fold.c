/* SPDX-License-Identifier: MIT */
#include "profile/page/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"

/* Shares are whole numbers, so that the order in which they are added makes no difference. */
#define SHARE_ONE 1e12

/* Returns the share of @c in its event: by samples if all periods are 0. */
static uint64_t page_fold_share_of(const struct page *p, const struct page_cell *c)
{
	const struct page_event *e = &p->events.items[p->wheres.items[c->where].event];
	double share = e->total ? (double)c->weight / (double)e->total
				: (double)c->samples / (double)e->samples;

	return (uint64_t)(share * SHARE_ONE) + 1;
}

/* Returns the share of its event that each node has, including all nodes above it. */
static uint64_t *find_shares(const struct page *p)
{
	uint64_t *shares = xcalloc(p->nodes.n, sizeof(*shares));

	for (size_t i = 0; i < p->cells.n; i++)
		shares[p->cells.items[i].node] += page_fold_share_of(p, &p->cells.items[i]);
	for (size_t i = p->nodes.n; i-- > 1;)
		shares[p->nodes.items[i].parent] += shares[i];
	return shares;
}

static bool *find_leaves(const struct page *p)
{
	bool *leaves = xcalloc(p->nodes.n, sizeof(*leaves));

	for (size_t i = 0; i < p->cells.n; i++)
		leaves[p->cells.items[i].node] = true;
	return leaves;
}

/* The state of moving a page from the old nodes and texts to the new ones. */
struct folding {
	struct page_tree tree;
	uint64_t share;
	struct page_node *nodes; /* the old nodes */
	size_t n;
	const char **names, **objects; /* the old names and objects */
	uint64_t *shares;              /* the shares of the old nodes */
	bool *leaves;                  /* old nodes with cells */
	uint32_t *moved;               /* by old node: the new node of its cells */
};

/* Takes nodes and texts out of the page. Only those that are used are added again. */
static void folding_begin(struct folding *f, struct page *p, double share)
{
	*f = (struct folding){
		.share = (uint64_t)(share * SHARE_ONE),
		.nodes = p->nodes.items,
		.n = p->nodes.n,
		.names = p->names.items,
		.objects = p->objects.items,
		.shares = find_shares(p),
		.leaves = find_leaves(p),
		.moved = xcalloc(p->nodes.n, sizeof(*f->moved)),
	};
	memset(&p->names, 0, sizeof(p->names));
	memset(&p->objects, 0, sizeof(p->objects));
	memset(&p->nodes, 0, sizeof(p->nodes));
	*ARRAY_ADD(&p->nodes) = f->nodes[0];
	*ARRAY_ADD(&p->objects) = f->objects[0];
	page_tree_init(&f->tree, p);
}

static void folding_done(struct folding *f)
{
	page_tree_done(&f->tree);
	free(f->nodes);
	free(f->names);
	free(f->objects);
	free(f->shares);
	free(f->leaves);
	free(f->moved);
}

static uint32_t add_again(struct folding *f, uint32_t parent, const struct page_node *n)
{
	struct page_tree *t = &f->tree;
	uint32_t node = page_tree_node(t, parent, page_tree_name(t, f->names[n->name]),
				       page_tree_object(t, f->objects[n->object]), n->kind);

	t->page->nodes.items[node].change = n->change;
	return node;
}

static void page_fold_add_nodes(struct folding *f)
{
	/* For each node, the nearest node that is kept as a caller: itself, or one below. */
	_cleanup_(freep) uint32_t *kept = xcalloc(f->n, sizeof(*kept));

	for (size_t i = 1; i < f->n; i++) {
		bool keeps = f->shares[i] && f->shares[i] >= f->share;
		uint32_t parent = kept[f->nodes[i].parent];

		kept[i] = parent;
		if (!keeps && !f->leaves[i])
			continue;
		f->moved[i] = add_again(f, parent, &f->nodes[i]);
		if (keeps)
			kept[i] = f->moved[i];
	}
}

static void page_fold_add_functions(struct folding *f)
{
	struct page *p = f->tree.page;

	for (size_t i = 0; i < p->functions.n; i++) {
		struct page_function *fn = &p->functions.items[i];

		fn->name = page_tree_name(&f->tree, f->names[fn->name]);
		fn->object = page_tree_object(&f->tree, f->objects[fn->object]);
	}
}

void page_fold(struct page *p, double share)
{
	struct folding f;

	folding_begin(&f, p, share);
	page_fold_add_nodes(&f);
	page_fold_add_functions(&f);
	page_cells_move(p, f.moved);
	folding_done(&f);
}

static uint64_t *find_task_shares(const struct page *p)
{
	uint64_t *shares = xcalloc(p->tasks.n + 1, sizeof(*shares));

	for (size_t i = 0; i < p->cells.n; i++)
		shares[p->cells.items[i].task] += page_fold_share_of(p, &p->cells.items[i]);
	return shares;
}

/* Returns the task with a name. Texts of a page are equal if their pointers are. */
static uint32_t page_fold_task_called(struct page *p, struct u64_map *by_name, const char *comm)
{
	uintptr_t place = (uintptr_t)u64_map_find(by_name, (uintptr_t)comm);

	if (!place) {
		*ARRAY_ADD(&p->tasks) = (struct page_task){ PAGE_NONE, PAGE_NONE, comm };
		place = p->tasks.n;
		u64_map_put(by_name, (uintptr_t)comm, (void *)place);
	}
	return (uint32_t)place - 1;
}

void page_fold_tasks(struct page *p, double share)
{
	_cleanup_(freep) uint64_t *shares = find_task_shares(p);
	_cleanup_(freep) uint32_t *moved = xcalloc(p->tasks.n + 1, sizeof(*moved));
	_cleanup_(freep) struct page_task *old = p->tasks.items;
	_cleanup_(u64_map_done) struct u64_map by_name = { 0 };
	size_t n = p->tasks.n;

	memset(&p->tasks, 0, sizeof(p->tasks));
	for (size_t i = 0; i < n; i++) {
		if (old[i].pid == PAGE_NONE || (double)shares[i] < share * SHARE_ONE) {
			moved[i] = page_fold_task_called(p, &by_name, old[i].comm);
			continue;
		}
		moved[i] = (uint32_t)p->tasks.n;
		*ARRAY_ADD(&p->tasks) = old[i];
	}
	for (size_t i = 0; i < p->cells.n; i++)
		p->cells.items[i].task = moved[p->cells.items[i].task];
	page_cells_merge(p);
}
