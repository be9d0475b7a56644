/* SPDX-License-Identifier: MIT */
#include "profile/export-places.h"

#include <elf.h>

#include "base/build-id.h"
#include "base/memory.h"
#include "profile/export.h"
#include "session/machine.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

#define HOST_ID 1

struct export_image {
	uint64_t id;
	struct u64_map unnamed; /* struct export_symbol, by address + 1 */
};

struct export_symbol {
	uint64_t id;
};

static void image_done(void *arg, uint64_t key, void *value)
{
	struct export_image *im = value;

	(void)arg;
	(void)key;
	u64_map_done(&im->unnamed);
}

void export_places_done(struct export_places *p)
{
	u64_map_for_each(&p->images, image_done, NULL);
	u64_map_done(&p->images);
	u64_map_done(&p->symbols);
	arena_done(&p->arena);
}

static int need_image(struct export_places *p, struct export_rows *rows, struct image *im,
		      struct export_image **ret)
{
	uint64_t key = (uint64_t)(uintptr_t)im;
	char hex[BUILD_ID_TEXT_MAX] = "";

	*ret = u64_map_find(&p->images, key);
	if (*ret)
		return 0;
	*ret = arena_alloc(&p->arena, sizeof(**ret));
	u64_map_put(&p->images, key, *ret);
	if (image_build_id(im)->size)
		build_id_format(image_build_id(im), hex);

	const struct export_value values[] = { { .number = 0 },
					       { .number = HOST_ID },
					       { .text = image_short_name(im) },
					       { .text = image_long_name(im) },
					       { .text = hex } };

	return export_new_row(rows, EXPORT_DSO, values, ARRAY_SIZE(values), &(*ret)->id);
}

static int symbol_row(struct export_rows *rows, uint64_t dso, uint64_t start, uint64_t end,
		      int binding, const char *name, uint64_t *ret_id)
{
	const struct export_value values[] = { { .number = 0 },
					       { .number = (int64_t)dso },
					       { .number = (int64_t)start },
					       { .number = (int64_t)end },
					       { .number = binding },
					       { .text = name } };

	return export_new_row(rows, EXPORT_SYMBOL, values, ARRAY_SIZE(values), ret_id);
}

static struct export_symbol *find_or_add(struct export_places *p, struct u64_map *map, uint64_t key)
{
	struct export_symbol *s = u64_map_find(map, key);

	if (!s) {
		s = arena_alloc(&p->arena, sizeof(*s));
		u64_map_put(map, key, s);
	}
	return s;
}

int export_place_of(struct export_places *p, struct export_rows *rows, const struct location *loc,
		    uint64_t unnamed, struct export_place *ret)
{
	const struct symbol *sym = loc->sym;
	struct export_image *im;
	struct export_symbol *s;
	int r;

	if (!loc->map || !loc->map->image)
		return 0;
	r = need_image(p, rows, loc->map->image, &im);
	if (r)
		return r;
	if (sym) {
		s = find_or_add(p, &p->symbols, (uint64_t)(uintptr_t)sym);
	} else {
		s = u64_map_find(&im->unnamed, loc->image_addr + 1);
		if (!s)
			s = find_or_add(p, &im->unnamed, unnamed + 1);
	}
	if (!s->id)
		r = sym ? symbol_row(rows, im->id, sym->start, sym->end, symbol_elf_binding(sym),
				     sym->name, &s->id)
			: symbol_row(rows, im->id, unnamed, unnamed, STB_LOCAL, "unknown", &s->id);
	ret->dso = im->id;
	ret->symbol = s->id;
	ret->offset = sym ? loc->image_addr - sym->start : 0;
	return r;
}
