/* SPDX-License-Identifier: MIT */
#include "symbol/source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/shared-map.h"
#include "dwarf/units.h"
#include "symbol/bpf-code.h"
#include "symbol/buildid/cache.h"
#include "symbol/image.h"
#include "symbol/runtime-names.h"
#include "symbol/source-answers.h"
#include "symbol/source-find.h"

/* The maximum depth of inlining; a bound for damaged files. */
#define FRAMES_MAX 256

/* Cached results for one image. */
struct source {
	bool has_file; /* false: there is no DWARF, and all other members are empty */
	struct source_file file;
	char *kept_path; /* the path of @answers; NULL: they are not kept */
	uint64_t identity;
	pthread_mutex_t lock; /* guards what follows, because elfutils is not thread-safe */
	bool is_open;
	struct dwarf_units *units; /* set once it is open; NULL: it could not be read */
	struct source_answers answers;
	struct arena arena;
	struct source_names names;
	struct shared_map frames; /* struct source_frames by address; read without lock */
	struct shared_map lines;  /* struct source_line by address, likewise */
};

/*
 * Returns the units, which are read at the first call; NULL: they cannot be read. The caller holds
 * the lock.
 */
static struct dwarf_units *symbol_source_units_of(struct source *s)
{
	if (!s->is_open && source_file_open(&s->file) >= 0)
		s->units = dwarf_units_new(s->file.dwarf);
	s->is_open = true;
	return s->units;
}

/* Opens the kept answers. The addresses of a module are known only when its DWARF is open. */
static void open_answers(struct source *s, const struct image *im)
{
	s->identity = s->file.is_module ? 0 : source_file_identity(&s->file);
	if (!s->identity)
		return;
	s->kept_path = buildid_cache_kept_path(symbolizer_kept_dir(im->symbolizer), &im->build_id,
					       BUILDID_KEPT_FRAMES);
	if (s->kept_path)
		source_answers_open(&s->answers, s->kept_path, s->identity);
}

static struct source *source_new(struct image *im)
{
	struct source *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	s->names.pretty = image_pretty(im);
	s->has_file = source_file_find(im, &s->file) >= 0;
	if (!s->has_file)
		return s;
	open_answers(s, im);
	if (s->file.is_module)
		s->has_file = symbol_source_units_of(s) != NULL;
	return s;
}

/*
 * Keeps the answers, unless units are split: those are also read from files that the identity does
 * not cover.
 */
static void symbol_source_keep_answers(struct source *s)
{
	if (s->kept_path && s->units && !dwarf_units_are_split(s->units))
		(void)source_answers_write(&s->answers, s->kept_path, s->identity);
}

void source_free(struct source *s)
{
	if (!s)
		return;
	symbol_source_keep_answers(s);
	shared_map_done(&s->frames);
	shared_map_done(&s->lines);
	source_names_done(&s->names);
	source_answers_done(&s->answers);
	arena_done(&s->arena);
	dwarf_units_free(s->units);
	source_file_done(&s->file);
	pthread_mutex_destroy(&s->lock);
	free(s->kept_path);
	free(s);
}

/* Returns the cache of @im, which is made at the first call; NULL: it has no DWARF. */
static struct source *symbol_source_of(struct image *im)
{
	struct source *s = atomic_load_explicit(&im->source, memory_order_acquire);

	if (!s) {
		pthread_mutex_lock(&im->lock);
		s = atomic_load_explicit(&im->source, memory_order_relaxed);
		if (!s) {
			s = source_new(im);
			atomic_store_explicit(&im->source, s, memory_order_release);
		}
		pthread_mutex_unlock(&im->lock);
	}
	return s->has_file ? s : NULL;
}

static struct source_line symbol_source_line_at(struct dwarf_unit *u, uint64_t link)
{
	const struct dwarf_row *row = dwarf_unit_row(u, link);

	return row ? (struct source_line){ .file = row->file, .line = row->line }
		   : (struct source_line){ .file = NULL };
}

static struct dwarf_unit *unit_at(struct source *s, uint64_t link)
{
	struct dwarf_units *units = symbol_source_units_of(s);

	return units ? dwarf_units_find(units, link) : NULL;
}

/*
 * Fills @frames with @scope, which may be NULL, the functions into which it is inlined, and the
 * place where each of these calls the one before.
 */
static void fill_answer(struct dwarf_scope *scope, struct answer_frame *frames, size_t n)
{
	for (size_t i = 0; i < n && scope; i++, scope = scope->caller) {
		frames[i].name = dwarf_scope_name(scope);
		if (i + 1 < n) {
			frames[i + 1].file = scope->call_file;
			frames[i + 1].line = scope->call_line;
		}
	}
}

/* Looks up @link in DWARF. */
static struct source_answer symbol_source_ask(struct source *s, uint64_t link)
{
	struct source_answer a = { .link = link };
	struct dwarf_unit *u = unit_at(s, link);

	if (!u)
		return a;

	struct dwarf_scope *inner = dwarf_unit_scope(u, link), *real = inner;

	for (a.n = 1; real && real->caller && a.n < FRAMES_MAX; a.n++)
		real = real->caller;
	if (real) {
		a.start = real->start;
		a.end = real->end;
	}

	struct answer_frame *frames = arena_alloc(&s->arena, a.n * sizeof(frames[0]));
	struct source_line at = symbol_source_line_at(u, link);

	frames[0].file = at.file;
	frames[0].line = at.line;
	fill_answer(inner, frames, a.n);
	a.frames = frames;
	return a;
}

/* Returns the kept answer, or else that of DWARF, which is kept from now on. */
static struct source_answer answer_for(struct source *s, uint64_t link)
{
	struct source_answer a;

	if (source_answers_find(&s->answers, link, &a))
		return a;
	a = symbol_source_ask(s, link);
	source_answers_add(&s->answers, &a);
	return a;
}

/*
 * Returns the function whose code is at @addr: from the symbol table, or else from DWARF. A symbol
 * of unknown size is not used: it may belong to the code before it, or be a label at the function's
 * start or inside it. But the kernel's list has no sizes at all, so its symbols name the function
 * that they begin, or a later part of it.
 */
static const struct symbol *real_symbol(struct source *s, struct image *im, uint64_t addr,
					const struct source_answer *a)
{
	const struct symbol *found = image_symbol_listed(im, addr);
	struct symbol own = { .binding = 'l', .name = a->frames[a->n - 1].name };

	if ((found && !found->is_guessed) || !own.name ||
	    !source_file_address(&s->file, a->start, &own.start))
		return found;
	if (found && image_kind(im) != IMAGE_USER && found->start >= own.start)
		return found;
	own.end = own.start + (a->end - a->start);
	return source_names_real(&s->names, &own);
}

/* Finds the frames. The caller holds the lock. */
static struct source_frames find_frames(struct source *s, struct image *im, uint64_t addr)
{
	struct source_answer a;
	uint64_t link;

	if (!source_file_link_address(&s->file, addr, &link))
		return (struct source_frames){ .n = 0 };
	a = answer_for(s, link);
	if (!a.n)
		return (struct source_frames){ .n = 0 };

	struct source_frame *items = arena_alloc(&s->arena, a.n * sizeof(items[0]));

	for (size_t i = 0; i < a.n; i++) {
		const struct answer_frame *f = &a.frames[i];

		items[i].at = (struct source_line){ .file = f->file, .line = f->line };
		items[i].is_inlined = i + 1 < a.n;
		items[i].sym = items[i].is_inlined ? source_names_inlined(&s->names, f->name)
						   : real_symbol(s, im, addr, &a);
	}
	return (struct source_frames){ .items = items, .n = a.n };
}

struct source_frames image_code_frames(struct image *im, uint64_t addr)
{
	struct source *s = im->runtime ? NULL : symbol_source_of(im);
	struct source_frames *known;

	if (im->runtime)
		return runtime_names_frames(im, addr);
	if (!s)
		return (struct source_frames){ .n = 0 };
	known = shared_map_find(&s->frames, addr);
	if (known)
		return *known;
	pthread_mutex_lock(&s->lock);
	known = shared_map_find(&s->frames, addr);
	if (!known) {
		known = arena_alloc(&s->arena, sizeof(*known));
		*known = find_frames(s, im, addr);
		shared_map_put(&s->frames, addr, known);
	}
	pthread_mutex_unlock(&s->lock);
	return *known;
}

static struct source_line symbol_source_find_line(struct source *s, uint64_t addr)
{
	struct source_answer kept;
	struct dwarf_unit *u;
	uint64_t link;

	if (!source_file_link_address(&s->file, addr, &link))
		return (struct source_line){ .file = NULL };
	if (source_answers_find(&s->answers, link, &kept))
		return kept.n ? (struct source_line){ .file = kept.frames[0].file,
						      .line = kept.frames[0].line }
			      : (struct source_line){ .file = NULL };
	u = unit_at(s, link);
	return u ? symbol_source_line_at(u, link) : (struct source_line){ .file = NULL };
}

/* Returns the rows of a BPF program, whose lines come with the recording. */
static size_t bpf_rows(const struct image *im, const struct line_row **ret)
{
	const struct bpf_code *code = image_bpf_code(im);

	if (!code || !code->n_rows)
		return 0;
	*ret = code->rows;
	return code->n_rows;
}

static bool runtime_line(struct image *im, uint64_t addr, struct source_line *ret)
{
	struct source_frames found = runtime_names_frames(im, addr);

	if (!found.n || !found.items[0].at.file)
		return false;
	*ret = found.items[0].at;
	return true;
}

static bool bpf_line(const struct image *im, uint64_t addr, struct source_line *ret)
{
	const struct line_row *rows = NULL;
	size_t n = bpf_rows(im, &rows);
	size_t after = BISECT(k, n, rows[k].addr <= addr);

	if (!after || !rows[after - 1].file)
		return false;
	*ret = (struct source_line){ rows[after - 1].file, rows[after - 1].line };
	return true;
}

bool image_source_line(struct image *im, uint64_t addr, struct source_line *ret)
{
	if (im->kind == IMAGE_BPF)
		return bpf_line(im, addr, ret);
	if (im->runtime)
		return runtime_line(im, addr, ret);

	struct source *s = symbol_source_of(im);
	struct source_line *known;

	if (!s)
		return false;
	known = shared_map_find(&s->lines, addr);
	if (!known) {
		pthread_mutex_lock(&s->lock);
		known = shared_map_find(&s->lines, addr);
		if (!known) {
			known = arena_alloc(&s->arena, sizeof(*known));
			*known = symbol_source_find_line(s, addr);
			shared_map_put(&s->lines, addr, known);
		}
		pthread_mutex_unlock(&s->lock);
	}
	if (!known->file)
		return false;
	*ret = *known;
	return true;
}

struct source_row_list {
	struct line_row *items;
	size_t n, room;
};

/* Adds the rows of @u in [@start, @end), clipped to that range. */
static void symbol_source_add_rows(struct source *s, struct dwarf_unit *u, uint64_t start,
				   uint64_t end, struct source_row_list *list)
{
	const struct dwarf_row *rows = NULL;
	size_t n = dwarf_unit_rows(u, start, end, &rows);

	for (size_t i = 0; i < n; i++) {
		uint64_t link = rows[i].addr > start ? rows[i].addr : start, addr;

		if (source_file_address(&s->file, link, &addr))
			*ARRAY_ADD(list) = (struct line_row){ addr, rows[i].file, rows[i].line,
							      rows[i].is_stmt, NULL };
	}
}

size_t image_line_rows(struct image *im, uint64_t start, uint64_t end, const struct line_row **ret)
{
	if (im->kind == IMAGE_BPF)
		return bpf_rows(im, ret);
	if (im->runtime)
		return runtime_names_rows(im, start, end, ret);

	struct source *s = symbol_source_of(im);
	struct source_row_list list = { 0 };
	struct line_row *copy = NULL;
	uint64_t at, last, part_end;
	struct dwarf_units *units;
	struct dwarf_unit *u;

	if (!s || start >= end || !source_file_link_address(&s->file, start, &at) ||
	    !source_file_link_address(&s->file, end - 1, &last))
		return 0;
	pthread_mutex_lock(&s->lock);
	units = symbol_source_units_of(s);
	for (; units && (u = dwarf_units_next(units, &at, last + 1, &part_end)); at = part_end)
		symbol_source_add_rows(s, u, at, part_end, &list);
	if (list.n) {
		copy = arena_alloc(&s->arena, list.n * sizeof(copy[0]));
		memcpy(copy, list.items, list.n * sizeof(copy[0]));
	}
	pthread_mutex_unlock(&s->lock);
	free(list.items);
	if (copy)
		*ret = copy;
	return list.n;
}

/* The name of an inlined function without a name in DWARF. */
static const char nameless[] = "[unknown]";

void source_names_done(struct source_names *n)
{
	u64_map_done(&n->by_raw);
	u64_map_done(&n->by_text);
	u64_map_done(&n->by_start);
	intern_done(&n->texts);
	arena_done(&n->arena);
}

static const char *source_names_readable(struct source_names *n, const char *raw)
{
	_cleanup_(freep) char *pretty = n->pretty ? n->pretty(raw) : NULL;

	return intern_text(&n->texts, pretty ? pretty : raw);
}

static struct symbol *source_names_symbol_of(struct source_names *n, const char *text)
{
	struct symbol *s = u64_map_find(&n->by_text, (uintptr_t)text);

	if (s)
		return s;
	s = arena_alloc(&n->arena, sizeof(*s));
	*s = (struct symbol){ .name = text, .binding = 'l', .is_inlined = true, .is_pretty = true };
	u64_map_put(&n->by_text, (uintptr_t)text, s);
	return s;
}

const struct symbol *source_names_inlined(struct source_names *n, const char *raw)
{
	raw = raw ? raw : nameless;

	struct symbol *s = u64_map_find(&n->by_raw, (uintptr_t)raw);

	if (!s) {
		s = source_names_symbol_of(n, source_names_readable(n, raw));
		u64_map_put(&n->by_raw, (uintptr_t)raw, s);
	}
	return s;
}

const struct symbol *source_names_real(struct source_names *n, const struct symbol *s)
{
	struct symbol *own = u64_map_find(&n->by_start, s->start);

	if (own)
		return own;
	own = arena_alloc(&n->arena, sizeof(*own));
	*own = *s;
	own->name = source_names_readable(n, s->name);
	own->is_pretty = true;
	u64_map_put(&n->by_start, s->start, own);
	return own;
}
