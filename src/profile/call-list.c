/* SPDX-License-Identifier: MIT */
#include "profile/call-list.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t call_list_count(const struct call_node *n)
{
	size_t sum = n->n_children;

	for (size_t i = 0; i < n->n_children; i++)
		sum += call_list_count(&n->children[i]);
	return sum;
}

/* Appends all stacks below @n at @at. Returns where they end. */
static struct call_stack *call_list_walk(struct call_stack *at, const struct call_node *n,
					 const struct call_stack *above)
{
	for (size_t i = 0; i < n->n_children; i++) {
		struct call_stack *this = at++;

		*this = (struct call_stack){ .node = &n->children[i], .above = above };
		at = call_list_walk(at, &n->children[i], this);
	}
	return at;
}

static int call_list_heaviest_first(const void *a, const void *b)
{
	const struct call_stack *sa = *(const struct call_stack *const *)a;
	const struct call_stack *sb = *(const struct call_stack *const *)b;
	uint64_t wa = sa->node->self.period, wb = sb->node->self.period;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return sa > sb ? -1 : sa < sb;
}

void call_list_init(struct call_list *ret, const struct call_tree *t,
		    const struct call_tree_options *o)
{
	size_t n = call_list_count(&t->root);
	uint64_t least = call_tree_least(o, 0);

	least += !least;
	*ret = (struct call_list){
		.items = xcalloc(n + 1, sizeof(*ret->items)),
		.all = xcalloc(n + 1, sizeof(*ret->all)),
	};
	call_list_walk(ret->all, &t->root, NULL);
	for (size_t i = 0; i < n; i++)
		if (ret->all[i].node->self.period >= least)
			ret->items[ret->n++] = &ret->all[i];
	qsort(ret->items, ret->n, sizeof(*ret->items), call_list_heaviest_first);
}

void call_list_done(struct call_list *l)
{
	free(l->items);
	free(l->all);
}
