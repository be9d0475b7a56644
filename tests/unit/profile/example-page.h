/* SPDX-License-Identifier: MIT */
#pragma once
/* Pages made by hand: stacks as "main;work;read", and cells with their places. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"

/* Makes a page with one event, one CPU and @n_tasks tasks, and no cells. */
__attribute__((unused)) static void example_page_init(struct page *p, uint32_t n_tasks)
{
	page_init(p);
	*ARRAY_ADD(&p->events) = (struct page_event){ .name = "cycles", .unit = "" };
	*ARRAY_ADD(&p->cpus) = 0;
	*ARRAY_ADD(&p->wheres) = (struct page_where){ 0 };
	for (uint32_t i = 0; i < n_tasks; i++)
		*ARRAY_ADD(&p->tasks) = (struct page_task){ i, i,
							    page_text(p, i % 2 ? "odd" : "even") };
	p->has_times = true;
	p->bin_ns = 1000000;
}

/* Returns the node of a stack, each function in the object "prog". */
__attribute__((unused)) static uint32_t example_page_stack(struct page_tree *t, const char *stack)
{
	_cleanup_(freep) char *copy = xstrdup(stack);
	uint32_t node = 0;

	for (char *name = strtok(copy, ";"); name; name = strtok(NULL, ";"))
		node = page_tree_node(t, node, page_tree_name(t, name), page_tree_object(t, "prog"),
				      FLAME_USER);
	return node;
}

/* Adds a cell of one sample, which weighs 10. */
__attribute__((unused)) static void example_page_cell(struct page *p, uint32_t task, uint32_t bin,
						      uint32_t node)
{
	*ARRAY_ADD(&p->cells) = (struct page_cell){
		.task = task, .bin = bin, .node = node, .samples = 1, .weight = 10
	};
	p->events.items[0].samples++;
	p->events.items[0].total += 10;
	if (bin >= p->n_bins)
		p->n_bins = bin + 1;
}

/* True if @node is the stack @path, written as for example_page_stack(). */
__attribute__((unused)) static bool example_page_is(const struct page *p, uint32_t node,
						    const char *path)
{
	size_t n = strlen(path);

	for (; node; node = p->nodes.items[node].parent) {
		const char *name = p->names.items[p->nodes.items[node].name];
		size_t length = strlen(name);

		if (n < length || memcmp(path + n - length, name, length) != 0)
			return false;
		n -= length;
		n -= n > 0;
	}
	return n == 0;
}

/* Returns the number of samples at a stack. */
__attribute__((unused)) static uint64_t example_page_samples(const struct page *p, const char *path)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->cells.n; i++)
		if (example_page_is(p, p->cells.items[i].node, path))
			n += p->cells.items[i].samples;
	return n;
}
