/* SPDX-License-Identifier: MIT */
#include "tools/script/writer-view.h"

#include <inttypes.h>
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

/* Appends an address and the text after it. */
static void script_place_add(struct script_writer *p, char before, uint64_t addr,
			     struct frame_line rest)
{
	size_t tail = rest.tail ? rest.tail->length : 0;
	char *at = text_room(&p->out, 1 + ADDRESS_WIDTH + rest.length + tail);

	if (before)
		*at++ = before;
	at = digits_hex_right(at, addr, ADDRESS_WIDTH, ' ');
	at = mempcpy(at, rest.chars, rest.length);
	if (tail)
		at = mempcpy(at, rest.tail->chars, tail);
	text_filled(&p->out, at);
}

/* True if the function at @loc was named with --stop-bt. */
static bool is_stop(const struct script_setup *s, struct location *loc, bool is_caller)
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
 * True if the map is a memory file. Frames are shown with the address in their file, except those
 * of the kernel and of code without a file. Memory files count as files here, although their
 * symbols are looked up by address.
 */
static bool in_memory_file(const struct map *m)
{
	static const char prefix[] = "/memfd:";

	return m->name[0] == '/' && m->name[1] == 'm' && !strncmp(m->name, prefix, strlen(prefix));
}

static bool script_place_is_call(struct script_writer *p, const struct script_head *h, size_t i)
{
	return call_chain_is_call(&p->chain, p->setup->session, h->pid, h->moment, i);
}

/*
 * Returns the text of entry @i. An entry that follows another one is its caller, with few
 * exceptions. Its exact function is determined only where the difference matters: at few addresses,
 * but for source lines everywhere.
 */
static struct frame_line frame_text(struct script_writer *p, const struct script_head *h,
				    unsigned style, const struct location *loc, size_t i)
{
	struct frame_line line;

	if (!p->chain.items[i].is_return || (style & FRAME_LINE && !script_place_is_call(p, h, i)))
		return frame_cache_get(&p->frames, style, loc);
	line = frame_cache_get(&p->frames, style | FRAME_CALL, loc);
	if (!line.is_divided || script_place_is_call(p, h, i))
		return line;
	return frame_cache_get(&p->frames, style, loc);
}

/* Returns the whole line of entry @i. NULL chars: there is none for its place, *@loc. */
static struct frame_line frame_line(struct script_writer *p, const struct script_head *h, size_t i,
				    struct location *loc)
{
	const struct chain_entry *e = &p->chain.items[i];
	unsigned style = h->event->style;
	struct frame_key key = { .ip = e->ip,
				 .pid = h->pid,
				 .mode = e->mode,
				 .generation = machine_generation(p->setup->session) };
	struct frame_line line = { .chars = NULL };
	struct span span;

	if (inlines_are_shown(h->event->inlines, e->mode))
		style |= FRAME_INLINES;
	key.style = (uint16_t)(style | (e->is_return ? FRAME_CALL : 0));
	if (frame_memo_find(&p->places, &key, h->moment, &line))
		return line;
	machine_locate_span(p->setup->session, h->pid, e->mode, e->ip, h->moment, loc, &span);
	if (!loc->map || in_memory_file(loc->map))
		return line;
	line = frame_text(p, h, style, loc, i);
	/* It depends on the preceding entries whether this is a call. */
	if (line.is_kept && !line.is_divided && !(style & FRAME_LINE))
		frame_memo_add(&p->places, &key, &span, line);
	return line;
}

static void script_place_add_line(struct script_writer *p, struct frame_line line)
{
	const struct frame_tail *tail = line.tail;
	char *at = text_room(&p->out, line.length + (tail ? tail->length + 1 : 0));

	at = mempcpy(at, line.chars, line.length);
	if (tail) {
		at = mempcpy(at, tail->chars, tail->length);
		*at++ = '\n';
	}
	text_filled(&p->out, at);
}

static void script_place_add_frame(struct script_writer *p, const struct script_head *h, size_t i)
{
	struct location loc;
	struct frame_line line = frame_line(p, h, i, &loc);

	if (line.chars) {
		script_place_add_line(p, line);
		return;
	}
	script_place_add(p, '\t', loc.map ? loc.addr - loc.map->start + loc.map->pgoff : loc.addr,
			 frame_cache_rest(&p->frames, h->event->style, &loc));
	text_add_char(&p->out, '\n');
}

/* Appends the placeholder of a stack that is shown separately. */
static void script_place_add_cookie(struct script_writer *p, const struct script_head *h,
				    uint64_t cookie)
{
	unsigned style = h->event->style;
	char *at = text_room(&p->out, 1 + ADDRESS_WIDTH);

	*at++ = '\t';
	text_filled(&p->out, digits_hex_right(at, cookie, ADDRESS_WIDTH, ' '));
	text_add(&p->out, style & FRAME_SYM ? " (cookie)" : "");
	text_add(&p->out, style & FRAME_DSO ? " ([unknown])\n" : "\n");
}

/* Returns the number of outermost frames that are shared with the previous stack, @m. */
static size_t common_frames(const struct script_writer *p, const struct script_head *h,
			    const struct chain_memo *m)
{
	const struct call_chain *now = &p->chain;
	size_t n = now->n < m->n ? now->n : m->n, common = 0;

	if (m->text != p->text || m->pid != h->pid || m->event->style != h->event->style)
		return 0;
	while (common < n) {
		const struct chain_entry *a = &now->items[now->n - common - 1];
		const struct chain_entry *b = &m->items[m->n - common - 1];

		if (a->ip != b->ip || a->mode != b->mode || a->is_return != b->is_return ||
		    a->is_cookie != b->is_cookie)
			break;
		common++;
	}
	return common;
}

/* Copies the last @n lines of the previous stack, @m. */
static void copy_frames(struct script_writer *p, const struct chain_memo *m, size_t n)
{
	const size_t *from = &m->at.items[m->n - n];
	size_t first = *from, length = m->end - first, at = p->out.length;
	char *to = text_room(&p->out, length);

	memcpy(to, p->out.chars + first, length);
	text_filled(&p->out, to + length);
	for (size_t i = 0; i < n; i++)
		p->at.items[p->chain.n - n + i] = from[i] - first + at;
}

/* Keeps the current stack as @m, whose memory is reused for the next one. */
static void remember_chain(struct script_writer *p, const struct script_head *h,
			   struct chain_memo *m)
{
	struct chain_memo before = *m;

	*m = (struct chain_memo){
		.items = p->chain.items,
		.n = p->chain.n,
		.room = p->chain.room,
		.at = p->at,
		.text = p->text,
		.pid = h->pid,
		.event = h->event,
		.end = p->out.length,
	};
	p->chain.items = before.items;
	p->chain.room = before.room;
	p->at = before.at;
}

static void script_place_take_chain(struct script_writer *p, const struct script_head *h,
				    const struct sample *s)
{
	const struct script_setup *setup = p->setup;
	struct call_chain *c = &p->chain;

	if (!call_chain_is_lbr(&h->event->event->attr) ||
	    !call_chain_take_lbr(c, s, setup->max_stack))
		call_chain_take(c, setup->session, s, h->moment, setup->max_stack);
	else if (p->stitch)
		lbr_stitch_extend(p->stitch, s, c);
	call_chain_mark_unwound(c, &h->event->event->attr);
	if (h->event->inlines == INLINES_ALL)
		call_chain_enter_calls(c, setup->session, h->pid, h->moment);
}

/* True if the stack ends at entry @i because its function was named with --stop-bt. */
static bool script_place_stops(struct script_writer *p, const struct script_head *h, size_t i)
{
	const struct chain_entry *e = &p->chain.items[i];
	struct location loc;

	machine_locate(p->setup->session, h->pid, e->mode, e->ip, h->moment, &loc);
	return is_stop(p->setup, &loc, script_place_is_call(p, h, i));
}

static void script_place_add_chain(struct script_writer *p, const struct script_head *h,
				   const struct sample *s)
{
	struct chain_memo *m = &p->chains[h->tid % WRITER_CHAINS];
	struct call_chain *c = &p->chain;
	size_t common;

	script_place_take_chain(p, h, s);
	p->at.items = array_reserve(p->at.items, &p->at.room, c->n, sizeof(*p->at.items));
	common = common_frames(p, h, m);
	for (size_t i = 0; i < c->n - common; i++) {
		p->at.items[i] = p->out.length;
		if (c->items[i].is_cookie) {
			script_place_add_cookie(p, h, c->items[i].ip);
			continue;
		}
		script_place_add_frame(p, h, i);
		if (p->setup->stop.n && script_place_stops(p, h, i))
			return;
	}
	if (common)
		copy_frames(p, m, common);
	/* A truncated stack cannot be used for copying. */
	if (!p->setup->stop.n)
		remember_chain(p, h, m);
}

void script_write_place(struct script_writer *p, const struct script_head *h,
			const struct sample *s)
{
	struct location loc;

	if (h->event->chain) {
		text_add_char(&p->out, '\n');
		script_place_add_chain(p, h, s);
		return;
	}
	machine_locate(p->setup->session, h->pid, address_mode_of(s->misc), s->ip, h->moment, &loc);
	script_place_add(p, ' ', s->ip, frame_cache_rest(&p->frames, h->event->style, &loc));
}

void script_write_deferred(struct script_writer *p, const struct script_head *h,
			   const struct record_callchain_deferred *r)
{
	const struct sample s = { .misc = PERF_RECORD_MISC_USER, .chain = r->ips };

	text_addf(&p->out, "DEFERRED CALLCHAIN [cookie: %" PRIx64 "]\n", r->cookie);
	if (!h->event->chain)
		return;
	script_place_add_chain(p, h, &s);
	text_add_char(&p->out, '\n');
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
	script_place_add(p, '\0', addr, rest);
}
