/* SPDX-License-Identifier: MIT */
#include "tui/line-map.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t lowest_bit(size_t i)
{
	return i & (~i + 1);
}

void line_map_init(struct line_map *m, size_t n)
{
	line_map_done(m);
	*m = (struct line_map){
		.sums = xcalloc(n + 1, sizeof(*m->sums)),
		.heights = xcalloc(n + 1, sizeof(*m->heights)),
		.n = n,
		.total = n,
	};
	for (size_t i = 1; i <= n; i++) {
		m->heights[i - 1] = 1;
		m->sums[i] = (uint32_t)lowest_bit(i);
	}
}

void line_map_done(struct line_map *m)
{
	free(m->sums);
	free(m->heights);
	*m = (struct line_map){ 0 };
}

size_t line_map_lines(const struct line_map *m)
{
	return m->total;
}

uint32_t line_map_height(const struct line_map *m, size_t item)
{
	return item < m->n ? m->heights[item] : 0;
}

void line_map_set(struct line_map *m, size_t item, uint32_t height)
{
	/* Unsigned arithmetic wraps, so adding works for negative differences too. */
	uint32_t more;

	if (item >= m->n)
		return;
	more = height - m->heights[item];
	m->total += height;
	m->total -= m->heights[item];
	m->heights[item] = height;
	for (size_t i = item + 1; more && i <= m->n; i += lowest_bit(i))
		m->sums[i] += more;
}

size_t line_map_start(const struct line_map *m, size_t item)
{
	size_t line = 0;

	for (size_t i = item < m->n ? item : m->n; i; i -= lowest_bit(i))
		line += m->sums[i];
	return line;
}

size_t line_map_find(const struct line_map *m, size_t line, size_t *ret_sub)
{
	size_t item = 0, step = 1;

	if (line >= m->total) {
		*ret_sub = 0;
		return m->n;
	}
	while (step * 2 <= m->n)
		step *= 2;
	for (; step; step /= 2)
		if (item + step <= m->n && m->sums[item + step] <= line) {
			item += step;
			line -= m->sums[item];
		}
	*ret_sub = line;
	return item;
}
