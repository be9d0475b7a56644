/* SPDX-License-Identifier: MIT */
#include "bpf/off-cpu-sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void off_cpu_sums_done(struct off_cpu_sums *s)
{
	free(s->items);
	*s = (struct off_cpu_sums){ 0 };
}

static int off_cpu_sums_compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compares tasks first, because samples of a task are adjacent in the file. */
static int off_cpu_sums_compare_rows(const void *a, const void *b)
{
	const struct off_cpu_key *x = &((const struct off_cpu_row *)a)->key;
	const struct off_cpu_key *y = &((const struct off_cpu_row *)b)->key;
	int r = off_cpu_sums_compare_numbers(x->tgid, y->tgid);

	if (!r)
		r = off_cpu_sums_compare_numbers(x->tid, y->tid);
	if (!r)
		r = off_cpu_sums_compare_numbers(x->state, y->state);
	if (!r)
		r = off_cpu_sums_compare_numbers(x->generation, y->generation);
	return r ? r : off_cpu_sums_compare_numbers(x->stack_hash, y->stack_hash);
}

struct off_cpu_sums off_cpu_sums_of(const void *keys, const void *values, size_t n)
{
	const uint8_t *key = keys, *value = values;
	struct off_cpu_sums s = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct off_cpu_row *row = ARRAY_ADD(&s);

		memcpy(&row->key, key + i * sizeof(row->key), sizeof(row->key));
		memcpy(&row->sum, value + i * sizeof(row->sum), sizeof(row->sum));
	}
	if (s.n)
		qsort(s.items, s.n, sizeof(s.items[0]), off_cpu_sums_compare_rows);
	return s;
}

static int compare_ends(const void *a, const void *b)
{
	const struct off_cpu_end *x = a, *y = b;
	int r = off_cpu_sums_compare_numbers(x->tid, y->tid);

	return r ? r : off_cpu_sums_compare_numbers(x->generation, y->generation);
}

void off_cpu_ends_sort(struct off_cpu_ends *e)
{
	if (e->n)
		qsort(e->items, e->n, sizeof(e->items[0]), compare_ends);
}

uint64_t off_cpu_ends_find(const struct off_cpu_ends *e, const struct off_cpu_key *key)
{
	const struct off_cpu_end wanted = { .tid = key->tid, .generation = key->generation };
	const struct off_cpu_end *found =
		e->n ? bsearch(&wanted, e->items, e->n, sizeof(wanted), compare_ends) : NULL;

	return found ? found->time_ns : 0;
}

void off_cpu_sums_remove(struct off_cpu_sums *s, const struct off_cpu_sums *gone)
{
	size_t n = 0, g = 0;

	for (size_t i = 0; i < s->n; i++) {
		while (g < gone->n && off_cpu_sums_compare_rows(&gone->items[g], &s->items[i]) < 0)
			g++;
		if (g == gone->n || off_cpu_sums_compare_rows(&gone->items[g], &s->items[i]))
			s->items[n++] = s->items[i];
	}
	s->n = n;
}

/* Merges two sorted lists. */
void off_cpu_sums_add(struct off_cpu_sums *s, const struct off_cpu_sums *more)
{
	struct off_cpu_sums both = { 0 };
	size_t a = 0, b = 0;

	while (a < s->n || b < more->n) {
		int r = a == s->n      ? 1
			: b == more->n ? -1
				       : off_cpu_sums_compare_rows(&s->items[a], &more->items[b]);
		struct off_cpu_row *row = ARRAY_ADD(&both);

		*row = r <= 0 ? s->items[a] : more->items[b];
		if (!r) {
			row->sum.ns += more->items[b].sum.ns;
			row->sum.waits += more->items[b].sum.waits;
		}
		a += r <= 0;
		b += r >= 0;
	}
	off_cpu_sums_done(s);
	*s = both;
}

struct off_cpu_sums off_cpu_sums_since(const struct off_cpu_sums *now,
				       const struct off_cpu_sums *before)
{
	struct off_cpu_sums added = { 0 };
	size_t b = 0;

	for (size_t i = 0; i < now->n; i++) {
		struct off_cpu_row row = now->items[i];

		while (b < before->n && off_cpu_sums_compare_rows(&before->items[b], &row) < 0)
			b++;
		if (b < before->n && !off_cpu_sums_compare_rows(&before->items[b], &row)) {
			row.sum.ns -= before->items[b].sum.ns;
			row.sum.waits -= before->items[b].sum.waits;
		}
		if (row.sum.waits)
			*ARRAY_ADD(&added) = row;
	}
	return added;
}
