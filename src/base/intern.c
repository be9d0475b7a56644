/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static uint32_t intern_hash_of(const struct intern *t, const char *s)
{
	return (uint32_t)hash_bytes(t->seed, s, strlen(s));
}

/*
 * Returns the place of @s, or the free place to which it belongs. The table is at most half full.
 */
static size_t intern_place_of(const struct intern *t, const char *s, uint32_t hash)
{
	size_t i = hash & (t->room - 1);

	while (t->texts[i] && (t->hashes[i] != hash || strcmp(t->texts[i], s)))
		i = (i + 1) & (t->room - 1);
	return i;
}

static void intern_grow(struct intern *t)
{
	struct intern bigger = { .arena = t->arena, .n = t->n, .room = t->room ? 2 * t->room : 64 };

	bigger.seed = t->room ? t->seed : hash_seed();
	bigger.texts = xcalloc(bigger.room, sizeof(bigger.texts[0]));
	bigger.hashes = xcalloc(bigger.room, sizeof(bigger.hashes[0]));
	for (size_t i = 0; i < t->room; i++) {
		if (!t->texts[i])
			continue;

		size_t to = intern_place_of(&bigger, t->texts[i], t->hashes[i]);

		bigger.texts[to] = t->texts[i];
		bigger.hashes[to] = t->hashes[i];
	}
	free(t->texts);
	free(t->hashes);
	*t = bigger;
}

const char *intern_text(struct intern *t, const char *s)
{
	if (2 * (t->n + 1) > t->room)
		intern_grow(t);

	uint32_t hash = intern_hash_of(t, s);
	size_t i = intern_place_of(t, s, hash);

	if (!t->texts[i]) {
		t->texts[i] = arena_strndup(&t->arena, s, strlen(s));
		t->hashes[i] = hash;
		t->n++;
	}
	return t->texts[i];
}

const char *intern_find(const struct intern *t, const char *s)
{
	return t->room ? t->texts[intern_place_of(t, s, intern_hash_of(t, s))] : NULL;
}

void intern_done(struct intern *t)
{
	free(t->texts);
	free(t->hashes);
	arena_done(&t->arena);
	*t = (struct intern){ 0 };
}
