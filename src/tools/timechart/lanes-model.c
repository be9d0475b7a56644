/* SPDX-License-Identifier: MIT */
#include "tools/timechart/lanes-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* The first size of the bins by which pieces are folded. */
#define BIN_LEAST_NS 16384
/* The maximum size of bins, which is longer than any trace. */
#define BIN_MOST_NS (UINT64_C(1) << 62)

void lanes_init(struct lanes *l, size_t limit)
{
	*l = (struct lanes){ .limit = limit, .limit_least = limit };
}

void lanes_done(struct lanes *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].items);
	free(l->items);
	free(l->folds.items);
}

uint32_t lanes_add(struct lanes *l)
{
	ARRAY_ADD(l);
	return (uint32_t)(l->n - 1);
}

static bool same_mark(const struct lane_mark *a, const struct lane_mark *b)
{
	return a->state == b->state && a->flags == b->flags && a->by == b->by &&
	       a->stack == b->stack && a->cpu == b->cpu && a->count == b->count &&
	       a->bytes == b->bytes;
}

/* --- folding ------------------------------------------------------------------------------- */

/* Adds piece @p, which ends at @end, to @f, whose mark is @mark. */
static void fold_add(const struct lanes *l, const struct lane_piece *p, uint64_t end,
		     struct lane_fold *f, struct lane_mark *mark)
{
	const struct lane_fold *from = p->fold == LANE_NONE ? NULL : &l->folds.items[p->fold];
	uint64_t ns = from ? from->longest_ns : end - p->start;
	bool is_nothing = p->mark.state == LANE_NOTHING;

	if (from) {
		for (size_t s = 0; s < LANE_STATES; s++)
			f->ns[s] += from->ns[s];
		f->bytes += from->bytes;
		f->n += from->n;
	} else {
		f->ns[p->mark.state] += ns;
		f->bytes += p->mark.bytes;
		f->n += !is_nothing;
	}
	if (!is_nothing && ns >= f->longest_ns) {
		f->longest_ns = ns;
		*mark = p->mark;
	}
}

/*
 * Returns the number of pieces from @i on that lie in the same bin. The last piece of a lane is
 * still open and not included.
 */
static size_t lanes_run_of(const struct lane *lane, size_t i, uint64_t bin_ns)
{
	uint64_t bin = lane->items[i].start / bin_ns;
	size_t k = i;

	while (k + 1 < lane->n && (lane->items[k + 1].start - 1) / bin_ns == bin)
		k++;
	return k - i;
}

static struct lane_piece lanes_folded(const struct lanes *l, const struct lane *lane, size_t i,
				      size_t n, struct lane_folds *to)
{
	struct lane_piece p = lane->items[i];
	struct lane_fold f = { 0 };

	for (size_t k = i; k < i + n; k++)
		fold_add(l, &lane->items[k], lane->items[k + 1].start, &f, &p.mark);
	p.fold = (uint32_t)to->n;
	*ARRAY_ADD(to) = f;
	return p;
}

static void fold_lane(struct lanes *l, struct lane *lane, struct lane_folds *to)
{
	size_t n = 0;

	for (size_t i = 0; i < lane->n;) {
		size_t run = lanes_run_of(lane, i, l->bin_ns);
		struct lane_piece p = lane->items[i];

		if (run > 1)
			p = lanes_folded(l, lane, i, run, to);
		else if (p.fold != LANE_NONE) {
			*ARRAY_ADD(to) = l->folds.items[p.fold];
			p.fold = (uint32_t)(to->n - 1);
		}
		lane->items[n++] = p;
		i += run > 1 ? run : 1;
	}
	l->n_pieces -= lane->n - n;
	lane->n = n;
}

static void lanes_fold(struct lanes *l)
{
	struct lane_folds to = { 0 };

	for (size_t i = 0; i < l->n; i++)
		fold_lane(l, &l->items[i], &to);
	free(l->folds.items);
	l->folds = to;
}

/*
 * Removes half of the pieces, so that the next time is far away. New pieces are first folded with
 * the current bins. If there are many lanes, each keeps about four pieces.
 */
static void lanes_make_room(struct lanes *l)
{
	size_t goal = l->limit_least / 2 > 4 * l->n ? l->limit_least / 2 : 4 * l->n;

	if (!l->bin_ns)
		l->bin_ns = BIN_LEAST_NS;
	lanes_fold(l);
	while (l->n_pieces > goal && l->bin_ns < BIN_MOST_NS) {
		l->bin_ns *= 2;
		lanes_fold(l);
	}
	l->limit = 2 * goal > l->limit_least ? 2 * goal : l->limit_least;
}

/* --- filling ------------------------------------------------------------------------------- */

static void close_piece(struct lane *lane, uint64_t end)
{
	const struct lane_piece *p = &lane->items[lane->n - 1];

	lane->ns[p->mark.state] += end - p->start;
	lane->n_pieces += p->mark.state != LANE_NOTHING;
}

static void lanes_add_piece(struct lanes *l, struct lane *lane, uint64_t time,
			    const struct lane_mark *mark)
{
	if (lane->n)
		close_piece(lane, time);
	else
		lane->begin = time;
	*ARRAY_ADD(lane) = (struct lane_piece){ time, *mark, LANE_NONE };
	if (++l->n_pieces > l->limit)
		lanes_make_room(l);
}

void lanes_set(struct lanes *l, uint32_t number, uint64_t time, const struct lane_mark *mark)
{
	struct lane *lane = &l->items[number];
	struct lane_piece *last = lane->n ? &lane->items[lane->n - 1] : NULL;

	if (last && time <= last->start)
		last->mark = *mark;
	else if (!last || !same_mark(&last->mark, mark))
		lanes_add_piece(l, lane, time, mark);
}

struct lane_mark *lanes_now(struct lanes *l, uint32_t number)
{
	struct lane *lane = &l->items[number];

	return lane->n ? &lane->items[lane->n - 1].mark : NULL;
}

void lanes_finish(struct lanes *l, uint64_t end)
{
	for (size_t i = 0; i < l->n; i++) {
		struct lane *lane = &l->items[i];

		if (!lane->n)
			continue;
		lane->end = lane->items[lane->n - 1].start;
		lane->end = end > lane->end ? end : lane->end;
		close_piece(lane, lane->end);
		/* The time after the last real piece is not part of the lane. */
		if (lane->items[lane->n - 1].mark.state != LANE_NOTHING || lane->n < 2)
			continue;
		lane->ns[LANE_NOTHING] -= lane->end - lane->items[lane->n - 1].start;
		lane->end = lane->items[--lane->n].start;
	}
}

/* --- reading ------------------------------------------------------------------------------- */

uint64_t lane_piece_end(const struct lane *lane, size_t i)
{
	return i + 1 < lane->n ? lane->items[i + 1].start : lane->end;
}

/* Adds @share of piece @p, whose duration is @ns, to a column. */
static void lanes_add_share(const struct lanes *l, const struct lane_piece *p, double share,
			    double ns, double column[LANE_STATES])
{
	if (p->fold == LANE_NONE) {
		column[p->mark.state] += share * ns;
		return;
	}
	for (size_t s = 0; s < LANE_STATES; s++)
		column[s] += share * (double)l->folds.items[p->fold].ns[s];
}

/* Spreads the piece from @a to @b (in columns) over the columns that it touches. */
static void lanes_spread(const struct lanes *l, const struct lane_piece *p, double a, double b,
			 double ns, size_t n, double (*columns)[LANE_STATES])
{
	double low = a > 0 ? a : 0, high = b < (double)n ? b : (double)n;

	for (size_t c = (size_t)low; c < n && (double)c < high; c++) {
		double from = low > (double)c ? low : (double)c;
		double to = high < (double)(c + 1) ? high : (double)(c + 1);

		lanes_add_share(l, p, (to - from) / (b - a), ns, columns[c]);
	}
}

void lane_columns(const struct lanes *l, const struct lane *lane, uint64_t from, uint64_t to,
		  size_t n, double (*columns)[LANE_STATES])
{
	double scale = to > from ? (double)n / (double)(to - from) : 0;

	for (size_t i = 0; i < lane->n; i++) {
		const struct lane_piece *p = &lane->items[i];
		uint64_t end = lane_piece_end(lane, i);
		double a = (double)(int64_t)(p->start - from) * scale;
		double b = (double)(int64_t)(end - from) * scale;

		if (end > p->start && end > from && p->start < to)
			lanes_spread(l, p, a, b, (double)(end - p->start), n, columns);
	}
}
