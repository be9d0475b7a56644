/* SPDX-License-Identifier: MIT */
#include "transform/new-addresses.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "datafile/features.h"
#include "session/call-chain.h"
#include "session/machine.h"
#include "transform/transform.h"
#include "wire/branch.h"

/* The beginnings of new address spaces, at which nothing is recorded. */
#define USER_FIRST   0x200000ULL
#define KERNEL_FIRST 0xffff800010000000ULL

/* The largest page size. Offsets within pages are kept. */
#define PAGE_MASK 0xffffULL

#define STRIPPED (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR)

/* A place in the new address space of a process. */
struct new_addresses_place {
	uint64_t start;
};

struct new_addresses {
	struct transform transform;
	const struct session *session;
	struct arena arena;
	struct u64_map places; /* struct new_addresses_place by the map that was moved */
	struct u64_map next;   /* struct new_addresses_place by process: the next free place */
	struct u64_map events; /* new session_event by the original one */
	uint64_t kernel_shift;
	bool kernel_known;
	struct new_addresses_left_out left_out;
	struct {
		uint64_t *items;
		size_t n, room;
	} chain, branches;
	struct bytes made;
};

static struct new_addresses *addresses_of(struct transform *t)
{
	return (struct new_addresses *)((char *)t - offsetof(struct new_addresses, transform));
}

static struct new_addresses_place *place_made(struct new_addresses *n, struct u64_map *in,
					      uint64_t key, uint64_t start)
{
	struct new_addresses_place *p = arena_alloc(&n->arena, sizeof(*p));

	p->start = start;
	u64_map_put(in, key, p);
	return p;
}

/* Returns the new beginning of the map @m of @pid. */
static uint64_t new_addresses_place_of(struct new_addresses *n, uint32_t pid, const struct map *m)
{
	struct new_addresses_place *known = u64_map_find(&n->places, (uintptr_t)m);
	struct new_addresses_place *next = u64_map_find(&n->next, (uint64_t)pid + 1);
	uint64_t start;

	if (known)
		return known->start;
	if (!next)
		next = place_made(n, &n->next, (uint64_t)pid + 1, USER_FIRST);
	start = next->start + (m->start & PAGE_MASK);
	next->start = ((start + (m->end - m->start)) | PAGE_MASK) + 1 + (PAGE_MASK + 1);
	return place_made(n, &n->places, (uintptr_t)m, start)->start;
}

/*
 * Moves an address of the kernel. The kernel moves as a whole, by the distance of its first
 * address.
 */
static uint64_t move_kernel(struct new_addresses *n, uint64_t addr)
{
	if (!n->kernel_known) {
		n->kernel_shift = KERNEL_FIRST - (addr & ~PAGE_MASK);
		n->kernel_known = true;
	}
	return addr + n->kernel_shift;
}

static bool new_addresses_is_kernel(enum address_mode mode, uint64_t addr)
{
	return mode == ADDRESS_KERNEL || mode == ADDRESS_GUEST_KERNEL || addr >> 63;
}

static uint64_t new_addresses_move(struct new_addresses *n, uint32_t pid, enum address_mode mode,
				   uint64_t addr, uint64_t time)
{
	struct location l;

	if (!addr)
		return 0;
	if (new_addresses_is_kernel(mode, addr))
		return move_kernel(n, addr);
	if (!machine_locate(n->session, pid, mode, addr, time, &l) || !l.map)
		return 0;
	return new_addresses_place_of(n, pid, l.map) + (addr - l.map->start);
}

/* Moves an address without a mode. */
static uint64_t move_any(struct new_addresses *n, const struct sample *s, uint64_t addr)
{
	return new_addresses_move(n, s->pid, ADDRESS_USER, addr, s->time);
}

static struct words as_words(const uint64_t *items, size_t n)
{
	return (struct words){ .bytes = (const uint8_t *)items, .n = n };
}

static void move_chain(struct new_addresses *n, struct sample *s, uint64_t time)
{
	enum address_mode mode = address_mode_of(s->misc);
	bool is_cookie = false;

	n->chain.n = 0;
	for (size_t i = 0; i < s->chain.n; i++) {
		uint64_t ip = words_get(&s->chain, i);
		bool marks = ip >= PERF_CONTEXT_MAX;

		if (marks && !call_chain_marker(ip, &mode))
			mode = ADDRESS_UNKNOWN;
		*ARRAY_ADD(&n->chain) = marks || is_cookie
						? ip
						: new_addresses_move(n, s->pid, mode, ip, time);
		is_cookie = ip == PERF_CONTEXT_USER_DEFERRED;
	}
	s->chain = as_words(n->chain.items, n->chain.n);
}

static void move_branches(struct new_addresses *n, struct sample *s)
{
	n->branches.n = 0;
	for (size_t i = 0; i < s->branches.n; i++) {
		uint64_t word = words_get(&s->branches, i);

		*ARRAY_ADD(&n->branches) = i % 3 == 2 ? word : move_any(n, s, word);
	}
	s->branches = as_words(n->branches.items, n->branches.n);
}

static void new_addresses_change_attr(const struct transform *t, struct attr *attr)
{
	(void)t;
	attr->sample_type &= ~STRIPPED;
	attr->sample_regs_user = 0;
	attr->sample_regs_intr = 0;
	if (attr->type == PERF_TYPE_BREAKPOINT)
		attr->config1 = 0; /* the breakpoint's address */
}

static const struct session_event *new_addresses_event_afterwards(struct new_addresses *n,
								  const struct session_event *e)
{
	struct session_event *changed = u64_map_find(&n->events, (uintptr_t)e);

	if (changed)
		return changed;
	changed = arena_alloc(&n->arena, sizeof(*changed));
	*changed = *e;
	new_addresses_change_attr(&n->transform, &changed->attr);
	u64_map_put(&n->events, (uintptr_t)e, changed);
	return changed;
}

/* True if samples of @attr may contain addresses that cannot be recognized. */
static bool new_addresses_leaves_out(struct new_addresses *n, const struct attr *attr)
{
	uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_RAW)
		n->left_out.raw++;
	else if (type & PERF_SAMPLE_PHYS_ADDR)
		n->left_out.physical++;
	else if (type & (PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX))
		n->left_out.stacks++;
	else
		return false;
	return true;
}

static int pass_made(struct new_addresses *n, const struct delivered *d,
		     const struct session_event *event)
{
	return transform_pass(&n->transform,
			      &(struct delivered){
				      .raw = { .bytes = n->made.data,
					       .header = record_header_at(n->made.data, false) },
				      .time = d->time,
				      .event = event,
			      });
}

static int new_addresses_take_sample(struct new_addresses *n, const struct delivered *d)
{
	const struct session_event *changed;
	struct sample s;

	/* A malformed sample cannot be made anonymous. */
	if (!transform_sample(d, &s) || new_addresses_leaves_out(n, &d->event->attr))
		return 0;
	changed = new_addresses_event_afterwards(n, d->event);
	s.ip = new_addresses_move(n, s.pid, address_mode_of(s.misc), s.ip, d->time);
	s.addr = move_any(n, &s, s.addr);
	if (s.chain.n)
		move_chain(n, &s, d->time);
	if (s.branches.n)
		move_branches(n, &s);
	n->made.n = 0;
	if (sample_encode(&s, &changed->attr, &n->made) < 0)
		return 0;
	return pass_made(n, d, changed);
}

/* Moves a map. "[kernel.kallsyms]_text" contains the symbol's address in place of an offset. */
static void move_map(struct new_addresses *n, struct record *r, uint64_t time)
{
	enum address_mode mode = address_mode_of(r->header.misc);
	struct record_mmap *m = &r->mmap;

	if (m->pgoff >> 63)
		m->pgoff = move_kernel(n, m->pgoff);
	m->addr = new_addresses_move(n, m->pid, m->pid == UINT32_MAX ? ADDRESS_KERNEL : mode,
				     m->addr, time);
}

static void move_deferred(struct new_addresses *n, struct record *r, uint64_t time)
{
	struct sample s = { .misc = PERF_RECORD_MISC_USER,
			    .pid = r->id.pid,
			    .chain = r->callchain_deferred.ips };

	move_chain(n, &s, time);
	r->callchain_deferred.ips = s.chain;
}

/* Moves the addresses of @r. True if it has any. */
static bool move_record(struct new_addresses *n, struct record *r, uint64_t time)
{
	switch (r->header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		move_map(n, r, time);
		return true;
	case PERF_RECORD_KSYMBOL:
		r->ksymbol.addr = move_kernel(n, r->ksymbol.addr);
		return true;
	case PERF_RECORD_CALLCHAIN_DEFERRED:
		move_deferred(n, r, time);
		return true;
	default:
		return false;
	}
}

/*
 * True for the bytes of code, the places at which they were written, and hardware traces, which are
 * full of addresses.
 */
static bool tells_too_much(uint32_t type)
{
	return type == PERF_RECORD_TEXT_POKE || type == PERF_RECORD_AUXTRACE ||
	       type == PERF_RECORD_AUXTRACE_INFO;
}

static int new_addresses_take(struct transform *t, const struct delivered *d)
{
	struct new_addresses *n = addresses_of(t);
	const struct attr *attr = d->event ? &d->event->attr : NULL;
	uint32_t type = d->raw.header.type;
	struct record r;

	if (type == PERF_RECORD_SAMPLE)
		return new_addresses_take_sample(n, d);
	if (tells_too_much(type))
		return 0;
	if (type >= PERF_RECORD_KERNEL_MAX ||
	    record_decode(d->raw.bytes, d->raw.header.size, false, attr, &r) < 0)
		return transform_pass(t, d);
	if (!move_record(n, &r, d->time))
		return transform_pass(t, d);
	n->made.n = 0;
	if (record_encode(&r, attr, &n->made) < 0)
		return 0;
	return pass_made(n, d, d->event);
}

static const struct transform_kind kind = { .take = new_addresses_take,
					    .attr = new_addresses_change_attr };

struct new_addresses *new_addresses_new(const struct session *s)
{
	struct new_addresses *n = xcalloc(1, sizeof(*n));

	n->transform.kind = &kind;
	n->session = s;
	return n;
}

void new_addresses_free(struct new_addresses *n)
{
	if (!n)
		return;
	u64_map_done(&n->places);
	u64_map_done(&n->next);
	u64_map_done(&n->events);
	arena_done(&n->arena);
	free(n->chain.items);
	free(n->branches.items);
	bytes_done(&n->made);
	free(n);
}

struct transform *new_addresses_transform(struct new_addresses *n)
{
	return &n->transform;
}

struct new_addresses_left_out new_addresses_left_out(const struct new_addresses *n)
{
	return n->left_out;
}
