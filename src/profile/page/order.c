/* SPDX-License-Identifier: MIT */
#include "profile/page/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"

/* Returns the number of cells at each node and above it. */
static uint32_t *count_cells(const struct page *p)
{
	uint32_t *counts = xcalloc(p->nodes.n, sizeof(*counts));

	for (size_t i = 0; i < p->cells.n; i++)
		counts[p->cells.items[i].node]++;
	for (size_t i = p->nodes.n; i-- > 1;)
		counts[p->nodes.items[i].parent] += counts[i];
	return counts;
}

struct page_ordering {
	const struct page *page;
	const uint32_t *counts;
};

/* Compares siblings, which differ in their name or object. */
static int by_texts(const struct page *p, const struct page_node *x, const struct page_node *y)
{
	int order = strcmp(p->names.items[x->name], p->names.items[y->name]);

	return order ? order : strcmp(p->objects.items[x->object], p->objects.items[y->object]);
}

/*
 * Compares so that the children of a parent stand together. Their order must not depend on which
 * was counted first.
 */
static int by_parent_and_count(const void *a, const void *b, void *arg)
{
	const struct page_ordering *o = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct page_node *nodes = o->page->nodes.items;

	if (nodes[x].parent != nodes[y].parent)
		return nodes[x].parent < nodes[y].parent ? -1 : 1;
	if (o->counts[x] != o->counts[y])
		return o->counts[x] > o->counts[y] ? -1 : 1;
	return by_texts(o->page, &nodes[x], &nodes[y]);
}

/*
 * Returns the nodes that stand directly on each node: those of node i are children[first[i]] to
 * children[first[i + 1]].
 */
static uint32_t *find_children(const struct page *p, uint32_t *first)
{
	_cleanup_(freep) uint32_t *counts = count_cells(p);
	struct page_ordering o = { p, counts };
	size_t n = p->nodes.n;
	uint32_t *children = xcalloc(n, sizeof(*children));

	for (uint32_t i = 1; i < n; i++) {
		children[i - 1] = i;
		first[p->nodes.items[i].parent + 1]++;
	}
	for (size_t i = 1; i <= n; i++)
		first[i] += first[i - 1];
	qsort_r(children, n - 1, sizeof(*children), by_parent_and_count, &o);
	return children;
}

/* Fills @numbers with the new number of each node. Stacks may be deep, so there is no recursion. */
static void page_order_number_nodes(const struct page *p, uint32_t *numbers)
{
	size_t n = p->nodes.n;
	_cleanup_(freep) uint32_t *first = xcalloc(n + 1, sizeof(*first));
	_cleanup_(freep) uint32_t *children = find_children(p, first);
	/* For each node, the next of its children. */
	_cleanup_(freep) uint32_t *next = xcalloc(n, sizeof(*next));
	uint32_t at = 0, number = 0;

	for (size_t i = 0; i < n; i++)
		next[i] = first[i];
	while (at != PAGE_NONE) {
		if (next[at] == first[at + 1]) {
			at = p->nodes.items[at].parent;
			continue;
		}
		at = children[next[at]++];
		numbers[at] = ++number;
	}
}

/* Gives text number @old a number by its first use, from *@n on. */
static uint32_t number_text(const char *const *texts, const char **ordered, uint32_t *numbers,
			    uint32_t old, uint32_t *n)
{
	if (!numbers[old]) {
		ordered[*n] = texts[old];
		numbers[old] = ++*n;
	}
	return numbers[old] - 1;
}

/* Sorts names and objects by their first use in nodes; the first object stays. */
static void order_texts(struct page *p)
{
	_cleanup_(freep) uint32_t *names = xcalloc(p->names.n + 1, sizeof(*names));
	_cleanup_(freep) uint32_t *objects = xcalloc(p->objects.n + 1, sizeof(*objects));
	const char **new_names = xcalloc(p->names.n + 1, sizeof(*new_names));
	const char **new_objects = xcalloc(p->objects.n + 1, sizeof(*new_objects));
	uint32_t n_names = 0, n_objects = 0;

	number_text(p->objects.items, new_objects, objects, 0, &n_objects);
	for (size_t i = 1; i < p->nodes.n; i++) {
		struct page_node *n = &p->nodes.items[i];

		n->name = number_text(p->names.items, new_names, names, n->name, &n_names);
		n->object = number_text(p->objects.items, new_objects, objects, n->object,
					&n_objects);
	}
	for (size_t i = 0; i < p->functions.n; i++) {
		struct page_function *f = &p->functions.items[i];

		f->name = number_text(p->names.items, new_names, names, f->name, &n_names);
		f->object = number_text(p->objects.items, new_objects, objects, f->object,
					&n_objects);
	}
	free(p->names.items);
	free(p->objects.items);
	p->names.items = new_names;
	p->names.n = p->names.room = n_names;
	p->objects.items = new_objects;
	p->objects.n = p->objects.room = n_objects;
}

void page_order_nodes(struct page *p)
{
	size_t n = p->nodes.n;
	_cleanup_(freep) uint32_t *numbers = xcalloc(n, sizeof(*numbers));
	struct page_node *nodes = xcalloc(n, sizeof(*nodes));

	page_order_number_nodes(p, numbers);
	for (size_t i = 0; i < n; i++) {
		nodes[numbers[i]] = p->nodes.items[i];
		if (i)
			nodes[numbers[i]].parent = numbers[p->nodes.items[i].parent];
	}
	free(p->nodes.items);
	p->nodes.items = nodes;
	p->nodes.room = n;
	page_cells_move(p, numbers);
	order_texts(p);
}
