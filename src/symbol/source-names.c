/* SPDX-License-Identifier: MIT */
#include "symbol/source-names.h"

#include "base/cleanup.h"

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
