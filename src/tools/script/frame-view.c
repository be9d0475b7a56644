/* SPDX-License-Identifier: MIT */
#include "tools/script/frame-view.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/shared-map.h"
#include "profile/source-text.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

/* The maximum number of places in a shelf. Texts of further places are made anew for each call. */
#define FRAMES_MAX ((1 << 18) / SHELVES)

/*
 * A part of the texts, chosen by their keys, so that threads that add texts seldom use the same
 * one.
 */
struct frame_shelf {
	pthread_mutex_t lock;          /* held while entries are added */
	_Atomic(struct slots *) slots; /* NULL: empty */
	struct arena arena;            /* owns each struct frame_entry */
};

/*
 * A hash table that threads read while one thread adds to it. shared_map stores keys next to its
 * pointers. Here they are in the entries, so that the table is half as large, and mostly in the
 * cache.
 */
struct slots {
	struct slots *older; /* other threads may still be reading it */
	size_t n, room;      /* capacity: a power of two, at most half of it used */
	_Atomic(struct frame_entry *) items[];
};

#define SLOTS_MIN 256

#define SHELVES 16 /* a power of two */

struct frame_texts {
	bool escape, full_paths;
	pthread_mutex_t lock;    /* held while tails are added */
	struct shared_map tails; /* by image */
	struct arena arena;      /* owns the tails */
	struct frame_shelf shelves[SHELVES];
};

struct frame_entry {
	const struct image *image;
	uint64_t addr;
	const struct frame_tail *tail;
	uint32_t length;
	uint16_t style;
	bool is_divided;
	char chars[];
};

static void slots_free(struct slots *s)
{
	while (s) {
		struct slots *older = s->older;

		free(s);
		s = older;
	}
}

struct frame_texts *frame_texts_new(bool escape, bool full_paths)
{
	struct frame_texts *t = xcalloc(1, sizeof(*t));

	t->escape = escape;
	t->full_paths = full_paths;
	pthread_mutex_init(&t->lock, NULL);
	for (size_t i = 0; i < SHELVES; i++)
		pthread_mutex_init(&t->shelves[i].lock, NULL);
	return t;
}

void frame_texts_free(struct frame_texts *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < SHELVES; i++) {
		slots_free(t->shelves[i].slots);
		arena_done(&t->shelves[i].arena);
		pthread_mutex_destroy(&t->shelves[i].lock);
	}
	shared_map_done(&t->tails);
	arena_done(&t->arena);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

void frame_cache_init(struct frame_cache *c, struct frame_texts *t)
{
	*c = (struct frame_cache){ .texts = t, .scratch = TEXT_EMPTY };
}

void frame_cache_done(struct frame_cache *c)
{
	text_done(&c->scratch);
}

static uint64_t frame_hash_of(unsigned style, const struct image *im, uint64_t addr)
{
	uint64_t h = (addr ^ (uint64_t)style << 56) + (uintptr_t)im * 0x9e3779b97f4a7c15ULL;

	return h * 0x9e3779b97f4a7c15ULL >> 24;
}

static struct frame_shelf *shelf_of(struct frame_texts *t, uint64_t hash)
{
	return &t->shelves[hash & (SHELVES - 1)];
}

static size_t frame_home_of(const struct slots *s, uint64_t hash)
{
	return (size_t)(hash / SHELVES) & (s->room - 1);
}

static bool is_of(const struct frame_entry *e, unsigned style, const struct location *loc)
{
	return e->image == loc->map->image && e->addr == loc->image_addr && e->style == style;
}

/* Returns the entry of a place, or NULL. It may miss an entry that is being added. */
static const struct frame_entry *frame_find(const struct frame_shelf *shelf, uint64_t hash,
					    unsigned style, const struct location *loc)
{
	const struct slots *s = atomic_load_explicit(&shelf->slots, memory_order_acquire);
	const struct frame_entry *e;

	for (size_t i = s ? frame_home_of(s, hash) : 0; s; i = (i + 1) & (s->room - 1)) {
		e = atomic_load_explicit(&s->items[i], memory_order_acquire);
		if (!e || is_of(e, style, loc))
			return e;
	}
	return NULL;
}

static void frame_put(struct slots *s, struct frame_entry *e)
{
	size_t i = frame_home_of(s, frame_hash_of(e->style, e->image, e->addr));

	while (atomic_load_explicit(&s->items[i], memory_order_relaxed))
		i = (i + 1) & (s->room - 1);
	atomic_store_explicit(&s->items[i], e, memory_order_release);
	s->n++;
}

/* Returns slots of @shelf with space for one more entry. The caller holds the lock. */
static struct slots *slots_for_more(struct frame_shelf *shelf)
{
	struct slots *before = atomic_load_explicit(&shelf->slots, memory_order_relaxed), *s;
	size_t room = before ? 2 * before->room : SLOTS_MIN;

	if (before && 2 * (before->n + 1) <= before->room)
		return before;
	s = xcalloc(1, sizeof(*s) + room * sizeof(s->items[0]));
	s->older = before;
	s->room = room;
	for (size_t i = 0; before && i < before->room; i++) {
		struct frame_entry *e = atomic_load_explicit(&before->items[i],
							     memory_order_relaxed);

		if (e)
			frame_put(s, e);
	}
	atomic_store_explicit(&shelf->slots, s, memory_order_release);
	return s;
}

static struct frame_line frame_line_of(const struct frame_entry *e)
{
	return (struct frame_line){ e->chars, e->length, e->tail, e->is_divided, true };
}

static void frame_add_name(struct text *t, const char *name, bool escape)
{
	if (escape)
		escape_terminal(t, name, strlen(name));
	else
		text_add(t, name);
}

static void frame_add_hex(struct text *t, const char *before, uint64_t v, unsigned width)
{
	char *at;

	text_add(t, before);
	at = text_room(t, DIGITS_MAX);
	text_filled(t, digits_hex_right(at, v, width, ' '));
}

static void frame_add_image(struct text *t, const struct image *im, bool escape)
{
	text_add(t, " (");
	frame_add_name(t, image_long_name(im), escape);
	text_add_char(t, ')');
}

/* Adds the tail of @im. The caller holds the lock. */
static struct frame_tail *add_tail(struct frame_texts *t, const struct image *im)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	struct frame_tail *tail;

	frame_add_image(&name, im, t->escape);
	tail = arena_alloc(&t->arena, sizeof(*tail) + name.length);
	tail->length = name.length;
	memcpy(tail->chars, name.chars, name.length);
	shared_map_put(&t->tails, (uintptr_t)im, tail);
	return tail;
}

static const struct frame_tail *tail_of(struct frame_texts *t, const struct image *im)
{
	struct frame_tail *tail = shared_map_find(&t->tails, (uintptr_t)im);

	if (tail)
		return tail;
	pthread_mutex_lock(&t->lock);
	tail = shared_map_find(&t->tails, (uintptr_t)im);
	if (!tail)
		tail = add_tail(t, im);
	pthread_mutex_unlock(&t->lock);
	return tail;
}

/* A place, or a function that is inlined there. */
struct frame_part {
	const struct location *loc;
	const struct symbol *real; /* its function; NULL: none */
	const char *name;
	struct source_line at; /* file: NULL if unknown */
	bool is_inlined;
	/* printed later, not added here; NULL: everything is added */
	const struct frame_tail *tail;
};

/* Appends a line break and a place in the source: "\n main.c:12". */
static void frame_add_line(struct frame_cache *c, unsigned style, const struct frame_part *p)
{
	const struct image *im = p->loc->map->image;
	bool is_unknown = !p->at.file && source_is_unknown(im, p->real);
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	if (is_unknown && !(style & FRAME_UNKNOWN_LINE))
		return;
	if (p->at.file)
		source_line_text(&p->at, c->texts->full_paths, &line);
	else if (is_unknown)
		text_add(&line, SOURCE_UNKNOWN);
	else
		text_addf(&line, "%s[%lx]", image_short_name(im), p->loc->image_addr);
	text_add(&c->scratch, "\n  ");
	frame_add_name(&c->scratch, line.chars, c->texts->escape);
}

/* Adds a part. Offsets of inlined functions are also from the beginning of the real one. */
static void frame_add_part(struct frame_cache *c, unsigned style, const struct frame_part *p)
{
	struct text *t = &c->scratch;
	uint64_t addr = p->loc->image_addr;

	frame_add_hex(t, "\t", addr, FRAME_ADDRESS_WIDTH);
	if (style & FRAME_SYM) {
		text_add_char(t, ' ');
		frame_add_name(t, p->name, c->texts->escape);
		if (p->real && (style & FRAME_SYMOFF))
			frame_add_hex(t, "+0x", addr - p->real->start, 0);
	}
	if (p->tail)
		return;
	if (style & FRAME_DSO && !p->is_inlined)
		frame_add_image(t, p->loc->map->image, c->texts->escape);
	if (style & FRAME_LINE)
		frame_add_line(c, style, p);
	if (p->is_inlined)
		text_add(t, " (inlined)");
	text_add_char(t, '\n');
}

/*
 * Adds the functions that are inlined at the place @p. Its line is then that of the outermost one.
 */
static void frame_add_inlined(struct frame_cache *c, unsigned style, struct frame_part *p)
{
	struct source_frames all = image_code_frames(p->loc->map->image, p->loc->image_addr);

	for (size_t i = 0; i + 1 < all.n; i++) {
		struct frame_part inner = *p;

		inner.name = all.items[i].sym->name;
		inner.at = all.items[i].at;
		inner.is_inlined = true;
		frame_add_part(c, style, &inner);
	}
	if (all.n)
		p->at = all.items[all.n - 1].at;
}

/* Formats the text in the scratch buffer. */
static struct frame_line frame_format(struct frame_cache *c, unsigned style,
				      const struct location *loc)
{
	struct image *im = loc->map->image;
	struct frame_part p = { .loc = loc };
	struct text *t = &c->scratch;
	uint64_t addr = loc->image_addr - !!(style & FRAME_CALL);
	bool is_divided = false;

	/* The kernel's image has its final name only after its symbols were looked up. */
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
		frame_add_inlined(c, style, &p);
	if (style & FRAME_DSO && !(style & FRAME_LINE))
		p.tail = tail_of(c->texts, im);
	frame_add_part(c, style, &p);
	return (struct frame_line){ t->chars, t->length, p.tail, is_divided, false };
}

/* Adds @line. The caller holds the lock. */
static const struct frame_entry *frame_add(struct frame_shelf *s, unsigned style,
					   const struct location *loc, struct frame_line line)
{
	struct frame_entry *e = arena_alloc(&s->arena, sizeof(*e) + line.length);

	*e = (struct frame_entry){ .image = loc->map->image,
				   .addr = loc->image_addr,
				   .tail = line.tail,
				   .length = (uint32_t)line.length,
				   .style = (uint16_t)style,
				   .is_divided = line.is_divided };
	memcpy(e->chars, line.chars, line.length);
	frame_put(slots_for_more(s), e);
	return e;
}

static bool frame_is_full(const struct frame_shelf *s)
{
	const struct slots *slots = atomic_load_explicit(&s->slots, memory_order_relaxed);

	return slots && slots->n >= FRAMES_MAX;
}

struct frame_line frame_cache_get(struct frame_cache *c, unsigned style, const struct location *loc)
{
	uint64_t hash = frame_hash_of(style, loc->map->image, loc->image_addr);
	struct frame_shelf *shelf = shelf_of(c->texts, hash);
	const struct frame_entry *e = frame_find(shelf, hash, style, loc);
	struct frame_line line;

	if (e)
		return frame_line_of(e);
	line = frame_format(c, style, loc);
	pthread_mutex_lock(&shelf->lock);
	e = frame_find(shelf, hash, style, loc);
	if (!e && !frame_is_full(shelf))
		e = frame_add(shelf, style, loc, line);
	pthread_mutex_unlock(&shelf->lock);
	return e ? frame_line_of(e) : line;
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
	line.length -= 1 + FRAME_ADDRESS_WIDTH + !line.tail;
	return line;
}
