/* SPDX-License-Identifier: MIT */
#include "profile/page/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/page/page.h"

/*
 * Cells are sorted by their (task, bin) digit by digit, the highest digit first, in place: there
 * may be millions. Few of them are compared instead.
 */
#define DIGIT_BITS 8
#define DIGITS     (1u << DIGIT_BITS)
#define FEW        32

static uint64_t page_cells_key_of(const struct page_cell *c)
{
	return (uint64_t)c->task << 32 | c->bin;
}

static int page_cells_by_key(const void *a, const void *b)
{
	uint64_t x = page_cells_key_of(a), y = page_cells_key_of(b);

	return (x > y) - (x < y);
}

/* Returns the bits in which the keys of the cells differ. */
static uint64_t page_cells_differences(const struct page_cell *cells, size_t n)
{
	uint64_t differs = 0;

	for (size_t i = 1; i < n; i++)
		differs |= page_cells_key_of(&cells[i]) ^ page_cells_key_of(&cells[0]);
	return differs;
}

/* Moves each cell to the range of its digit. *@ends: the ends of the ranges. */
static void place_by_digit(struct page_cell *cells, size_t n, unsigned shift, size_t *ends)
{
	size_t next[DIGITS], at = 0;

	memset(ends, 0, DIGITS * sizeof(*ends));
	for (size_t i = 0; i < n; i++)
		ends[page_cells_key_of(&cells[i]) >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		next[d] = at;
		at = ends[d] += at;
	}
	for (size_t d = 0; d < DIGITS; d++)
		while (next[d] < ends[d]) {
			struct page_cell c = cells[next[d]];
			size_t digit = page_cells_key_of(&c) >> shift & (DIGITS - 1);

			cells[next[d]] = cells[next[digit]];
			cells[next[digit]++] = c;
		}
}

static void sort_by_task_and_time(struct page_cell *cells, size_t n)
{
	uint64_t differs = n > FEW ? page_cells_differences(cells, n) : 0;
	size_t ends[DIGITS];
	unsigned shift;

	if (n && n <= FEW)
		qsort(cells, n, sizeof(*cells), page_cells_by_key);
	if (!differs)
		return;
	shift = (63 - (unsigned)__builtin_clzll(differs)) / DIGIT_BITS * DIGIT_BITS;
	place_by_digit(cells, n, shift, ends);
	for (size_t d = 0, start = 0; shift && d < DIGITS; start = ends[d++])
		sort_by_task_and_time(cells + start, ends[d] - start);
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
	sort_by_task_and_time(p->cells.items, p->cells.n);
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
