/* SPDX-License-Identifier: MIT */
#include "view/script/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/source-text.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

/* Beyond this a cache starts anew: what a thread needs at a time is much less. */
#define FRAMES_MAX 12288

struct frame_entry {
	const struct image *image; /* NULL: free */
	uint64_t addr;
	struct frame_line line;
};

void frame_cache_init(struct frame_cache *c, bool escape, bool full_paths)
{
	*c = (struct frame_cache){ .escape = escape,
				   .full_paths = full_paths,
				   .scratch = TEXT_EMPTY };
}

void frame_cache_done(struct frame_cache *c)
{
	for (size_t i = 0; i < FRAME_STYLES; i++)
		free(c->tables[i].entries);
	arena_done(&c->arena);
	text_done(&c->scratch);
}

static void start_anew(struct frame_cache *c)
{
	bool escape = c->escape, full_paths = c->full_paths;

	frame_cache_done(c);
	frame_cache_init(c, escape, full_paths);
}

static size_t slot_of(const struct image *im, uint64_t addr, size_t room)
{
	uint64_t h = (addr ^ (uint64_t)(uintptr_t)im >> 4) * 0x9e3779b97f4a7c15ULL;

	return (size_t)(h >> 32) & (room - 1);
}

/* The entry of (@im, @addr), or the free one where it belongs. */
static struct frame_entry *find(const struct frame_table *t, const struct image *im, uint64_t addr)
{
	size_t i = slot_of(im, addr, t->room);

	while (t->entries[i].image && (t->entries[i].image != im || t->entries[i].addr != addr))
		i = (i + 1) & (t->room - 1);
	return &t->entries[i];
}

static void grow(struct frame_table *t)
{
	struct frame_table bigger = { .n = t->n, .room = t->room ? 2 * t->room : 1024 };

	bigger.entries = xcalloc(bigger.room, sizeof(*bigger.entries));
	for (size_t i = 0; i < t->room; i++)
		if (t->entries[i].image)
			*find(&bigger, t->entries[i].image, t->entries[i].addr) = t->entries[i];
	free(t->entries);
	*t = bigger;
}

static void add_name(struct text *t, const char *name, bool escape)
{
	if (escape)
		escape_terminal(t, name, strlen(name));
	else
		text_add(t, name);
}

static void add_hex(struct text *t, const char *before, uint64_t v, unsigned width)
{
	char *at;

	text_add(t, before);
	at = text_room(t, DIGITS_MAX);
	text_filled(t, digits_hex_right(at, v, width, ' '));
}

/* What is known of a place, or of a function that is inlined there. */
struct frame_part {
	const struct location *loc;
	const struct symbol *real; /* its function; NULL: none */
	const char *name;
	struct source_line at; /* file: NULL if that is unknown */
	bool is_inlined;
};

/* "\n  main.c:12" */
static void add_line(struct frame_cache *c, unsigned style, const struct frame_part *p)
{
	const struct image *im = p->loc->map->image;
	bool is_unknown = !p->at.file && source_is_unknown(im, p->real);
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	if (is_unknown && !(style & FRAME_UNKNOWN_LINE))
		return;
	if (p->at.file)
		source_line_text(&p->at, c->full_paths, &line);
	else if (is_unknown)
		text_add(&line, SOURCE_UNKNOWN);
	else
		text_addf(&line, "%s[%lx]", image_short_name(im), p->loc->image_addr);
	text_add(&c->scratch, "\n  ");
	add_name(&c->scratch, line.chars, c->escape);
}

/* Offsets of inlined functions, too, are from where the real one starts. */
static void add_part(struct frame_cache *c, unsigned style, const struct frame_part *p)
{
	struct text *t = &c->scratch;
	uint64_t addr = p->loc->image_addr;

	add_hex(t, "\t", addr, FRAME_ADDRESS_WIDTH);
	if (style & FRAME_SYM) {
		text_add_char(t, ' ');
		add_name(t, p->name, c->escape);
		if (p->real && (style & FRAME_SYMOFF))
			add_hex(t, "+0x", addr - p->real->start, 0);
	}
	if (style & FRAME_DSO && !p->is_inlined) {
		text_add(t, " (");
		add_name(t, image_long_name(p->loc->map->image), c->escape);
		text_add_char(t, ')');
	}
	if (style & FRAME_LINE)
		add_line(c, style, p);
	if (p->is_inlined)
		text_add(t, " (inlined)");
	text_add_char(t, '\n');
}

/* Adds the functions that are inlined at the place @p, whose line is that of the outermost then. */
static void add_inlined(struct frame_cache *c, unsigned style, struct frame_part *p)
{
	struct source_frames all = image_code_frames(p->loc->map->image, p->loc->image_addr);

	for (size_t i = 0; i + 1 < all.n; i++) {
		struct frame_part inner = *p;

		inner.name = all.items[i].sym->name;
		inner.at = all.items[i].at;
		inner.is_inlined = true;
		add_part(c, style, &inner);
	}
	if (all.n)
		p->at = all.items[all.n - 1].at;
}

static struct frame_line format(struct frame_cache *c, unsigned style, const struct location *loc)
{
	struct image *im = loc->map->image;
	struct frame_part p = { .loc = loc };
	struct text *t = &c->scratch;
	uint64_t addr = loc->image_addr - !!(style & FRAME_CALL);
	bool is_divided = false;

	/* The kernel's image has its final name only after its symbols were looked for. */
	if (style & FRAME_CALL) {
		p.real = image_symbol_find(im, addr);
		is_divided = p.real && p.real != image_symbol_find(im, loc->image_addr);
	}
	if (!p.real)
		p.real = loc->sym ? loc->sym : image_symbol_find(im, loc->image_addr);
	p.name = p.real ? p.real->name : "[unknown]";
	text_clear(t);
	if (style & FRAME_LINE)
		image_source_line(im, addr, &p.at);
	if (style & FRAME_INLINES && p.real)
		add_inlined(c, style, &p);
	add_part(c, style, &p);
	return (struct frame_line){ arena_strndup(&c->arena, t->chars, t->length), t->length,
				    is_divided };
}

struct frame_line frame_cache_get(struct frame_cache *c, unsigned style, const struct location *loc)
{
	struct frame_table *t = &c->tables[style];
	struct frame_entry *e;

	if (t->n >= FRAMES_MAX)
		start_anew(c);
	if (t->n * 4 >= t->room * 3)
		grow(t);
	e = find(t, loc->map->image, loc->image_addr);
	if (!e->image) {
		*e = (struct frame_entry){ loc->map->image, loc->image_addr,
					   format(c, style, loc) };
		t->n++;
	}
	return e->line;
}

struct frame_line frame_cache_rest(struct frame_cache *c, unsigned style,
				   const struct location *loc)
{
	static const char nowhere[] = " [unknown] ([unknown])";
	static const size_t half = sizeof(" [unknown]") - 1;
	struct frame_line line;

	if (!loc->map) {
		size_t from = style & FRAME_SYM ? 0 : half;
		size_t to = style & FRAME_DSO ? sizeof(nowhere) - 1 : half;

		return (struct frame_line){ .chars = nowhere + from, .length = to - from };
	}
	line = frame_cache_get(c, style, loc);
	line.chars += 1 + FRAME_ADDRESS_WIDTH;
	line.length -= 1 + FRAME_ADDRESS_WIDTH + 1;
	return line;
}
