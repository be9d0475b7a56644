/* SPDX-License-Identifier: MIT */
#include "profile/page/order.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"

/* How many cells lie at each node and above it. */
static uint32_t *count_cells(const struct page *p)
{
	uint32_t *counts = xcalloc(p->nodes.n, sizeof(*counts));

	for (size_t i = 0; i < p->cells.n; i++)
		counts[p->cells.items[i].node]++;
	for (size_t i = p->nodes.n; i-- > 1;)
		counts[p->nodes.items[i].parent] += counts[i];
	return counts;
}

struct ordering {
	const struct page_node *nodes;
	const uint32_t *counts;
};

/* Those of a parent stand together. */
static int by_parent_and_count(const void *a, const void *b, void *arg)
{
	const struct ordering *o = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (o->nodes[x].parent != o->nodes[y].parent)
		return o->nodes[x].parent < o->nodes[y].parent ? -1 : 1;
	if (o->counts[x] != o->counts[y])
		return o->counts[x] > o->counts[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The nodes that stand directly on each: of node i, children[first[i]] to children[first[i + 1]].
 */
static uint32_t *find_children(const struct page *p, uint32_t *first)
{
	_cleanup_(freep) uint32_t *counts = count_cells(p);
	struct ordering o = { p->nodes.items, counts };
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

/* Fills @numbers with the new number of each node. Stacks may be deep: no recursion. */
static void number_nodes(const struct page *p, uint32_t *numbers)
{
	size_t n = p->nodes.n;
	_cleanup_(freep) uint32_t *first = xcalloc(n + 1, sizeof(*first));
	_cleanup_(freep) uint32_t *children = find_children(p, first);
	/* Of each node, which of its children comes next. */
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

void page_order_nodes(struct page *p)
{
	size_t n = p->nodes.n;
	_cleanup_(freep) uint32_t *numbers = xcalloc(n, sizeof(*numbers));
	struct page_node *nodes = xcalloc(n, sizeof(*nodes));

	number_nodes(p, numbers);
	for (size_t i = 0; i < n; i++) {
		nodes[numbers[i]] = p->nodes.items[i];
		if (i)
			nodes[numbers[i]].parent = numbers[p->nodes.items[i].parent];
	}
	free(p->nodes.items);
	p->nodes.items = nodes;
	p->nodes.room = n;
	page_cells_move(p, numbers);
}
