/* SPDX-License-Identifier: MIT */
#include "transform/image-hits.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "session/machine.h"
#include "wire/sample.h"

/*
 * The places at which an image is known to be hit, so that most samples and frames need only one
 * lookup: addresses of samples, and pages of frames. Samples do not use pages, because one page may
 * contain several programs made by the kernel, and no sample's image may be missed.
 */
#define MEMO_SLOTS 4096

struct memo_slot {
	uint64_t place; /* an address; or a page, with the highest bit set */
	uint64_t generation;
	struct span span; /* the span of its hit; empty in an empty slot */
	uint32_t pid;     /* 0 in the kernel, which all processes share */
	enum address_mode mode;
};

struct image_hits {
	const struct session *session;
	uint64_t generation; /* that of the session's state */
	struct u64_map images;
	struct {
		struct image **items;
		size_t n, room;
	} list;
	struct stack_depths depths;
	struct memo_slot memo[MEMO_SLOTS];
	struct memo_slot *last; /* the slot of the previous frame */
};

struct image_hits *image_hits_new(const struct session *s)
{
	struct image_hits *h = xcalloc(1, sizeof(*h));

	h->session = s;
	return h;
}

void image_hits_free(struct image_hits *h)
{
	if (!h)
		return;
	u64_map_done(&h->images);
	free(h->list.items);
	free(h);
}

static void image_hits_mark(struct image_hits *h, struct image *im)
{
	if (image_hits_has(h, im))
		return;
	u64_map_put(&h->images, (uintptr_t)im, im);
	*ARRAY_ADD(&h->list) = im;
}

static void mark_place(struct image_hits *h, const struct sample *s, enum address_mode mode,
		       uint64_t addr, uint64_t place)
{
	uint32_t pid = mode == ADDRESS_KERNEL ? 0 : s->pid;
	struct memo_slot *slot = &h->memo[(place ^ pid) % MEMO_SLOTS];
	struct location at;

	h->last = slot;
	if (slot->place == place && slot->pid == pid && slot->mode == mode &&
	    slot->generation == h->generation && span_has(&slot->span, s->time))
		return;
	*slot = (struct memo_slot){
		.place = place, .generation = h->generation, .pid = pid, .mode = mode
	};
	if (machine_locate_span(h->session, s->pid, mode, addr, s->time, &at, &slot->span) &&
	    at.map->image)
		image_hits_mark(h, at.map->image);
}

/* True if @addr is in the map of the previous frame, as for most frames of a stack. */
static bool image_hits_is_near(const struct image_hits *h, uint64_t addr)
{
	return addr >= h->last->span.start && addr < h->last->span.end;
}

static uint64_t page_of(uint64_t addr)
{
	return addr >> 12 | UINT64_C(1) << 63;
}

/*
 * Returns the mode for frames after a marker. Frames before the first marker have the sample's
 * mode.
 */
static enum address_mode mode_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_KERNEL:
		return ADDRESS_KERNEL;
	case PERF_CONTEXT_USER:
		return ADDRESS_USER;
	case PERF_CONTEXT_GUEST_KERNEL:
		return ADDRESS_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return ADDRESS_GUEST_USER;
	default:
		return ADDRESS_UNKNOWN;
	}
}

void stack_depths_add(struct stack_depths *d, const struct stack_depths *more)
{
	d->stacks += more->stacks;
	d->shallow += more->shallow;
	if (more->deepest > d->deepest) {
		d->deepest = more->deepest;
		d->n_deepest = 0;
	}
	if (more->deepest == d->deepest)
		d->n_deepest += more->n_deepest;
}

void image_hits_add(struct image_hits *h, const struct sample *s)
{
	enum address_mode mode = address_mode_of(s->misc);
	size_t user_frames = 0, frames = 0;

	h->generation = machine_generation(h->session);
	mark_place(h, s, mode, s->ip, s->ip);
	for (size_t i = 0; i < s->chain.n; i++) {
		uint64_t ip = words_get(&s->chain, i);

		if (ip == PERF_CONTEXT_USER_DEFERRED)
			i++; /* a cookie follows */
		else if (ip >= PERF_CONTEXT_MAX)
			mode = mode_of_marker(ip);
		else if (mode != ADDRESS_UNKNOWN &&
			 (mode != h->last->mode || !image_hits_is_near(h, ip)))
			mark_place(h, s, mode, ip, page_of(ip));
		frames += ip < PERF_CONTEXT_MAX;
		user_frames += mode == ADDRESS_USER && ip < PERF_CONTEXT_MAX;
	}
	if (!user_frames)
		return;
	stack_depths_add(&h->depths,
			 &(struct stack_depths){ .stacks = 1,
						 .shallow = user_frames <= SHALLOW_FRAMES,
						 .n_deepest = 1,
						 .deepest = frames });
}

struct stack_depths image_hits_depths(const struct image_hits *h)
{
	return h->depths;
}

bool image_hits_has(const struct image_hits *h, const struct image *im)
{
	return u64_map_find(&h->images, (uintptr_t)im);
}

struct image *const *image_hits_list(const struct image_hits *h, size_t *ret_n)
{
	*ret_n = h->list.n;
	return h->list.items;
}
