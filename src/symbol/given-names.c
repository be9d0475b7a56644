/* SPDX-License-Identifier: MIT */
#include "symbol/given-names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "elf/build-id.h"
#include "symbol/image.h"

struct given_image {
	struct given_image *next; /* the next one with the same hash */
	char *name;
	struct build_id build_id;
	struct symbol_table symbols;
	bool is_settled;
};

struct given_names {
	struct u64_map images; /* lists of struct given_image by the hash of the name */
	uint64_t seed;
};

struct given_names *given_names_new(void)
{
	struct given_names *g = xcalloc(1, sizeof(*g));

	g->seed = hash_seed();
	return g;
}

static void images_free(void *arg, uint64_t hash, void *first)
{
	struct given_image *im = first, *next;

	(void)arg, (void)hash;
	for (; im; im = next) {
		next = im->next;
		symbol_table_done(&im->symbols);
		free(im->name);
		free(im);
	}
}

void given_names_free(struct given_names *g)
{
	if (!g)
		return;
	u64_map_for_each(&g->images, images_free, NULL);
	u64_map_done(&g->images);
	free(g);
}

static uint64_t given_names_hash_of(const struct given_names *g, const char *name)
{
	return hash_bytes(g->seed, name, strlen(name));
}

static struct given_image *symbol_given_names_find(const struct given_names *g, const char *name,
						   const struct build_id *id)
{
	struct given_image *im = u64_map_find(&g->images, given_names_hash_of(g, name));

	while (im && (strcmp(im->name, name) != 0 || !build_id_equal(&im->build_id, id)))
		im = im->next;
	return im;
}

struct given_image *given_names_image(struct given_names *g, const char *name,
				      const struct build_id *id)
{
	struct given_image *im = symbol_given_names_find(g, name, id);
	uint64_t hash = given_names_hash_of(g, name);

	if (im)
		return im;
	im = xcalloc(1, sizeof(*im));
	im->name = xstrdup(name);
	im->build_id = *id;
	im->next = u64_map_find(&g->images, hash);
	symbol_table_init(&im->symbols, NULL);
	u64_map_put(&g->images, hash, im);
	return im;
}

void given_image_add(struct given_image *im, uint64_t start, uint64_t end, const char *name,
		     bool is_inlined)
{
	const struct symbol s = {
		.start = start, .end = end, .name = name, .binding = 'g', .is_inlined = is_inlined
	};

	symbol_table_add(&im->symbols, s, strlen(name));
}

static void given_names_settle(struct given_image *im, symbol_pretty_fn *pretty)
{
	struct symbol_table *t = &im->symbols;

	t->pretty = pretty;
	for (size_t i = 0; i < t->n; i++)
		t->items[i].is_pretty = !pretty;
	symbol_table_settle(t, SYMBOL_RULES_JIT);
	im->is_settled = true;
}

struct symbol_table *given_names_find(struct given_names *g, const char *name,
				      const struct build_id *id, symbol_pretty_fn *pretty)
{
	struct given_image *im = symbol_given_names_find(g, name, id);

	if (im && !im->is_settled)
		given_names_settle(im, pretty);
	return im ? &im->symbols : NULL;
}
