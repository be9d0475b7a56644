/* SPDX-License-Identifier: MIT */
#include "profile/page/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/page/page.h"

/* Cells are sorted by their (task, bin) digit by digit, the lowest digit first. */
#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

static uint64_t page_cells_key_of(const struct page_cell *c)
{
	return (uint64_t)c->task << 32 | c->bin;
}

static bool page_cells_count_digits(const struct page_cell *cells, size_t n, unsigned shift,
				    size_t *counts)
{
	memset(counts, 0, DIGITS * sizeof(*counts));
	for (size_t i = 0; i < n; i++)
		counts[page_cells_key_of(&cells[i]) >> shift & (DIGITS - 1)]++;
	/* A digit that is the same in all cells needs no pass. */
	return n && counts[page_cells_key_of(&cells[0]) >> shift & (DIGITS - 1)] != n;
}

static void place_by_digit(const struct page_cell *from, struct page_cell *to, size_t n,
			   unsigned shift, size_t *counts)
{
	size_t at = 0;

	for (size_t d = 0; d < DIGITS; d++) {
		size_t count = counts[d];

		counts[d] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[counts[page_cells_key_of(&from[i]) >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_by_task_and_time(struct page *p)
{
	size_t n = p->cells.n, counts[DIGITS];
	struct page_cell *other = NULL;

	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		struct page_cell *from = p->cells.items;

		if (!page_cells_count_digits(from, n, shift, counts))
			continue;
		if (!other)
			other = xmalloc(n * sizeof(*other));
		place_by_digit(from, other, n, shift, counts);
		p->cells.items = other;
		p->cells.room = n;
		other = from;
	}
	free(other);
}

static int page_cells_by_node(const void *a, const void *b)
{
	const struct page_cell *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->where != y->where)
		return x->where < y->where ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Returns how many cells from @i on are of the same task and bin. */
static size_t group_size(const struct page *p, size_t i)
{
	uint64_t key = page_cells_key_of(&p->cells.items[i]);
	size_t n = 1;

	while (i + n < p->cells.n && page_cells_key_of(&p->cells.items[i + n]) == key)
		n++;
	return n;
}

/*
 * Sorts the @n cells at @from and writes them to @to, which may be the same; returns how many
 * remain.
 */
static size_t merge_group(struct page_cell *to, struct page_cell *from, size_t n)
{
	size_t last = 0;

	if (n > 1)
		qsort(from, n, sizeof(*from), page_cells_by_node);
	to[0] = from[0];
	for (size_t i = 1; i < n; i++) {
		if (page_cells_by_node(&to[last], &from[i])) {
			to[++last] = from[i];
			continue;
		}
		to[last].samples += from[i].samples;
		to[last].weight += from[i].weight;
	}
	return last + 1;
}

static void merge_groups(struct page *p)
{
	struct page_cell *items = p->cells.items;
	size_t n = 0;

	for (size_t i = 0, size; i < p->cells.n; i += size) {
		size = group_size(p, i);
		n += merge_group(items + n, items + i, size);
	}
	p->cells.n = n;
}

void page_cells_merge(struct page *p)
{
	sort_by_task_and_time(p);
	merge_groups(p);
}

void page_cells_halve_bins(struct page *p)
{
	for (size_t i = 0; i < p->cells.n; i++)
		p->cells.items[i].bin /= 2;
	p->bin_ns *= 2;
	p->n_bins = (p->n_bins + 1) / 2;
	merge_groups(p);
}

void page_cells_move(struct page *p, const uint32_t *nodes)
{
	for (size_t i = 0; i < p->cells.n; i++)
		p->cells.items[i].node = nodes[p->cells.items[i].node];
	merge_groups(p);
}
