/* SPDX-License-Identifier: MIT */
#include "tui/flame-bars.h"

#include <stdlib.h>

#include "base/memory.h"

/* The conversion of children's weights to cells. */
struct scale {
	uint64_t whole; /* never 0 */
	int width;
};

static int flame_bars_cell_of(const struct scale *s, uint64_t weight)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)weight * (unsigned)s->width;

	wide /= s->whole;
	return wide > (unsigned)s->width ? s->width : (int)wide;
}

static uint64_t flame_bars_weight_of(const struct flame *f, uint32_t box)
{
	return f->boxes[box].value[FLAME_AFTER].total;
}

static uint64_t flame_bars_sum_of(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Adjacent narrow boxes, which become one bar once their end is known. */
struct tui_flame_bars_run {
	struct flame_bar bar;
	uint64_t most, end; /* the weight of the heaviest; the end of all */
};

static void flame_bars_run_add(struct tui_flame_bars_run *r, const struct flame *f, uint32_t box,
			       uint64_t start)
{
	const uint64_t weight = flame_bars_weight_of(f, box);

	if (!r->bar.n_merged)
		*r = (struct tui_flame_bars_run){
			.bar = { .box = box, .first = box, .start = start }
		};
	if (weight > r->most) {
		r->most = weight;
		r->bar.box = box;
	}
	r->bar.n_merged++;
	r->bar.end = f->boxes[box].end;
	r->end = flame_bars_sum_of(start, weight);
}

/* Ends a run. Boxes that together do not reach the next cell are not shown. */
static void run_end(struct tui_flame_bars_run *r, struct flame_bars *l, const struct scale *s)
{
	const int x = flame_bars_cell_of(s, r->bar.start), end = flame_bars_cell_of(s, r->end);

	if (r->bar.n_merged && end > x) {
		struct flame_bar *bar = ARRAY_ADD(&l->bars);

		*bar = r->bar;
		bar->x = x;
		bar->width = end - x;
	}
	r->bar.n_merged = 0;
}

static void flame_bars_add_children(struct flame_bars *l, const struct flame *f,
				    const struct scale *s, size_t parent)
{
	const struct flame_bar below = l->bars.items[parent];
	uint64_t start = below.start;
	struct tui_flame_bars_run run = { .most = 0 };

	if (below.n_merged)
		return;
	for (uint32_t c = below.box + 1; c < below.end; c = f->boxes[c].end) {
		const uint64_t weight = flame_bars_weight_of(f, c),
			       end = flame_bars_sum_of(start, weight);
		const int x = flame_bars_cell_of(s, start), width = flame_bars_cell_of(s, end) - x;

		/* A box narrower than a cell may still extend into the next cell. */
		if (flame_bars_cell_of(s, weight) < 1 || width < 1) {
			flame_bars_run_add(&run, f, c, start);
		} else {
			run_end(&run, l, s);
			*ARRAY_ADD(&l->bars) = (struct flame_bar){
				.box = c,
				.first = c,
				.end = f->boxes[c].end,
				.x = x,
				.width = width,
				.start = start,
			};
		}
		start = end;
	}
	run_end(&run, l, s);
}

void flame_bars_make(struct flame_bars *l, const struct flame *f, uint32_t root, int width)
{
	const struct scale s = { .whole = flame_bars_weight_of(f, root), .width = width };

	l->bars.n = l->starts.n = 0;
	l->root = root;
	l->width = width;
	if (s.whole && width > 0)
		*ARRAY_ADD(&l->bars) = (struct flame_bar){
			.box = root, .first = root, .end = f->boxes[root].end, .width = width
		};
	*ARRAY_ADD(&l->starts) = 0;
	for (size_t first = 0; first < l->bars.n; first = l->starts.items[l->starts.n - 1]) {
		const size_t end = l->bars.n;

		*ARRAY_ADD(&l->starts) = end;
		for (size_t i = first; i < end; i++)
			flame_bars_add_children(l, f, &s, i);
	}
	l->n_rows = l->starts.n - 1;
}

void flame_bars_done(struct flame_bars *l)
{
	free(l->bars.items);
	free(l->starts.items);
	*l = (struct flame_bars){ 0 };
}

const struct flame_bar *flame_bars_at(const struct flame_bars *l, size_t row, int x)
{
	if (row >= l->n_rows)
		return NULL;
	for (size_t i = l->starts.items[row]; i < l->starts.items[row + 1]; i++)
		if (x >= l->bars.items[i].x && x < l->bars.items[i].x + l->bars.items[i].width)
			return &l->bars.items[i];
	return NULL;
}

/*
 * Returns the bar of a row that stands for @box or for a box below it. Box numbers grow from left
 * to right.
 */
static const struct flame_bar *flame_bars_covering(const struct flame_bars *l, size_t row,
						   uint32_t box)
{
	size_t low = l->starts.items[row], high = l->starts.items[row + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (l->bars.items[middle].end <= box)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->starts.items[row + 1] && l->bars.items[low].first <= box
		       ? &l->bars.items[low]
		       : NULL;
}

const struct flame_bar *flame_bars_find(const struct flame_bars *l, uint32_t box, size_t *ret_row)
{
	const struct flame_bar *found = NULL;

	for (size_t row = 0; row < l->n_rows; row++) {
		const struct flame_bar *bar = flame_bars_covering(l, row, box);

		if (!bar)
			break;
		found = bar;
		*ret_row = row;
		if (bar->box == box || bar->n_merged)
			break;
	}
	return found;
}

const struct flame_bar *flame_bars_beside(const struct flame_bars *l, size_t row,
					  const struct flame_bar *bar, int step)
{
	const size_t at = (size_t)(bar - l->bars.items);

	if (step < 0)
		return at > l->starts.items[row] ? bar - 1 : NULL;
	return at + 1 < l->starts.items[row + 1] ? bar + 1 : NULL;
}
