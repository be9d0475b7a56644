/* SPDX-License-Identifier: MIT */
#include "profile/type-weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "profile/annotation.h"

static struct weighed_type *type_weights_type_of(struct type_weights *t, struct u64_map *numbers,
						 const struct data_type *type)
{
	uintptr_t number = (uintptr_t)u64_map_find(numbers, (uintptr_t)type);
	struct weighed_type *w;

	if (number)
		return &t->items[number - 1];
	w = ARRAY_ADD(t);
	w->type = type;
	w->totals = arena_alloc(&t->arena, t->n_events * sizeof(*w->totals));
	u64_map_put(numbers, (uintptr_t)type, (void *)(uintptr_t)t->n);
	return w;
}

static struct type_offset *type_weights_offset_of(struct type_weights *t, struct weighed_type *w,
						  uint64_t offset)
{
	size_t at = BISECT(k, w->n, w->items[k].offset < offset);

	if (at < w->n && w->items[at].offset == offset)
		return &w->items[at];
	ARRAY_ADD(w);
	memmove(&w->items[at + 1], &w->items[at], (w->n - 1 - at) * sizeof(w->items[0]));
	w->items[at] = (struct type_offset){
		.offset = offset,
		.weights = arena_alloc(&t->arena, t->n_events * sizeof(struct weight)),
	};
	return &w->items[at];
}

struct access_type type_of_samples(const struct annotated_functions *all,
				   const struct annotated_function *f, size_t k, size_t event,
				   struct access_types *types)
{
	if (all->skids && all->skids[event])
		return access_types_find_skidded(types, f->image, f->sym, f->addrs[k]);
	return access_types_find(types, f->image, f->sym, f->addrs[k]);
}

static void type_weights_add_weight(struct type_weights *t, struct u64_map *numbers,
				    const struct access_type *a, size_t event, struct weight weight)
{
	struct weighed_type *w = type_weights_type_of(t, numbers, a->type);
	struct type_offset *o = type_weights_offset_of(t, w, a->offset);

	weight_add(&w->totals[event], weight);
	weight_add(&o->weights[event], weight);
}

/* Adds the samples at address @k of @f. */
static void type_weights_add_address(struct type_weights *t, struct u64_map *numbers,
				     const struct annotated_functions *all,
				     const struct annotated_function *f, size_t k,
				     struct access_types *types)
{
	const struct weight *weights = &f->weights[k * all->n_events];

	for (size_t e = 0; e < all->n_events; e++) {
		struct access_type a = type_of_samples(all, f, k, e, types);

		if (a.status == ACCESS_TYPED)
			type_weights_add_weight(t, numbers, &a, e, weights[e]);
	}
}

static int type_weights_by_weight(const void *a, const void *b, void *arg)
{
	const struct weighed_type *x = a, *y = b;
	const struct type_weights *t = arg;

	for (size_t e = 0; e < t->n_events; e++)
		if (x->totals[e].period != y->totals[e].period)
			return x->totals[e].period > y->totals[e].period ? -1 : 1;
	return strcmp(y->type->name, x->type->name);
}

void type_weights_make(struct type_weights *ret, const struct annotated_functions *all,
		       struct access_types *types)
{
	struct u64_map numbers = { 0 };

	ret->n_events = all->n_events;
	for (size_t i = 0; i < all->n; i++) {
		const struct annotated_function *f = &all->items[i];

		for (size_t k = 0; k < f->n; k++)
			type_weights_add_address(ret, &numbers, all, f, k, types);
	}
	u64_map_done(&numbers);
	if (ret->n)
		qsort_r(ret->items, ret->n, sizeof(ret->items[0]), type_weights_by_weight, ret);
}

void type_weights_done(struct type_weights *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->items[i].items);
	free(t->items);
	arena_done(&t->arena);
}

struct weight weighed_type_between(const struct weighed_type *t, size_t event, uint64_t start,
				   uint64_t end)
{
	struct weight sum = { 0 };

	for (size_t i = BISECT(k, t->n, t->items[k].offset < start);
	     i < t->n && t->items[i].offset < end; i++)
		weight_add(&sum, t->items[i].weights[event]);
	return sum;
}
