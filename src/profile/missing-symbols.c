/* SPDX-License-Identifier: MIT */
#include "profile/missing-symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/frames.h"
#include "profile/stacks.h"
#include "symbol/symbolizer.h"
#include "symbol/unnamed.h"

/* If fewer than one in this number of samples has no name, nothing is reported. */
#define SHARE_MIN 200

void missing_symbols_done(struct missing_symbols *m)
{
	free(m->items);
	u64_map_done(&m->by_image);
}

void missing_symbols_add(struct missing_symbols *m, const struct image *im, uint64_t samples)
{
	/* Images are at even addresses, so 1 stands for none. */
	uint64_t key = im ? (uintptr_t)im : 1;
	size_t place = (uintptr_t)u64_map_find(&m->by_image, key);

	if (!place) {
		*ARRAY_ADD(m) = (struct missing_object){ .image = im };
		place = m->n;
		u64_map_put(&m->by_image, key, (void *)(uintptr_t)place);
	}
	m->items[place - 1].samples += samples;
}

void missing_symbols_count(struct missing_symbols *m, const struct frames *frames,
			   const struct stacks *s, const bool *shown)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];
		const struct frame *f;

		if (!s->weights[i].self.samples || n->parent == STACK_NONE || (shown && !shown[i]))
			continue;
		m->total += s->weights[i].self.samples;
		f = frames_get(frames, n->frame);
		if (!f->sym)
			missing_symbols_add(m, f->image, s->weights[i].self.samples);
	}
}

static int missing_symbols_by_name(const void *a, const void *b)
{
	const struct missing_object *x = a, *y = b;

	return strcmp(image_wanted_path(x->image), image_wanted_path(y->image));
}

/* Sorts objects by their samples, most first. */
static int missing_symbols_by_samples(const void *a, const void *b)
{
	const struct missing_object *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return missing_symbols_by_name(a, b);
}

/*
 * Keeps the images that are to be reported, each file once, because one map names several images.
 */
static void missing_symbols_merge(struct missing_symbols *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].image && image_unnamed_words(m->items[i].image).why)
			m->items[n++] = m->items[i];
	if (n)
		qsort(m->items, n, sizeof(m->items[0]), missing_symbols_by_name);
	m->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (m->n && missing_symbols_by_name(&m->items[m->n - 1], &m->items[i]) == 0)
			m->items[m->n - 1].samples += m->items[i].samples;
		else
			m->items[m->n++] = m->items[i];
	}
}

size_t missing_symbols_rank(struct missing_symbols *m)
{
	size_t n = 0;

	missing_symbols_merge(m);
	if (m->n)
		qsort(m->items, m->n, sizeof(m->items[0]), missing_symbols_by_samples);
	while (n < m->n && m->items[n].samples && m->items[n].samples >= m->total / SHARE_MIN)
		n++;
	return n;
}
