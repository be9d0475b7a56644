/* SPDX-License-Identifier: MIT */
/*
 * Decides which lines and entries are shown, and in which order: that of Linux's perf, ties
 * included.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/symbolizer.h"
#include "tools/c2c/lines-model.h"

/* Lines with a smaller share of all HITMs are not worth a row. */
#define SHARE_MIN 0.0005

uint64_t c2c_rank(const struct c2c_stats *s, enum c2c_display d)
{
	switch (d) {
	case C2C_LOCAL_HITMS:
		return s->n[C2C_LOCAL_HITM];
	case C2C_REMOTE_HITMS:
		return s->n[C2C_REMOTE_HITM];
	case C2C_PEERS:
		return (uint64_t)s->n[C2C_LOCAL_PEER] + s->n[C2C_REMOTE_PEER];
	case C2C_TOTAL_HITM:
		break;
	}
	return (uint64_t)s->n[C2C_LOCAL_HITM] + s->n[C2C_REMOTE_HITM];
}

static int c2c_order_compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int c2c_order_compare_lines(const void *a, const void *b, void *arg)
{
	const struct c2c_line *x = *(struct c2c_line *const *)a, *y = *(struct c2c_line *const *)b;
	const struct c2c_lines *l = arg;
	int order = c2c_order_compare_u64(c2c_rank(&y->stats, l->o.display),
					  c2c_rank(&x->stats, l->o.display));

	for (size_t i = 0; i < C2C_LINE_KEY && !order; i++)
		order = c2c_order_compare_u64(x->key[i], y->key[i]);
	return order;
}

/* Compares addresses as signed numbers: those of the kernel come first. */
static int compare_signed(uint64_t a, uint64_t b)
{
	return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
}

static int compare_dsos(const struct image *a, const struct image *b)
{
	if (!a || !b)
		return !!b - !!a;
	return strcmp(image_short_name(b), image_short_name(a));
}

static int c2c_order_compare_by(enum c2c_key key, const struct c2c_entry *a,
				const struct c2c_entry *b)
{
	switch (key) {
	case C2C_BY_PID:
		return c2c_order_compare_u64(b->pid, a->pid);
	case C2C_BY_TID:
		return c2c_order_compare_u64(a->tid, b->tid);
	case C2C_BY_IADDR:
		return compare_signed(a->iaddr, b->iaddr);
	case C2C_BY_DSO:
		return compare_dsos(a->dso, b->dso);
	}
	return 0;
}

static int compare_entries(const void *a, const void *b, void *arg)
{
	const struct c2c_entry *x = *(struct c2c_entry *const *)a,
			       *y = *(struct c2c_entry *const *)b;
	const struct c2c_lines *l = arg;
	int order = c2c_order_compare_u64(x->offset, y->offset);

	if (!order)
		order = c2c_order_compare_u64(c2c_rank(&y->stats, l->o.display),
					      c2c_rank(&x->stats, l->o.display));
	/* For local and for remote HITMs, the total decides next. */
	if (!order && l->o.display != C2C_PEERS)
		order = c2c_order_compare_u64(c2c_rank(&y->stats, C2C_TOTAL_HITM),
					      c2c_rank(&x->stats, C2C_TOTAL_HITM));
	for (size_t i = 0; i < l->o.keys.n && !order; i++)
		order = c2c_order_compare_by(l->o.keys.items[i], x, y);
	return order ? order : c2c_order_compare_u64(x->time, y->time);
}

static void c2c_order_sort_entries(struct c2c_lines *l, struct c2c_line *line)
{
	struct c2c_entry **all = xcalloc(line->n_entries, sizeof(struct c2c_entry *));
	size_t n = 0;

	for (struct c2c_entry *e = line->entries; e; e = e->next)
		all[n++] = e;
	qsort_r(all, n, sizeof(struct c2c_entry *), compare_entries, l);
	for (size_t i = 0; i < n; i++)
		all[i]->next = i + 1 < n ? all[i + 1] : NULL;
	line->entries = all[0];
	free(all);
}

static bool c2c_order_is_shown(const struct c2c_lines *l, const struct c2c_line *line,
			       uint64_t total)
{
	uint64_t rank = c2c_rank(&line->stats, l->o.display);

	return l->o.show_all || (rank && 100.0 * (double)rank / (double)total >= SHARE_MIN);
}

void c2c_lines_settle(struct c2c_lines *l)
{
	uint64_t total = c2c_rank(&l->total, l->o.display);

	for (size_t i = 0; i < l->n_line_slots; i++)
		for (struct c2c_line *line = l->line_slots[i]; line; line = line->chain) {
			if (c2c_rank(&line->stats, C2C_TOTAL_HITM) ||
			    c2c_rank(&line->stats, C2C_PEERS)) {
				c2c_stats_add(&l->shared, &line->stats);
				l->n_shared++;
			}
			if (c2c_order_is_shown(l, line, total))
				*ARRAY_ADD(l) = line;
		}
	if (!l->n)
		return;
	qsort_r(l->items, l->n, sizeof(*l->items), c2c_order_compare_lines, l);
	for (size_t i = 0; i < l->n; i++)
		c2c_order_sort_entries(l, l->items[i]);
}
