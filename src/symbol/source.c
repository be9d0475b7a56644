/* SPDX-License-Identifier: MIT */
#include "symbol/source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/memory.h"
#include "base/shared-map.h"
#include "dwarf/units.h"
#include "symbol/bpf-code.h"
#include "symbol/image.h"
#include "symbol/source-find.h"
#include "symbol/source-names.h"

/* The depth of inlining; a bound for damaged files. */
#define FRAMES_MAX 256

/* Cached results for one image. */
struct source {
	struct source_file file;
	struct dwarf_units *units; /* NULL: there is no DWARF */
	pthread_mutex_t lock;      /* guards what follows, as elfutils is not thread-safe */
	struct arena arena;
	struct source_names names;
	struct shared_map frames; /* struct source_frames by address; read without lock */
	struct shared_map lines;  /* struct source_line by address, likewise */
};

static struct source *source_new(struct image *im)
{
	struct source *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	s->names.pretty = image_pretty(im);
	if (source_file_find(im, &s->file) >= 0)
		s->units = dwarf_units_new(s->file.dwarf);
	return s;
}

void source_free(struct source *s)
{
	if (!s)
		return;
	shared_map_done(&s->frames);
	shared_map_done(&s->lines);
	source_names_done(&s->names);
	arena_done(&s->arena);
	dwarf_units_free(s->units);
	source_file_done(&s->file);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* The cache of @im, which is made at the first call; NULL: it has no DWARF. */
static struct source *source_of(struct image *im)
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
	return s->units ? s : NULL;
}

static struct source_line line_at(struct dwarf_unit *u, uint64_t link)
{
	const struct dwarf_row *row = dwarf_unit_row(u, link);

	return row ? (struct source_line){ .file = row->file, .line = row->line }
		   : (struct source_line){ .file = NULL };
}

/* The function whose code is at @addr: by the symbol table, or else by DWARF. */
static const struct symbol *real_symbol(struct source *s, struct image *im, uint64_t addr,
					struct dwarf_scope *scope)
{
	const struct symbol *found = image_symbol_find(im, addr);
	struct symbol own = { .binding = 'l' };

	if (found || !scope || !dwarf_scope_name(scope) ||
	    !source_file_address(&s->file, scope->start, &own.start))
		return found;
	own.end = own.start + (scope->end - scope->start);
	own.name = dwarf_scope_name(scope);
	return source_names_real(&s->names, &own);
}

/*
 * @n is the number of frames: @scope, which may be NULL, and the functions that it is inlined into.
 */
static void fill_frames(struct source *s, struct dwarf_scope *scope, struct source_frame *items,
			size_t n)
{
	for (size_t i = 0; i + 1 < n; i++, scope = scope->caller) {
		items[i].sym = source_names_inlined(&s->names, dwarf_scope_name(scope));
		items[i].is_inlined = true;
		items[i + 1].at = (struct source_line){ .file = scope->call_file,
							.line = scope->call_line };
	}
}

/* The caller holds the lock. */
static struct source_frames find_frames(struct source *s, struct image *im, uint64_t addr)
{
	uint64_t link;
	struct dwarf_unit *u = source_file_link_address(&s->file, addr, &link)
				       ? dwarf_units_find(s->units, link)
				       : NULL;
	size_t n = 1;

	if (!u)
		return (struct source_frames){ .n = 0 };

	struct dwarf_scope *inner = dwarf_unit_scope(u, link), *real = inner;

	for (; real && real->caller && n < FRAMES_MAX; n++)
		real = real->caller;

	struct source_frame *items = arena_alloc(&s->arena, n * sizeof(items[0]));

	items[0].at = line_at(u, link);
	fill_frames(s, inner, items, n);
	items[n - 1].sym = real_symbol(s, im, addr, real);
	return (struct source_frames){ .items = items, .n = n };
}

struct source_frames image_code_frames(struct image *im, uint64_t addr)
{
	struct source *s = source_of(im);
	struct source_frames *known;

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

static struct source_line find_line(struct source *s, uint64_t addr)
{
	uint64_t link;
	struct dwarf_unit *u = source_file_link_address(&s->file, addr, &link)
				       ? dwarf_units_find(s->units, link)
				       : NULL;

	return u ? line_at(u, link) : (struct source_line){ .file = NULL };
}

/* A BPF program's lines come with the recording. */
static size_t bpf_rows(const struct image *im, const struct line_row **ret)
{
	const struct bpf_code *code = image_bpf_code(im);

	if (!code || !code->n_rows)
		return 0;
	*ret = code->rows;
	return code->n_rows;
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

	struct source *s = source_of(im);
	struct source_line *known;

	if (!s)
		return false;
	known = shared_map_find(&s->lines, addr);
	if (!known) {
		pthread_mutex_lock(&s->lock);
		known = shared_map_find(&s->lines, addr);
		if (!known) {
			known = arena_alloc(&s->arena, sizeof(*known));
			*known = find_line(s, addr);
			shared_map_put(&s->lines, addr, known);
		}
		pthread_mutex_unlock(&s->lock);
	}
	if (!known->file)
		return false;
	*ret = *known;
	return true;
}

struct row_list {
	struct line_row *items;
	size_t n, room;
};

/* Adds the rows of @u in [@start, @end), clipped to that range. */
static void add_rows(struct source *s, struct dwarf_unit *u, uint64_t start, uint64_t end,
		     struct row_list *list)
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

	struct source *s = source_of(im);
	struct row_list list = { 0 };
	struct line_row *copy = NULL;
	uint64_t at, last, part_end;
	struct dwarf_unit *u;

	if (!s || start >= end || !source_file_link_address(&s->file, start, &at) ||
	    !source_file_link_address(&s->file, end - 1, &last))
		return 0;
	pthread_mutex_lock(&s->lock);
	for (; (u = dwarf_units_next(s->units, &at, last + 1, &part_end)); at = part_end)
		add_rows(s, u, at, part_end, &list);
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
