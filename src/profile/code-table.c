/* SPDX-License-Identifier: MIT */
#include "profile/code-table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/flame-frame.h"
#include "profile/frames.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

void code_table_init(struct code_table *t, const struct frames *frames, bool with_lines)
{
	*t = (struct code_table){ .frames = frames, .with_lines = with_lines };
	contexts_init(&t->image_keys, 1);
	contexts_init(&t->function_keys, 2);
	contexts_init(&t->location_keys, 4);
}

void code_table_done(struct code_table *t)
{
	contexts_done(&t->image_keys);
	contexts_done(&t->function_keys);
	contexts_done(&t->location_keys);
	free(t->images.items);
	free(t->functions.items);
	free(t->locations.items);
	free(t->lines.items);
	free(t->of_frame);
}

static uint32_t code_table_add_image(struct code_table *t, const struct frame *f)
{
	const uint64_t key = (uintptr_t)f->image;
	uint32_t i;

	if (!f->image)
		return CODE_NONE;
	i = contexts_add(&t->image_keys, &key);
	if (i < t->images.n)
		return i;
	*ARRAY_ADD(&t->images) = (struct code_image){
		.image = f->image,
		.start = f->map ? f->map->start : 0,
		.end = f->map ? f->map->end : 0,
		.offset = f->map ? f->map->pgoff : 0,
	};
	return i;
}

static uint32_t code_table_add_function(struct code_table *t, const struct frame *f, uint32_t image)
{
	const uint64_t key[] = { (uintptr_t)f->sym, (uintptr_t)f->image };
	uint32_t i;

	if (!f->sym)
		return CODE_NONE;
	i = contexts_add(&t->function_keys, key);
	if (i == t->functions.n)
		*ARRAY_ADD(&t->functions) = (struct code_function){
			.name = f->sym->name,
			.sym = f->sym,
			.image = image,
			.is_inlined = f->sym->is_inlined,
			.is_of_kernel = flame_frame_is_of_kernel(f),
		};
	return i;
}

static void note_image(struct code_table *t, const struct frame *f, uint32_t image, bool has_line)
{
	struct code_image *im;

	if (image == CODE_NONE)
		return;
	im = &t->images.items[image];
	im->has_functions |= !!f->sym;
	im->has_inlines |= f->sym && f->sym->is_inlined;
	im->has_lines |= has_line;
}

static void code_table_add_line(struct code_table *t, const struct frame *f, uint32_t image)
{
	uint32_t function = code_table_add_function(t, f, image);
	struct source_line at = { 0 };
	bool has_line = t->with_lines && f->sym && frame_source_line(f, &at);

	note_image(t, f, image, has_line);
	if (function == CODE_NONE)
		return;
	*ARRAY_ADD(&t->lines) = (struct located_function){ .function = function, .line = at.line };
	if (has_line && !t->functions.items[function].file)
		t->functions.items[function].file = at.file;
}

/*
 * Returns the address at run time. A program's code is at another address in each process, so the
 * address in the first process is shown. The image's own addresses are offsets in its file.
 */
static uint64_t runtime_address(const struct code_table *t, const struct frame *f, uint32_t image)
{
	const struct code_image *im;
	enum image_kind kind;

	if (image == CODE_NONE)
		return f->ip;
	im = &t->images.items[image];
	kind = image_kind(f->image);
	if (kind != IMAGE_USER && kind != IMAGE_VDSO)
		return f->ip;
	return im->start + f->addr - im->offset;
}

/* True if @outer is the function that @inner, at the same address, is inlined into. */
static bool code_table_is_same_place(const struct frame *inner, const struct frame *outer)
{
	return inner->sym && inner->sym->is_inlined && outer->sym && outer->image == inner->image &&
	       outer->ip == inner->ip && outer->depth == inner->depth + 1;
}

static uint32_t outer_node(const struct code_table *t, const struct stacks *s, uint32_t node)
{
	uint32_t parent = s->nodes[node].parent;

	if (parent == STACK_NONE || stacks_is_root(s, parent))
		return STACK_NONE;
	return code_table_is_same_place(frames_get(t->frames, s->nodes[node].frame),
					frames_get(t->frames, s->nodes[parent].frame))
		       ? parent
		       : STACK_NONE;
}

static uint32_t make_location(struct code_table *t, const struct stacks *s, uint32_t node)
{
	const struct frame *f = frames_get(t->frames, s->nodes[node].frame);
	uint32_t image = code_table_add_image(t, f);
	uint64_t addr = runtime_address(t, f, image);
	/* Only with source lines is a call different from the place it returns to. */
	const uint64_t key[] = { (uintptr_t)f->image, addr, (uintptr_t)f->sym,
				 t->with_lines && f->is_call };
	uint32_t i = contexts_add(&t->location_keys, key);
	size_t first = t->lines.n;

	if (i < t->locations.n)
		return i;
	for (uint32_t at = node; at != STACK_NONE; at = outer_node(t, s, at))
		code_table_add_line(t, frames_get(t->frames, s->nodes[at].frame), image);
	*ARRAY_ADD(&t->locations) = (struct code_location){
		.image = image,
		.addr = addr,
		.first_line = (uint32_t)first,
		.n_lines = (uint32_t)(t->lines.n - first),
		.is_of_kernel = flame_frame_is_of_kernel(f),
	};
	return i;
}

static void reserve_frames(struct code_table *t)
{
	size_t n = frames_count(t->frames);

	if (n <= t->n_frames)
		return;
	n += n / 2;
	t->of_frame = xrealloc(t->of_frame, n * sizeof(*t->of_frame));
	memset(t->of_frame + t->n_frames, 0, (n - t->n_frames) * sizeof(*t->of_frame));
	t->n_frames = n;
}

uint32_t code_table_location(struct code_table *t, const struct stacks *s, uint32_t node,
			     uint32_t *ret_caller)
{
	uint32_t frame = s->nodes[node].frame, outer = node;

	reserve_frames(t);
	if (!t->of_frame[frame])
		t->of_frame[frame] = make_location(t, s, node) + 1;
	for (uint32_t at = node; at != STACK_NONE; at = outer_node(t, s, at))
		outer = at;
	outer = s->nodes[outer].parent;
	*ret_caller = stacks_is_root(s, outer) ? STACK_NONE : outer;
	return t->of_frame[frame] - 1;
}

void code_table_place(struct code_table *t, const struct location *loc, uint32_t *ret_image,
		      uint32_t *ret_function)
{
	const struct frame f = { .image = loc->map ? loc->map->image : NULL,
				 .sym = loc->sym,
				 .map = loc->map };

	*ret_image = code_table_add_image(t, &f);
	*ret_function = code_table_add_function(t, &f, *ret_image);
}

const char *code_image_name(const struct code_image *im)
{
	return image_long_name(im->image);
}

uint32_t code_sampled_node(const struct stacks *s, uint32_t node)
{
	if (stacks_is_root(s, node))
		return STACK_NONE;
	if (s->apart[node] && !stacks_is_root(s, s->nodes[node].parent))
		return s->nodes[node].parent;
	return node;
}
