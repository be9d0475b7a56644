/* SPDX-License-Identifier: MIT */
#include "profile/flame-excerpt.h"

#include <string.h>

#include "base/memory.h"

static bool flame_excerpt_is_wanted(const struct flame_box *b, const struct flame_excerpt *part)
{
	return b->parent != FLAME_NONE && (!part->name || !strcmp(b->name, part->name)) &&
	       (!part->object || !strcmp(b->object, part->object));
}

static uint32_t flame_excerpt_add_copy(struct flame_builder *b, const struct flame_box *box,
				       uint32_t below)
{
	return flame_builder_box(b, below, flame_builder_text(b, box->name),
				 flame_builder_text(b, box->object), box->kind);
}

static void weigh_copy(struct flame_builder *b, const struct flame_box *box, uint32_t copy)
{
	for (int side = 0; side < N_FLAME_SIDES; side++)
		flame_builder_weigh(b, copy, (enum flame_side)side, box->value[side].self);
}

/* Boxes come after those they stand on, so the new boxes of these are known. */
struct flame *flame_excerpt_new(const struct flame *f, const struct flame_excerpt *part)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b =
		flame_builder_new(f->boxes[0].name);
	_cleanup_(freep) uint32_t *copy = xcalloc(f->n, sizeof(*copy));

	for (size_t i = 0; i < f->n; i++) {
		const struct flame_box *box = &f->boxes[i];
		uint32_t below = box->parent == FLAME_NONE ? FLAME_NONE : copy[box->parent];

		copy[i] = FLAME_NONE;
		if (below == FLAME_NONE && flame_excerpt_is_wanted(box, part))
			below = 0;
		if (below == FLAME_NONE)
			continue;
		copy[i] = flame_excerpt_add_copy(b, box, below);
		weigh_copy(b, box, copy[i]);
	}
	return flame_builder_finish(b, false);
}

/*
 * Adds the way from the first box to @box. The own weights of these boxes belong to other stacks.
 */
static uint32_t add_way(struct flame_builder *b, const struct flame *f, uint32_t box)
{
	_cleanup_(freep) uint32_t *way = xcalloc((size_t)f->boxes[box].depth + 1, sizeof(*way));
	uint32_t copy = 0;

	for (uint32_t at = box; at != FLAME_NONE; at = f->boxes[at].parent)
		way[f->boxes[at].depth] = at;
	for (uint32_t depth = 1; depth <= f->boxes[box].depth; depth++)
		copy = flame_excerpt_add_copy(b, &f->boxes[way[depth]], copy);
	return copy;
}

struct flame *flame_excerpt_through(const struct flame *f, uint32_t box)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b =
		flame_builder_new(f->boxes[0].name);
	_cleanup_(freep) uint32_t *copy = xcalloc(f->n, sizeof(*copy));

	copy[box] = add_way(b, f, box);
	weigh_copy(b, &f->boxes[box], copy[box]);
	for (uint32_t i = box + 1; i < f->boxes[box].end; i++) {
		copy[i] = flame_excerpt_add_copy(b, &f->boxes[i], copy[f->boxes[i].parent]);
		weigh_copy(b, &f->boxes[i], copy[i]);
	}
	return flame_builder_finish(b, false);
}
