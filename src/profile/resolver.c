/* SPDX-License-Identifier: MIT */
#include "profile/resolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/session.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

#define TASKS     256  /* a power of two */
#define MAPS      2048 /* a power of two */
#define SLOTS_MIN 4096

/*
 * The meaning of a slot's address; stored together with the number of its image. Most are addresses
 * in the image, with the same function however they were found. If such a slot contains UNRESOLVED,
 * further slots are for the sampled address, for a stack's entry at run time, and for return
 * addresses.
 */
enum {
	OF_IMAGE = 0u << 30,
	SAMPLED = 1u << 30,
	OF_STACK = 2u << 30,
	OF_CALL = 3u << 30,
};

/*
 * There is no function, or one begins (UNRESOLVED); or the call before the address is known to be
 * in another function (DIVIDED).
 */
#define UNRESOLVED (FRAME_NONE - 1)
#define DIVIDED    (FRAME_NONE - 2)

/* Used instead of a frame: the position in resolver.lists of the frames at this address. */
#define LISTED     (1u << 31)
#define LISTS_MAX  (DIVIDED - LISTED - 1)
#define MODE_SHIFT 27 /* image numbers are below 1 << 27 */

void resolver_init(struct resolver *r, const struct session *s, struct frames *frames)
{
	*r = (struct resolver){ .session = s, .frames = frames, .inlines = INLINES_NONE };
	r->tasks = xcalloc(TASKS, sizeof(*r->tasks));
	r->maps = xcalloc(MAPS, sizeof(*r->maps));
}

static void resolver_slots_new(struct resolver *r, size_t n)
{
	r->n_slots = n;
	r->slots = xmalloc(n * sizeof(*r->slots));
	for (size_t i = 0; i < n; i++)
		r->slots[i].frame = FRAME_NONE;
}

void resolver_done(struct resolver *r)
{
	free(r->tasks);
	free(r->maps);
	u64_map_done(&r->spaces);
	u64_map_done(&r->images);
	free(r->slots);
	free(r->lists.items);
}

void resolver_forget(struct resolver *r)
{
	free(r->slots);
	r->slots = NULL;
	free(r->lists.items);
	r->lists.items = NULL;
	r->lists.n = r->lists.room = 0;
}

bool resolver_refresh(struct resolver *r)
{
	uint64_t generation = machine_generation(r->session);

	if (r->slots && r->generation == generation)
		return false;
	r->generation = generation;
	memset(r->tasks, 0, TASKS * sizeof(*r->tasks));
	memset(r->maps, 0, MAPS * sizeof(*r->maps));
	/* The numbered objects may be gone, with others at their addresses. */
	u64_map_done(&r->spaces);
	u64_map_done(&r->images);
	r->spaces = r->images = (struct u64_map){ 0 };
	r->n_spaces = r->n_images = 0;
	free(r->slots);
	r->n = 0;
	r->lists.n = 0;
	resolver_slots_new(r, SLOTS_MIN);
	return true;
}

/* Returns the number of @key, from 1; new keys get the next number. */
static uint32_t resolver_number_of(struct u64_map *m, uint64_t key, uint32_t *n)
{
	uint32_t number = (uint32_t)(uintptr_t)u64_map_find(m, key);

	if (!number) {
		number = ++*n;
		u64_map_put(m, key, (void *)(uintptr_t)number);
	}
	return number;
}

/*
 * Returns the number of the address space of @pid in @mode. Modes have different numbers, even if
 * they share a space.
 */
static uint32_t space_of(struct resolver *r, uint32_t pid, enum address_mode mode, uint64_t time,
			 struct span *ret_span)
{
	uint64_t space = (uintptr_t)machine_space(r->session, pid, mode, time, ret_span);

	return resolver_number_of(&r->spaces, space << 3 | mode, &r->n_spaces);
}

static void resolver_narrow(struct span *to, struct span by)
{
	span_since(to, by.from);
	span_before(to, by.until);
}

const struct resolved_task *resolver_task(struct resolver *r, uint32_t pid, uint32_t tid,
					  uint64_t time)
{
	struct resolved_task *t = &r->tasks[tid & (TASKS - 1)];
	struct span span;

	if (t->comm && t->pid == pid && t->tid == tid && span_has(&t->span, time))
		return t;
	t->pid = pid;
	t->tid = tid;
	t->comm = machine_comm_span(r->session, pid, tid, time, &t->span);
	t->user = space_of(r, pid, ADDRESS_USER, time, &span);
	resolver_narrow(&t->span, span);
	t->kernel = space_of(r, pid, ADDRESS_KERNEL, time, &span);
	resolver_narrow(&t->span, span);
	return t;
}

static uint32_t space_for(struct resolver *r, const struct resolved_task *task,
			  enum address_mode mode, uint64_t time)
{
	struct span span;

	switch (mode) {
	case ADDRESS_USER:
		return task->user;
	case ADDRESS_KERNEL:
		return task->kernel;
	default:
		return space_of(r, task->pid, mode, time, &span);
	}
}

/* Returns the map around @ip. */
static const struct resolved_map *resolver_map_around(struct resolver *r,
						      const struct resolved_task *task,
						      enum address_mode mode, uint64_t ip,
						      uint64_t time)
{
	uint32_t space = space_for(r, task, mode, time);
	size_t i = (ip >> 16 ^ ip >> 27 ^ space * 0x9e3779b9u >> 12) & (MAPS - 1);
	struct resolved_map *m = &r->maps[i];
	struct location loc;

	if (m->space == space && ip >= m->span.start && ip < m->span.end &&
	    span_has(&m->span, time))
		return m;
	machine_locate_span(r->session, task->pid, mode, ip, time, &loc, &m->span);
	m->space = space;
	m->mode = mode;
	m->map = loc.map;
	m->shift = ip - loc.image_addr;
	m->image = loc.map ? resolver_number_of(&r->images, (uintptr_t)loc.map->image, &r->n_images)
			   : 0;
	m->number = loc.map ? resolver_number_of(&r->images, (uintptr_t)loc.map, &r->n_images) : 0;
	return m;
}

/* Returns the slot at which the search for that key begins. */
static size_t first_slot(const struct resolver *r, uint64_t addr, uint32_t image)
{
	uint64_t h = (addr ^ (uint64_t)image << 32) * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 24) & (r->n_slots - 1);
}

/* Returns the slot with that key, or the free one where it belongs. */
static struct resolved_frame *resolver_slot_of(const struct resolver *r, uint64_t addr,
					       uint32_t image)
{
	size_t i = first_slot(r, addr, image);

	while (r->slots[i].frame != FRAME_NONE &&
	       (r->slots[i].addr != addr || r->slots[i].image != image))
		i = (i + 1) & (r->n_slots - 1);
	return &r->slots[i];
}

static void resolver_grow(struct resolver *r)
{
	struct resolved_frame *old = r->slots;
	size_t n = r->n_slots;

	resolver_slots_new(r, n * 2);
	for (size_t i = 0; i < n; i++)
		if (old[i].frame != FRAME_NONE)
			*resolver_slot_of(r, old[i].addr, old[i].image) = old[i];
	free(old);
}

static void resolver_keep(struct resolver *r, uint64_t addr, uint32_t image, uint32_t frame)
{
	if (r->n * 2 >= r->n_slots)
		resolver_grow(r);
	*resolver_slot_of(r, addr, image) =
		(struct resolved_frame){ .addr = addr, .image = image, .frame = frame };
	r->n++;
}

/* True if frames that share no slot differ by their run-time address. */
static bool is_by_ip(const struct resolver *r, uint32_t kind)
{
	return kind != SAMPLED || frames_by_ip(r->frames);
}

/*
 * Returns the key of a frame that shares no slot. A run-time address is combined with the number of
 * its map, because it may be another place of the same image in another process.
 */
static uint64_t own_address(const struct resolver *r, const struct resolved_map *m, uint32_t kind,
			    uint64_t ip)
{
	return is_by_ip(r, kind) ? ip : ip - m->shift;
}

static uint32_t own_image(const struct resolver *r, const struct resolved_map *m, uint32_t kind)
{
	return (is_by_ip(r, kind) ? m->number : m->image) | m->mode << MODE_SHIFT | kind;
}

/*
 * Returns the slot's value for an address with inlined functions, the last of which is the real
 * one.
 */
static uint32_t list_frames(struct resolver *r, const struct location *loc, enum address_mode mode,
			    struct source_frames inner)
{
	size_t at = r->lists.n;

	*ARRAY_ADD(&r->lists) = (uint32_t)inner.n;
	for (size_t i = inner.n; i-- > 0;) {
		const struct symbol *sym = i + 1 == inner.n ? loc->sym : inner.items[i].sym;

		*ARRAY_ADD(&r->lists) = frames_add_part(r->frames, loc, mode, sym, i);
	}
	return LISTED | (uint32_t)at;
}

/* Returns the frame of @loc, or the list with the functions that are inlined there. */
static uint32_t resolver_frame_of(struct resolver *r, const struct location *loc,
				  enum address_mode mode, uint32_t kind)
{
	struct source_frames inner = { .n = 0 };

	/* Users of another profiler expect addresses in files, not at run time. */
	if (!loc->sym && session_is_foreign(r->session))
		kind = SAMPLED;
	/*
	 * The sampled address shares its slot with stacks, unless frames are distinguished by
	 * address.
	 */
	if (inlines_are_shown(r->inlines, mode) && loc->sym &&
	    (kind != SAMPLED || !frames_by_address(r->frames)))
		inner = image_code_frames(loc->map->image, loc->image_addr);
	if (inner.n < 2 || r->lists.n + inner.n >= LISTS_MAX)
		return frames_add(r->frames, loc, mode,
				  kind == SAMPLED   ? FRAME_SAMPLED
				  : kind == OF_CALL ? FRAME_OF_CALL
						    : FRAME_OF_STACK);
	return list_frames(r, loc, mode, inner);
}

/*
 * True if a call that returns to @loc may be in another function: at the beginning of a function,
 * or where there is none.
 */
static bool resolver_may_divide(const struct resolved_map *m, const struct location *loc)
{
	return (!loc->sym || loc->sym->start == loc->image_addr) && loc->addr != m->span.start;
}

/* Returns the function of the call that returns to @loc, or NULL. */
static const struct symbol *resolver_caller_of(const struct resolver *r,
					       const struct resolved_map *m,
					       const struct location *loc)
{
	struct location before = { .addr = loc->addr - 1,
				   .map = m->map,
				   .image_addr = loc->image_addr - 1 };

	machine_name(r->session, &before);
	return before.sym;
}

/*
 * Keeps a frame that depends on how its address was found. The slot of the image's address then
 * says so.
 */
static void resolver_keep_own(struct resolver *r, const struct resolved_map *m, uint32_t kind,
			      uint64_t ip, uint32_t frame)
{
	uint32_t image = m->image | m->mode << MODE_SHIFT | OF_IMAGE;
	uint64_t addr = ip - m->shift;
	struct resolved_frame *slot = resolver_slot_of(r, addr, image);

	if (slot->frame == FRAME_NONE)
		resolver_keep(r, addr, image, r->is_divided ? DIVIDED : UNRESOLVED);
	else if (r->is_divided)
		slot->frame = DIVIDED;
	resolver_keep(r, own_address(r, m, kind, ip), own_image(r, m, kind), frame);
}

/*
 * Looks up a frame that is not cached. The address before one where no call returns to is not
 * looked at: between functions only DWARF could tell whether there is one, and it is large.
 */
static uint32_t resolver_resolve(struct resolver *r, const struct resolved_map *m, uint32_t kind,
				 uint64_t ip)
{
	uint64_t addr = ip - m->shift;
	struct location loc = { .addr = ip, .map = m->map, .image_addr = addr };
	const struct symbol *of_call = NULL;
	bool is_shared;
	uint32_t frame;

	machine_name(r->session, &loc);
	is_shared = loc.sym && !frames_by_address(r->frames) && !resolver_may_divide(m, &loc);
	if (kind == OF_CALL && resolver_may_divide(m, &loc))
		of_call = resolver_caller_of(r, m, &loc);
	if (of_call)
		loc.sym = of_call;
	frame = resolver_frame_of(r, &loc, m->mode, kind);
	r->is_divided = of_call;
	if (is_shared)
		resolver_keep(r, addr, m->image | m->mode << MODE_SHIFT | OF_IMAGE, frame);
	else
		resolver_keep_own(r, m, kind, ip, frame);
	return frame;
}

void resolver_expect(struct resolver *r, const struct resolved_task *task, enum address_mode mode,
		     uint64_t ip, uint64_t time)
{
	const struct resolved_map *m = resolver_map_around(r, task, mode, ip, time);

	__builtin_prefetch(&r->slots[first_slot(r, ip - m->shift,
						m->image | m->mode << MODE_SHIFT | OF_IMAGE)]);
}

static uint32_t resolver_find(struct resolver *r, const struct resolved_task *task,
			      enum address_mode mode, uint32_t kind, uint64_t ip, uint64_t time,
			      struct span *ret_span)
{
	const struct resolved_map *m = resolver_map_around(r, task, mode, ip, time);
	uint32_t image = m->image | m->mode << MODE_SHIFT, frame;
	uint64_t addr = ip - m->shift;

	*ret_span = m->span;
	r->is_nowhere = !m->image;
	frame = resolver_slot_of(r, addr, image | OF_IMAGE)->frame;
	r->is_divided = frame == DIVIDED;
	if (frame == UNRESOLVED || frame == DIVIDED)
		frame = resolver_slot_of(r, own_address(r, m, kind, ip), own_image(r, m, kind))
				->frame;
	return frame != FRAME_NONE ? frame : resolver_resolve(r, m, kind, ip);
}

/* Returns the frames for a slot's value. */
static struct resolved_frames resolver_frames_of(struct resolver *r, uint32_t frame)
{
	const uint32_t *list;

	if (frame & LISTED) {
		list = &r->lists.items[frame & ~LISTED];
		return (struct resolved_frames){ .items = list + 1, .n = *list };
	}
	r->one = frame;
	return (struct resolved_frames){ .items = &r->one, .n = 1 };
}

struct resolved_frames resolver_stack_frames(struct resolver *r, const struct resolved_task *task,
					     enum address_mode mode, uint64_t ip, bool is_call,
					     uint64_t time, struct span *ret_span)
{
	return resolver_frames_of(
		r, resolver_find(r, task, mode, is_call ? OF_CALL : OF_STACK, ip, time, ret_span));
}

uint32_t resolver_stack_frame(struct resolver *r, const struct resolved_task *task,
			      enum address_mode mode, uint64_t ip, uint64_t time,
			      struct span *ret_span)
{
	return *resolver_stack_frames(r, task, mode, ip, false, time, ret_span).items;
}

uint32_t resolver_sampled_frame(struct resolver *r, const struct resolved_task *task,
				enum address_mode mode, uint64_t ip, uint64_t time)
{
	return *resolver_frames_of(r, resolver_find(r, task, mode, SAMPLED, ip, time, &r->sampled))
			.items;
}
