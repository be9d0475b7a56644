/* SPDX-License-Identifier: MIT */
/* Each thread sorts a part; then adjacent parts are merged, two at a time. */
#include "base/shared-sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/workers.h"

#define PARTS_MAX 16u

struct shared_sorting {
	uint8_t *from, *to; /* source and destination of a merge */
	size_t n, size;
	size_t parts; /* a power of two */
	int (*compare)(const void *a, const void *b, void *arg);
	void *arg;
};

/* Returns the offset of part @i, in bytes. */
static size_t begin_of(const struct shared_sorting *s, size_t i)
{
	return (size_t)((unsigned __int128)s->n * i / s->parts) * s->size;
}

static void sort_part(void *arg, size_t i, unsigned worker)
{
	const struct shared_sorting *s = arg;
	size_t begin = begin_of(s, i), end = begin_of(s, i + 1);

	(void)worker;
	qsort_r(s->from + begin, (end - begin) / s->size, s->size, s->compare, s->arg);
}

/* Merges parts 2 * @i and 2 * @i + 1. */
static void merge_parts(void *arg, size_t i, unsigned worker)
{
	const struct shared_sorting *s = arg;
	size_t a = begin_of(s, 2 * i), b = begin_of(s, 2 * i + 1), to = a;
	const size_t a_end = b, b_end = begin_of(s, 2 * i + 2);

	(void)worker;
	for (; a < a_end && b < b_end; to += s->size) {
		size_t *next = s->compare(s->from + b, s->from + a, s->arg) < 0 ? &b : &a;

		memcpy(s->to + to, s->from + *next, s->size);
		*next += s->size;
	}
	memcpy(s->to + to, s->from + a, a_end - a);
	memcpy(s->to + to + (a_end - a), s->from + b, b_end - b);
}

static size_t parts_for(struct workers *w, size_t n)
{
	size_t parts = 1;

	while (w && n > SHARED_SORT_MIN && parts < workers_count(w) && parts < PARTS_MAX)
		parts *= 2;
	return parts;
}

void shared_sort(struct workers *w, void *items, size_t n, size_t size,
		 int (*compare)(const void *a, const void *b, void *arg), void *arg)
{
	struct shared_sorting s = {
		.from = items,
		.n = n,
		.size = size,
		.parts = parts_for(w, n),
		.compare = compare,
		.arg = arg,
	};
	_cleanup_(freep) uint8_t *room = s.parts > 1 ? xcalloc(n, size) : NULL;

	if (s.parts == 1) {
		qsort_r(items, n, size, compare, arg);
		return;
	}
	s.to = room;
	workers_run(w, s.parts, sort_part, &s);
	for (; s.parts > 1; s.parts /= 2) {
		uint8_t *merged = s.to;

		workers_run(w, s.parts / 2, merge_parts, &s);
		s.to = s.from;
		s.from = merged;
	}
	if (s.from != items)
		memcpy(items, s.from, n * size);
}
