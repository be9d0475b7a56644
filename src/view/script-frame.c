/* SPDX-License-Identifier: MIT */
#include "view/script-frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

/* Beyond this a cache starts anew: what a thread needs at a time is much less. */
#define FRAMES_MAX 12288

struct frame_entry {
	const struct image *image; /* NULL: free */
	uint64_t addr;
	struct frame_line line;
};

void frame_cache_init(struct frame_cache *c, bool escape)
{
	*c = (struct frame_cache){ .escape = escape, .scratch = TEXT_EMPTY };
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
	bool escape = c->escape;

	frame_cache_done(c);
	frame_cache_init(c, escape);
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

static struct frame_line format(struct frame_cache *c, unsigned style, const struct location *loc)
{
	struct image *im = loc->map->image;
	const struct symbol *sym = loc->sym;
	struct text *t = &c->scratch;

	/* The kernel's image has its final name only after its symbols were looked for. */
	if (!sym)
		sym = image_symbol_find(im, loc->image_addr);
	text_clear(t);
	add_hex(t, "\t", loc->image_addr, FRAME_ADDRESS_WIDTH);
	if (style & FRAME_SYM) {
		text_add_char(t, ' ');
		add_name(t, sym ? sym->name : "[unknown]", c->escape);
		if (sym && (style & FRAME_SYMOFF))
			add_hex(t, "+0x", loc->image_addr - sym->start, 0);
	}
	if (style & FRAME_DSO) {
		text_add(t, " (");
		add_name(t, image_long_name(im), c->escape);
		text_add_char(t, ')');
	}
	text_add_char(t, '\n');
	return (struct frame_line){ arena_strndup(&c->arena, t->chars, t->length), t->length };
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

		return (struct frame_line){ nowhere + from, to - from };
	}
	line = frame_cache_get(c, style, loc);
	line.chars += 1 + FRAME_ADDRESS_WIDTH;
	line.length -= 1 + FRAME_ADDRESS_WIDTH + 1;
	return line;
}
