/* SPDX-License-Identifier: MIT */
#include "profile/frames.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

/* Frames are kept in blocks, so that they can be read while others are added. */
#define BLOCK_BITS 12
#define BLOCK_SIZE (1u << BLOCK_BITS)
#define BLOCKS_MAX (1u << 16)

struct frame_block {
	struct frame frames[BLOCK_SIZE];
	_Atomic(uint64_t) notes[BLOCK_SIZE][N_FRAME_NOTES];
};

/* A hash table: id + 1; 0: free. */
struct frame_table {
	struct frame_table *older; /* other threads may still be reading it */
	size_t n_slots;            /* a power of two */
	_Atomic(uint32_t) slots[];
};

struct frames {
	bool by_address, by_ip, copies_maps;
	pthread_mutex_t lock; /* held while adding */
	_Atomic(uint32_t) n;
	_Atomic(struct frame_block *) blocks[BLOCKS_MAX];
	_Atomic(struct frame_table *) table; /* read without the lock */
	uint64_t seed;                       /* for base/hash.h */
	struct arena maps;                   /* copies of maps */
};

#define SLOTS_MIN 1024

static struct frame_table *frames_table_new(size_t n_slots, struct frame_table *older)
{
	struct frame_table *t = xcalloc(1, sizeof(*t) + n_slots * sizeof(t->slots[0]));

	t->older = older;
	t->n_slots = n_slots;
	return t;
}

struct frames *frames_new(bool by_address)
{
	struct frames *f = xcalloc(1, sizeof(*f));

	f->by_address = f->by_ip = by_address;
	f->table = frames_table_new(SLOTS_MIN, NULL);
	f->seed = hash_seed();
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

struct frames *frames_new_places(void)
{
	struct frames *f = frames_new(true);

	f->by_ip = false;
	return f;
}

void frames_copy_maps(struct frames *f)
{
	f->copies_maps = true;
}

void frames_free(struct frames *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < BLOCKS_MAX && f->blocks[i]; i++)
		free(f->blocks[i]);
	pthread_mutex_destroy(&f->lock);
	arena_done(&f->maps);
	for (struct frame_table *t = f->table, *older; t; t = older) {
		older = t->older;
		free(t);
	}
	free(f);
}

static struct frame_block *block_of(const struct frames *f, uint32_t id)
{
	return atomic_load_explicit(&f->blocks[id >> BLOCK_BITS], memory_order_acquire);
}

const struct frame *frames_get(const struct frames *f, uint32_t id)
{
	return &block_of(f, id)->frames[id & (BLOCK_SIZE - 1)];
}

_Atomic(uint64_t) *frames_note(struct frames *f, uint32_t id, enum frame_note which)
{
	return &block_of(f, id)->notes[id & (BLOCK_SIZE - 1)][which];
}

bool frames_by_address(const struct frames *f)
{
	return f->by_address;
}

bool frames_by_ip(const struct frames *f)
{
	return f->by_ip;
}

uint32_t frames_count(const struct frames *f)
{
	return atomic_load_explicit(&f->n, memory_order_acquire);
}

bool frames_wrap(const struct frames *f)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (uint32_t i = 0; i < frames_count(f); i++) {
		const struct frame *frame = frames_get(f, i);
		int64_t addr = (int64_t)frame_address(frame);

		if (frame->sym)
			continue;
		low = addr < low ? addr : low;
		high = addr > high ? addr : high;
	}
	return high > low && (uint64_t)high - (uint64_t)low > INT64_MAX;
}

static uint64_t frames_hash(const struct frames *f, const struct frame *frame)
{
	uint64_t h = hash_u64(f->seed, (uintptr_t)frame->image);

	h = hash_u64(f->seed, h ^ frame_address(frame));
	/* An address of an image is at another place in each process. */
	if (f->by_ip)
		h = hash_u64(f->seed, h ^ frame->ip);
	return hash_u64(f->seed, h ^ (uintptr_t)frame->sym ^ (uint64_t)frame->mode << 60);
}

static bool frames_same(const struct frames *f, const struct frame *a, const struct frame *b)
{
	return frame_address(a) == frame_address(b) && a->sym == b->sym && a->image == b->image &&
	       a->mode == b->mode && a->by_ip == b->by_ip && a->depth == b->depth &&
	       a->is_call == b->is_call && (!f->by_ip || a->ip == b->ip) &&
	       (!f->by_address || a->addr == b->addr);
}

/* Returns the slot of @frame in @t, or the one where it would go; *@ret is the slot's content. */
static _Atomic(uint32_t) *frames_slot_of(const struct frames *f, struct frame_table *t,
					 const struct frame *frame, uint32_t *ret)
{
	size_t i = frames_hash(f, frame) & (t->n_slots - 1);

	while ((*ret = atomic_load_explicit(&t->slots[i], memory_order_acquire)) &&
	       !frames_same(f, frames_get(f, *ret - 1), frame))
		i = (i + 1) & (t->n_slots - 1);
	return &t->slots[i];
}

static void frames_grow(struct frames *f)
{
	struct frame_table *t = frames_table_new(2 * f->table->n_slots, f->table);
	uint32_t free_slot;

	for (uint32_t id = 0; id < f->n; id++)
		*frames_slot_of(f, t, frames_get(f, id), &free_slot) = id + 1;
	atomic_store_explicit(&f->table, t, memory_order_release);
}

/* Returns the map. The name of a map belongs to the session too. */
static const struct map *frames_map_of(struct frames *f, const struct frame *frame)
{
	struct map *copy;

	if (!f->copies_maps || !frame->map)
		return frame->map;
	copy = arena_alloc(&f->maps, sizeof(*copy));
	*copy = *frame->map;
	copy->name = copy->image ? image_name(copy->image) : "";
	return copy;
}

/* Appends a frame. Ids run out only when memory does; then every new frame is the last one. */
static uint32_t frames_append(struct frames *f, const struct frame *frame)
{
	uint32_t id = f->n;
	_Atomic(struct frame_block *) *block = &f->blocks[id >> BLOCK_BITS];

	if (id == BLOCKS_MAX * BLOCK_SIZE - 1)
		return id - 1;
	if (!*block)
		atomic_store_explicit(block, xcalloc(1, sizeof(**block)), memory_order_release);
	(*block)->frames[id & (BLOCK_SIZE - 1)] = *frame;
	(*block)->frames[id & (BLOCK_SIZE - 1)].map = frames_map_of(f, frame);
	atomic_store_explicit(&f->n, id + 1, memory_order_release);
	return id;
}

static uint64_t address_of(const struct frames *f, const struct location *loc)
{
	const struct map *m = loc->map;

	if (loc->sym && f->by_address)
		return loc->image_addr;
	if (loc->sym)
		return loc->sym->is_inlined ? 0 : loc->sym->start;
	/*
	 * Module symbols are relative to where the module is loaded. Without a symbol, the offset
	 * in the module is used.
	 */
	if (m && m->image && image_is_file(m->image))
		return loc->addr - m->start + m->pgoff;
	return loc->image_addr;
}

/* Adds @frame, unless another thread has added it. */
static uint32_t frames_add_new(struct frames *f, const struct frame *frame)
{
	_Atomic(uint32_t) *slot;
	uint32_t found;

	pthread_mutex_lock(&f->lock);
	slot = frames_slot_of(f, f->table, frame, &found);
	if (!found) {
		found = frames_append(f, frame) + 1;
		atomic_store_explicit(slot, found, memory_order_release);
		if (f->n * 2 > f->table->n_slots)
			frames_grow(f);
	}
	pthread_mutex_unlock(&f->lock);
	return found - 1;
}

static uint32_t profile_frames_add(struct frames *f, const struct frame *frame)
{
	uint32_t found;

	frames_slot_of(f, atomic_load_explicit(&f->table, memory_order_acquire), frame, &found);
	return found ? found - 1 : frames_add_new(f, frame);
}

uint32_t frames_take(struct frames *f, const struct frame *frame)
{
	return profile_frames_add(f, frame);
}

uint32_t frames_add(struct frames *f, const struct location *loc, enum address_mode mode,
		    enum frame_kind kind)
{
	return profile_frames_add(f, &(struct frame){
					     .image = loc->map ? loc->map->image : NULL,
					     .sym = loc->sym,
					     .map = loc->map,
					     .addr = address_of(f, loc),
					     .ip = loc->addr,
					     .by_ip = kind != FRAME_SAMPLED && !loc->sym,
					     .is_call = f->by_address && kind == FRAME_OF_CALL,
					     .mode = mode,
				     });
}

uint32_t frames_add_part(struct frames *f, const struct location *loc, enum address_mode mode,
			 const struct symbol *sym, size_t depth)
{
	struct location own = *loc;

	own.sym = sym;
	return profile_frames_add(
		f, &(struct frame){
			   .image = loc->map->image,
			   .sym = sym,
			   .map = loc->map,
			   .addr = address_of(f, &own),
			   .ip = loc->addr,
			   .depth = (uint8_t)(f->by_address && depth < UINT8_MAX ? depth : 0),
			   .mode = mode,
		   });
}

int frame_compare_places(const struct frame *x, const struct frame *y)
{
	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	if (x->sym != y->sym)
		return x->sym < y->sym ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

bool frame_source_line(const struct frame *f, struct source_line *ret)
{
	struct source_frames all;

	if (!f->image)
		return false;
	if (!f->depth)
		return image_source_line(f->image, f->addr - f->is_call, ret);
	all = image_code_frames(f->image, f->addr);
	if (f->depth >= all.n || !all.items[f->depth].at.file)
		return false;
	*ret = all.items[f->depth].at;
	return true;
}
