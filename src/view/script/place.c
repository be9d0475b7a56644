/* SPDX-License-Identifier: MIT */
#include "view/script/writer.h"

#include <string.h>

#include "base/digits.h"
#include "base/memory.h"
#include "session/call-chain-lbr.h"
#include "session/call-sites.h"
#include "session/lbr-stitch.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbolizer.h"

#define ADDRESS_WIDTH FRAME_ADDRESS_WIDTH

/* An address and what stands behind it. */
static void add_place(struct script_writer *p, char before, uint64_t addr, struct frame_line rest)
{
	char *at = text_room(&p->out, 1 + ADDRESS_WIDTH + rest.length);

	if (before)
		*at++ = before;
	at = digits_hex_right(at, addr, ADDRESS_WIDTH, ' ');
	memcpy(at, rest.chars, rest.length);
	text_filled(&p->out, at + rest.length);
}

/* Whether the stack ends at @loc because its function was named with --stop-bt. */
static bool stops(const struct script_setup *s, struct location *loc, bool is_caller)
{
	if (!loc->map || !loc->map->image)
		return false;
	loc->sym = image_symbol_find(loc->map->image, loc->image_addr - is_caller);
	for (size_t i = 0; loc->sym && i < s->stop.n; i++)
		if (!strcmp(loc->sym->name, s->stop.items[i]))
			return true;
	return false;
}

/*
 * Frames are shown where they lie in their file, but for the kernel's and those of code
 * that has none. Memory files are files here, although their symbols go by address.
 */
static bool in_memory_file(const struct map *m)
{
	static const char prefix[] = "/memfd:";

	return m->name[0] == '/' && m->name[1] == 'm' && !strncmp(m->name, prefix, strlen(prefix));
}

static bool is_call(struct script_writer *p, const struct script_head *h, size_t i)
{
	return call_chain_is_call(&p->stack.chain, p->setup->session, h->pid, h->moment, i);
}

/*
 * The text of entry @i. What comes behind another entry is the caller of that, with few exceptions,
 * and few addresses are of another function then: whether it is one is asked only where that
 * matters, which for lines is everywhere.
 */
static struct frame_line frame_text(struct script_writer *p, const struct script_head *h,
				    unsigned style, const struct location *loc, size_t i)
{
	struct frame_line line;

	if (!p->stack.chain.items[i].is_return || (style & FRAME_LINE && !is_call(p, h, i)))
		return frame_cache_get(&p->frames, style, loc);
	line = frame_cache_get(&p->frames, style | FRAME_CALL, loc);
	if (!line.is_divided || is_call(p, h, i))
		return line;
	return frame_cache_get(&p->frames, style, loc);
}

static void add_frame(struct script_writer *p, const struct script_head *h,
		      const struct location *loc, size_t i)
{
	unsigned style = h->event->style;
	struct frame_line line;

	if (loc->map && !in_memory_file(loc->map)) {
		if (inlines_are_shown(h->event->inlines, p->stack.chain.items[i].mode))
			style |= FRAME_INLINES;
		line = frame_text(p, h, style, loc, i);
		text_add_bytes(&p->out, line.chars, line.length);
		return;
	}
	add_place(p, '\t', loc->map ? loc->addr - loc->map->start + loc->map->pgoff : loc->addr,
		  frame_cache_rest(&p->frames, style, loc));
	text_add_char(&p->out, '\n');
}

/* How many of the outermost frames are those of the stack before. */
static size_t common_frames(const struct script_writer *p, const struct script_head *h)
{
	const struct chain_memo *m = &p->memo;
	const struct call_chain *now = &p->stack.chain, *before = &m->stack.chain;
	size_t n = now->n < before->n ? now->n : before->n, common = 0;

	if (!m->valid || m->pid != h->pid || m->event->style != h->event->style)
		return 0;
	while (common < n) {
		const struct chain_entry *a = &now->items[now->n - common - 1];
		const struct chain_entry *b = &before->items[before->n - common - 1];

		if (a->ip != b->ip || a->mode != b->mode || a->is_return != b->is_return)
			break;
		common++;
	}
	return common;
}

/* Copies the last @n lines of the stack before. */
static void copy_frames(struct script_writer *p, size_t n)
{
	const size_t *from = &p->memo.stack.at[p->memo.stack.chain.n - n];
	size_t first = *from, length = p->memo.end - first, at = p->out.length;
	char *to = text_room(&p->out, length);

	memcpy(to, p->out.chars + first, length);
	text_filled(&p->out, to + length);
	for (size_t i = 0; i < n; i++)
		p->stack.at[p->stack.chain.n - n + i] = from[i] - first + at;
}

static void remember_chain(struct script_writer *p, const struct script_head *h)
{
	struct chain_memo *m = &p->memo;
	struct written_chain before = m->stack;

	m->stack = p->stack;
	m->pid = h->pid;
	m->event = h->event;
	m->end = p->out.length;
	m->valid = true;
	p->stack = before;
}

static void add_chain(struct script_writer *p, const struct script_head *h, const struct sample *s)
{
	const struct script_setup *setup = p->setup;
	struct written_chain *w = &p->stack;
	size_t common;

	if (!call_chain_is_lbr(&h->event->event->attr) ||
	    !call_chain_take_lbr(&w->chain, s, setup->max_stack))
		call_chain_take(&w->chain, setup->session, s, h->moment, setup->max_stack);
	else if (p->stitch)
		lbr_stitch_extend(p->stitch, s, &w->chain);
	call_chain_mark_unwound(&w->chain, &h->event->event->attr);
	if (h->event->inlines == INLINES_ALL)
		call_chain_enter_calls(&w->chain, setup->session, h->pid, h->moment);
	w->at = array_reserve(w->at, &w->at_room, w->chain.n, sizeof(*w->at));
	common = common_frames(p, h);
	for (size_t i = 0; i < w->chain.n - common; i++) {
		const struct chain_entry *e = &w->chain.items[i];
		struct location loc;

		w->at[i] = p->out.length;
		machine_locate(setup->session, h->pid, e->mode, e->ip, h->moment, &loc);
		add_frame(p, h, &loc, i);
		if (setup->stop.n && stops(setup, &loc, is_call(p, h, i)))
			return;
	}
	if (common)
		copy_frames(p, common);
	/* A stack that was cut short has nothing to copy from. */
	if (!setup->stop.n)
		remember_chain(p, h);
}

void script_write_place(struct script_writer *p, const struct script_head *h,
			const struct sample *s)
{
	struct location loc;

	if (h->event->chain) {
		text_add_char(&p->out, '\n');
		add_chain(p, h, s);
		return;
	}
	machine_locate(p->setup->session, h->pid, address_mode_of(s->misc), s->ip, h->moment, &loc);
	add_place(p, ' ', s->ip, frame_cache_rest(&p->frames, h->event->style, &loc));
}

void script_write_addr(struct script_writer *p, const struct script_head *h, uint64_t addr)
{
	struct location loc = { .addr = addr };
	const struct session *s = p->setup->session;
	struct frame_line rest = { .chars = "" };

	if (h->event->addr_symbols) {
		if (!machine_locate(s, h->pid, address_mode_of(h->misc), addr, h->moment, &loc))
			machine_locate(s, h->pid, ADDRESS_USER, addr, h->moment, &loc);
		rest = frame_cache_rest(&p->frames, h->event->style & ~FRAME_LINE, &loc);
	}
	add_place(p, '\0', addr, rest);
}
