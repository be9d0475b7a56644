/* SPDX-License-Identifier: MIT */
#include "view/script-pen.h"

#include <string.h>

#include "base/digits.h"
#include "base/memory.h"
#include "session/leaf-caller.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

#define ADDRESS_WIDTH FRAME_ADDRESS_WIDTH

/* An address and what stands behind it. */
static void add_place(struct script_pen *p, char before, uint64_t addr, struct frame_line rest)
{
	char *at = text_room(&p->out, 1 + ADDRESS_WIDTH + rest.length);

	if (before)
		*at++ = before;
	at = digits_hex_right(at, addr, ADDRESS_WIDTH, ' ');
	memcpy(at, rest.chars, rest.length);
	text_filled(&p->out, at + rest.length);
}

/* Whether the stack ends at @loc because its function was named with --stop-bt. */
static bool stops(const struct script_setup *s, struct location *loc)
{
	if (!loc->map || !loc->map->image)
		return false;
	loc->sym = image_symbol_find(loc->map->image, loc->image_addr);
	for (size_t i = 0; loc->sym && i < s->stop.n; i++)
		if (!strcmp(loc->sym->name, s->stop.items[i]))
			return true;
	return false;
}

/* Where a marker in a chain says that its next entries are; false: no such place. */
static bool mode_of_marker(uint64_t marker, enum address_mode *ret)
{
	switch (marker) {
	case PERF_CONTEXT_HV:
		*ret = ADDRESS_HYPERVISOR;
		return true;
	case PERF_CONTEXT_KERNEL:
		*ret = ADDRESS_KERNEL;
		return true;
	case PERF_CONTEXT_USER:
	case PERF_CONTEXT_USER_DEFERRED:
		*ret = ADDRESS_USER;
		return true;
	case PERF_CONTEXT_GUEST_KERNEL:
		*ret = ADDRESS_GUEST_KERNEL;
		return true;
	case PERF_CONTEXT_GUEST_USER:
		*ret = ADDRESS_GUEST_USER;
		return true;
	default:
		return false;
	}
}

/*
 * Frames are shown where they lie in their file (SC-13), but for the kernel's and those of code
 * that has none. Memory files are files here, although their symbols go by address.
 */
static bool in_memory_file(const struct map *m)
{
	static const char prefix[] = "/memfd:";

	return m->name[0] == '/' && m->name[1] == 'm' && !strncmp(m->name, prefix, strlen(prefix));
}

static void add_frame(struct script_pen *p, const struct script_head *h, const struct location *loc)
{
	unsigned style = h->event->style;
	struct frame_line line;

	if (loc->map && !in_memory_file(loc->map)) {
		line = frame_cache_get(&p->frames, style, loc);
		text_add_bytes(&p->out, line.chars, line.length);
		return;
	}
	add_place(p, '\t', loc->map ? loc->addr - loc->map->start + loc->map->pgoff : loc->addr,
		  frame_cache_rest(&p->frames, style, loc));
	text_add_char(&p->out, '\n');
}

static void take_frame(struct script_pen *p, uint64_t ip, enum address_mode mode)
{
	p->chain.items[p->chain.n++] = (struct chain_frame){ .ip = ip, .mode = mode };
}

/*
 * Collects the frames of @s without the markers between them, and with the one that may be missing
 * behind the first of the user's, which the limit does not count.
 */
static void take_chain(struct script_pen *p, const struct script_head *h, const struct sample *s)
{
	enum address_mode mode = address_mode_of(s->misc);
	bool seen_user = false;

	p->chain.items = array_reserve(p->chain.items, &p->chain.room, s->chain.n + 1,
				       sizeof(*p->chain.items));
	p->chain.n = 0;
	for (size_t i = 0, n = 0; i < s->chain.n && n < p->setup->max_stack; i++) {
		uint64_t ip = words_get(&s->chain, i);

		if (ip >= PERF_CONTEXT_MAX) {
			if (!mode_of_marker(ip, &mode))
				break;
			continue;
		}
		take_frame(p, ip, mode);
		n++;
		if (mode != ADDRESS_USER || seen_user)
			continue;
		seen_user = true;
		if (n < p->setup->max_stack && leaf_caller(p->setup->session, s, i, h->time, &ip))
			take_frame(p, ip, mode);
	}
}

/* How many of the outermost frames are those of the stack before. */
static size_t common_frames(const struct script_pen *p, const struct script_head *h)
{
	const struct chain_memo *m = &p->memo;
	size_t n = p->chain.n < m->n ? p->chain.n : m->n, common = 0;

	if (!m->valid || m->pid != h->pid || m->event->style != h->event->style)
		return 0;
	while (common < n) {
		const struct chain_frame *a = &p->chain.items[p->chain.n - common - 1];
		const struct chain_frame *b = &m->items[m->n - common - 1];

		if (a->ip != b->ip || a->mode != b->mode)
			break;
		common++;
	}
	return common;
}

/* Copies the last @n lines of the stack before. */
static void copy_frames(struct script_pen *p, size_t n)
{
	const struct chain_frame *from = &p->memo.items[p->memo.n - n];
	size_t first = from->at, length = p->memo.end - first, at = p->out.length;
	char *to = text_room(&p->out, length);

	memcpy(to, p->out.chars + first, length);
	text_filled(&p->out, to + length);
	for (size_t i = 0; i < n; i++)
		p->chain.items[p->chain.n - n + i].at = from[i].at - first + at;
}

static void remember_chain(struct script_pen *p, const struct script_head *h)
{
	struct chain_memo *m = &p->memo;
	struct chain_frame *items = m->items;
	size_t room = m->room;

	m->items = p->chain.items;
	m->room = p->chain.room;
	m->n = p->chain.n;
	m->pid = h->pid;
	m->event = h->event;
	m->end = p->out.length;
	m->valid = true;
	p->chain.items = items;
	p->chain.room = room;
}

static void add_chain(struct script_pen *p, const struct script_head *h, const struct sample *s)
{
	const struct script_setup *setup = p->setup;
	size_t common;

	take_chain(p, h, s);
	common = common_frames(p, h);
	for (size_t i = 0; i < p->chain.n - common; i++) {
		struct chain_frame *f = &p->chain.items[i];
		struct location loc;

		f->at = p->out.length;
		machine_locate(setup->session, h->pid, f->mode, f->ip, h->time, &loc);
		add_frame(p, h, &loc);
		if (setup->stop.n && stops(setup, &loc))
			return;
	}
	if (common)
		copy_frames(p, common);
	/* A stack that was cut short has nothing to copy from. */
	if (!setup->stop.n)
		remember_chain(p, h);
}

void pen_place(struct script_pen *p, const struct script_head *h, const struct sample *s)
{
	struct location loc;

	if (h->event->chain) {
		text_add_char(&p->out, '\n');
		add_chain(p, h, s);
		return;
	}
	machine_locate(p->setup->session, h->pid, address_mode_of(s->misc), s->ip, h->time, &loc);
	add_place(p, ' ', s->ip, frame_cache_rest(&p->frames, h->event->style, &loc));
}

void pen_addr(struct script_pen *p, const struct script_head *h, uint64_t addr)
{
	struct location loc = { .addr = addr };
	const struct session *s = p->setup->session;
	struct frame_line rest = { "", 0 };

	if (h->event->addr_symbols) {
		if (!machine_locate(s, h->pid, address_mode_of(h->misc), addr, h->time, &loc))
			machine_locate(s, h->pid, ADDRESS_USER, addr, h->time, &loc);
		rest = frame_cache_rest(&p->frames, h->event->style, &loc);
	}
	add_place(p, '\0', addr, rest);
}
