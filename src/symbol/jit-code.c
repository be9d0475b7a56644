/* SPDX-License-Identifier: MIT */
#include "symbol/jit-code.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "symbol/image.h"
#include "symbol/jit-dumps.h"

/* The number of functions that an address can have over time; each layer is an image. */
#define LAYERS_MAX 1024

/* A layer: loads [first, first + n) of jit_code, sorted and disjoint. */
struct layer {
	size_t first, n;
};

struct jit_code {
	struct jit_load *loads;
	size_t n;
	struct layer *layers;
	size_t n_layers;
	uint8_t *unwind; /* unwind tables of all loads */
	bool swapped;
};

/* Compares by start. Of equal starts the latest comes first, because that one is kept. */
static int jit_code_by_start(const void *a, const void *b)
{
	const struct jit_draft *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->number < y->number ? 1 : -1;
}

static int by_layer(const void *a, const void *b)
{
	const struct jit_draft *x = a, *y = b;

	return x->layer != y->layer ? (x->layer < y->layer ? -1 : 1) : jit_code_by_start(a, b);
}

static int jit_code_by_end(const void *a, const void *b)
{
	const struct jit_draft *x = *(const struct jit_draft *const *)a;
	const struct jit_draft *y = *(const struct jit_draft *const *)b;

	return (x->end > y->end) - (x->end < y->end);
}

/* Drops the drafts that have no layer. */
static void drop_rest(struct jit_drafts *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (d->items[i].layer < LAYERS_MAX)
			d->items[n++] = d->items[i];
	d->n = n;
}

/*
 * Gives each draft the first layer that is free at its start. This walks all starts and ends in the
 * order of addresses; a layer is free again at the end of its draft. Drafts that would need more
 * than LAYERS_MAX layers are dropped. Returns the number of layers.
 */
static size_t share_out(struct jit_drafts *d)
{
	_cleanup_(freep) struct jit_draft **ends = xcalloc(d->n, sizeof(struct jit_draft *));
	_cleanup_(freep) uint32_t *free_layers = xcalloc(d->n, sizeof(*free_layers));
	size_t n_free = 0, n_layers = 0, ended = 0;

	if (!d->n)
		return 0;
	qsort(d->items, d->n, sizeof(d->items[0]), jit_code_by_start);
	for (size_t i = 0; i < d->n; i++)
		ends[i] = &d->items[i];
	qsort(ends, d->n, sizeof(struct jit_draft *), jit_code_by_end);
	for (size_t i = 0; i < d->n; i++) {
		for (; ends[ended]->end <= d->items[i].start; ended++)
			if (ends[ended]->layer < LAYERS_MAX)
				free_layers[n_free++] = ends[ended]->layer;
		if (n_free)
			d->items[i].layer = free_layers[--n_free];
		else
			d->items[i].layer = n_layers < LAYERS_MAX ? (uint32_t)n_layers++
								  : LAYERS_MAX;
	}
	drop_rest(d);
	return n_layers;
}

static void fill_layer(struct symbolizer *s, const struct jit_request *r, struct jit_code *c,
		       const struct jit_draft *drafts, uint32_t layer, const char *remark)
{
	struct layer *l = &c->layers[layer];
	struct image *im = symbolizer_image(
		s, &(struct image_key){
			   .kind = IMAGE_JITDUMP, .name = r->path, .pid = r->pid, .start = layer });

	for (size_t i = l->first; i < l->first + l->n; i++) {
		const struct jit_draft *d = &drafts[i];

		c->loads[i] = (struct jit_load){ .start = d->start,
						 .end = d->end,
						 .since = d->since,
						 .number = d->number,
						 .image = im };
		symbol_table_add(
			&im->own,
			(struct symbol){
				.start = d->start, .end = d->end, .name = d->name, .binding = 'g' },
			d->name_length);
	}
	symbol_table_settle(&im->own, SYMBOL_RULES_JIT);
	im->symbols = &im->own;
	im->missing = IMAGE_LOADED;
	im->origin = ORIGIN_JIT;
	im->jit_code = c;
	image_set_remark(im, layer ? NULL : remark);
	atomic_store_explicit(&im->loaded, true, memory_order_release);
}

/*
 * Copies the unwind tables. The sum of their sizes is bounded: each table is in the dump, or is a
 * repetition within MOVED_BYTES_MAX.
 */
static void copy_unwind(struct jit_code *c, const struct jit_draft *drafts)
{
	size_t size = 0, used = 0;

	for (size_t i = 0; i < c->n; i++)
		size += drafts[i].unwind_size;
	if (!size)
		return;
	c->unwind = xmalloc(size);
	for (size_t i = 0; i < c->n; i++) {
		if (!drafts[i].unwind_size)
			continue;
		memcpy(c->unwind + used, drafts[i].unwind, drafts[i].unwind_size);
		c->loads[i].unwind = c->unwind + used;
		c->loads[i].unwind_size = drafts[i].unwind_size;
		used += drafts[i].unwind_size;
	}
}

struct jit_code *jit_code_new(struct symbolizer *s, const struct jit_request *r,
			      struct jit_drafts *d, const char *remark)
{
	struct jit_code *c = xcalloc(1, sizeof(*c));

	c->n_layers = share_out(d);
	c->n = d->n;
	c->loads = xcalloc(c->n, sizeof(c->loads[0]));
	c->layers = xcalloc(c->n_layers, sizeof(c->layers[0]));
	if (d->n)
		qsort(d->items, d->n, sizeof(d->items[0]), by_layer);
	for (size_t i = c->n; i-- > 0;) {
		c->layers[d->items[i].layer].first = i;
		c->layers[d->items[i].layer].n++;
	}
	for (size_t i = 0; i < c->n_layers; i++)
		fill_layer(s, r, c, d->items, (uint32_t)i, remark);
	copy_unwind(c, d->items);
	c->swapped = d->swapped;
	return c;
}

void jit_code_free(struct jit_code *c)
{
	if (!c)
		return;
	free(c->loads);
	free(c->layers);
	free(c->unwind);
	free(c);
}

const struct jit_load *jit_code_loads(const struct jit_code *c, size_t *ret_n)
{
	*ret_n = c->n;
	return c->loads;
}

/* Returns the load of @l that contains @addr, or NULL. */
static const struct jit_load *find_in_layer(const struct jit_code *c, const struct layer *l,
					    uint64_t addr)
{
	const struct jit_load *loads = &c->loads[l->first];
	size_t n = BISECT(i, l->n, loads[i].start <= addr);

	return n && addr < loads[n - 1].end ? &loads[n - 1] : NULL;
}

static bool is_later(const struct jit_load *a, const struct jit_load *b)
{
	return !b || a->since > b->since || (a->since == b->since && a->number > b->number);
}

const struct jit_load *jit_code_find(const struct jit_code *c, uint64_t addr, uint64_t time,
				     uint64_t *from, uint64_t *until)
{
	const struct jit_load *found = NULL;

	for (size_t i = 0; i < c->n_layers; i++) {
		const struct jit_load *l = find_in_layer(c, &c->layers[i], addr);

		if (!l)
			continue;
		if (l->since > time)
			*until = l->since < *until ? l->since : *until;
		else if (is_later(l, found))
			found = l;
	}
	if (found)
		*from = found->since > *from ? found->since : *from;
	return found;
}

bool image_jit_unwind(const struct image *im, uint64_t addr, struct jit_unwind *ret)
{
	const struct jit_code *c = im->jit_code;
	const struct jit_load *l = c ? find_in_layer(c, &c->layers[im->start], addr) : NULL;

	if (!l || !l->unwind_size)
		return false;
	*ret = (struct jit_unwind){ .start = l->start,
				    .end = l->end,
				    .bytes = l->unwind,
				    .size = l->unwind_size,
				    .swapped = c->swapped };
	return true;
}
