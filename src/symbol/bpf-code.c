/* SPDX-License-Identifier: MIT */
#include "symbol/bpf-code.h"

#include <string.h>

#include "base/hash.h"

/* At most this much of a line is shown, because many lines may refer to one long text. */
#define TEXT_SHOWN 400

static const char *copy_text(struct bpf_codes *l, const char *text)
{
	return text ? arena_strndup(&l->arena, text, strnlen(text, TEXT_SHOWN)) : NULL;
}

static struct line_row *bpf_code_copy_rows(struct bpf_codes *l, const struct line_row *rows,
					   size_t n)
{
	struct line_row *copy = arena_alloc(&l->arena, (n + 1) * sizeof(*copy));

	for (size_t i = 0; i < n; i++) {
		copy[i] = rows[i];
		/* Consecutive lines are mostly of one file. */
		copy[i].file = i && rows[i].file == rows[i - 1].file ? copy[i - 1].file
								     : copy_text(l, rows[i].file);
		copy[i].text = copy_text(l, rows[i].text);
	}
	return copy;
}

static uint64_t bpf_code_key_of(uint64_t addr, const char *name)
{
	uint64_t seed = hash_seed();

	return hash_u64(seed, hash_bytes(seed, name, strlen(name)) ^ addr);
}

void bpf_codes_add(struct bpf_codes *l, const struct bpf_code *c)
{
	struct bpf_code *own = arena_alloc(&l->arena, sizeof(*own));
	uint8_t *bytes = arena_alloc(&l->arena, c->n + 1);

	if (c->n)
		memcpy(bytes, c->bytes, c->n);
	*own = *c;
	own->name = arena_strndup(&l->arena, c->name, strlen(c->name));
	own->bytes = bytes;
	own->rows = bpf_code_copy_rows(l, c->rows, c->n_rows);
	u64_map_put(&l->by_key, bpf_code_key_of(c->addr, c->name), own);
}

/* Another program may have been at the address before; its name has another tag. */
const struct bpf_code *bpf_codes_find(const struct bpf_codes *l, uint64_t addr, const char *name)
{
	const struct bpf_code *c = u64_map_find(&l->by_key, bpf_code_key_of(addr, name));

	return c && c->addr == addr && !strcmp(c->name, name) ? c : NULL;
}

void bpf_codes_done(struct bpf_codes *l)
{
	u64_map_done(&l->by_key);
	arena_done(&l->arena);
}
