/* SPDX-License-Identifier: MIT */
#include "symbol/runtime-names.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/shared-map.h"
#include "base/u64-map.h"
#include "elf/file.h"
#include "runtime/functions.h"
#include "runtime/runtime.h"
#include "symbol/image.h"

struct runtime_names {
	enum runtime_kind kind;
	struct shared_map frames; /* struct source_frame by address; read without lock */
	pthread_mutex_t lock;     /* protects the rest */
	struct u64_map by_start;  /* struct symbol */
	struct intern files;
	struct arena arena;
};

bool symbolizer_find_interpreted(const struct symbolizer *s, uint64_t addr,
				 struct runtime_found *ret, const char **ret_image)
{
	struct runtime_functions *f = symbolizer_functions(s);
	enum runtime_kind kind = f ? runtime_functions_find_mapped(f, addr, ret)
				   : RUNTIME_KIND_NONE;

	if (kind == RUNTIME_KIND_NONE)
		return false;
	*ret_image = runtime_functions_mapping(f, kind).path;
	return true;
}

struct runtime_names *runtime_names_new(const struct runtime_functions *f, const char *name,
					const struct build_id *id)
{
	enum runtime_kind kind = runtime_kind_of_path(name);
	struct runtime_names *n;
	struct runtime_mapping m;

	if (!f || kind == RUNTIME_KIND_NONE)
		return NULL;
	m = runtime_functions_mapping(f, kind);
	if (!build_id_equal(&m.build_id, id))
		return NULL;
	n = xcalloc(1, sizeof(*n));
	n->kind = kind;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

void runtime_names_free(struct runtime_names *n)
{
	if (!n)
		return;
	shared_map_done(&n->frames);
	u64_map_done(&n->by_start);
	intern_done(&n->files);
	arena_done(&n->arena);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

static const struct symbol *runtime_names_symbol(struct runtime_names *n,
						 const struct runtime_found *found)
{
	struct symbol *s = u64_map_find(&n->by_start, found->start);

	if (s)
		return s;
	s = arena_alloc(&n->arena, sizeof(*s));
	*s = (struct symbol){ .start = found->start,
			      .end = found->end,
			      .name = arena_strndup(&n->arena, found->name, strlen(found->name)),
			      .binding = 'g',
			      .is_pretty = true };
	u64_map_put(&n->by_start, found->start, s);
	return s;
}

/* Asks for the function at @addr. NULL: there is none. The caller holds the lock. */
static struct source_frame *runtime_names_ask(struct runtime_names *n, struct runtime_functions *f,
					      uint64_t addr)
{
	struct runtime_found found;
	struct source_frame *frame;
	uint64_t line_end;

	if (!f || !runtime_functions_find(f, n->kind, addr, &found))
		return NULL;
	frame = arena_alloc(&n->arena, sizeof(*frame));
	frame->sym = runtime_names_symbol(n, &found);
	frame->at.line = runtime_functions_line(f, n->kind, addr, &line_end);
	if (frame->at.line && found.file)
		frame->at.file = intern_text(&n->files, found.file);
	shared_map_put(&n->frames, addr, frame);
	return frame;
}

struct source_frames runtime_names_frames(struct image *im, uint64_t addr)
{
	struct runtime_names *n = im->runtime;
	struct source_frame *frame = shared_map_find(&n->frames, addr);

	if (!frame) {
		pthread_mutex_lock(&n->lock);
		frame = shared_map_find(&n->frames, addr);
		if (!frame)
			frame = runtime_names_ask(n, symbolizer_functions(im->symbolizer), addr);
		pthread_mutex_unlock(&n->lock);
	}
	return (struct source_frames){ .items = frame, .n = frame != NULL };
}

struct runtime_names_rows {
	struct line_row *items;
	size_t n, room;
};

static void runtime_names_add_rows(struct runtime_names *n, struct runtime_functions *f,
				   uint64_t start, uint64_t end, struct runtime_names_rows *rows)
{
	struct runtime_found found;

	for (uint64_t at = start, next; at < end; at = next) {
		uint32_t line;

		next = end;
		if (!runtime_functions_find(f, n->kind, at, &found))
			break;
		line = runtime_functions_line(f, n->kind, at, &next);
		*ARRAY_ADD(rows) = (struct line_row){
			.addr = at,
			.file = line && found.file ? intern_text(&n->files, found.file) : NULL,
			.line = line,
			.is_stmt = true,
		};
	}
}

size_t runtime_names_rows(struct image *im, uint64_t start, uint64_t end,
			  const struct line_row **ret)
{
	struct runtime_functions *f = symbolizer_functions(im->symbolizer);
	struct runtime_names *n = im->runtime;
	struct runtime_names_rows rows = { 0 };
	struct line_row *copy = NULL;

	if (!f)
		return 0;
	pthread_mutex_lock(&n->lock);
	runtime_names_add_rows(n, f, start, end, &rows);
	if (rows.n)
		copy = arena_alloc(&n->arena, rows.n * sizeof(copy[0]));
	pthread_mutex_unlock(&n->lock);
	if (copy)
		*ret = memcpy(copy, rows.items, rows.n * sizeof(copy[0]));
	free(rows.items);
	return rows.n;
}

int runtime_names_open(const struct image *im, struct elf_file **ret)
{
	struct runtime_functions *f = symbolizer_functions(im->symbolizer);
	struct bytes image = { 0 };

	if (!f || !runtime_functions_put(f, im->runtime->kind, &image))
		return -ENODATA;
	return elf_file_take_memory(image.data, image.n, ret);
}
