/* SPDX-License-Identifier: MIT */
#include "tui/flame-find.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/u64-map.h"

void flame_path_done(struct flame_path *p)
{
	for (size_t i = 0; i < p->names.n; i++)
		free(p->names.items[i]);
	free(p->names.items);
	*p = (struct flame_path){ 0 };
}

uint32_t flame_box_at_depth(const struct flame *f, uint32_t box, uint32_t depth)
{
	while (f->boxes[box].depth > depth)
		box = f->boxes[box].parent;
	return box;
}

void flame_path_take(struct flame_path *p, const struct flame *f, uint32_t box)
{
	const uint32_t depth = f->boxes[box].depth;

	flame_path_done(p);
	for (uint32_t i = 0; i < depth; i++)
		*ARRAY_ADD(&p->names) = NULL;
	for (uint32_t i = depth; i > 0; i--) {
		p->names.items[i - 1] = xstrdup(f->boxes[box].name);
		box = f->boxes[box].parent;
	}
}

static uint32_t tui_flame_find_child_of(const struct flame *f, uint32_t box, const char *name)
{
	for (uint32_t c = box + 1; c < f->boxes[box].end; c = f->boxes[c].end)
		if (!strcmp(f->boxes[c].name, name))
			return c;
	return FLAME_NONE;
}

uint32_t flame_path_find(const struct flame_path *p, const struct flame *f)
{
	uint32_t box = 0;

	for (size_t i = 0; i < p->names.n; i++) {
		const uint32_t next = tui_flame_find_child_of(f, box, p->names.items[i]);

		if (next == FLAME_NONE)
			break;
		box = next;
	}
	return box;
}

uint32_t flame_heaviest_child(const struct flame *f, uint32_t box)
{
	uint32_t best = FLAME_NONE;

	for (uint32_t c = box + 1; c < f->boxes[box].end; c = f->boxes[c].end)
		if (best == FLAME_NONE ||
		    f->boxes[c].value[FLAME_AFTER].total > f->boxes[best].value[FLAME_AFTER].total)
			best = c;
	return best;
}

void flame_matches_done(struct flame_matches *m)
{
	free(m->is_match);
	*m = (struct flame_matches){ 0 };
}

static void tui_flame_find_add_weight(struct flame_matches *m, uint64_t weight)
{
	if (__builtin_add_overflow(m->weight, weight, &m->weight))
		m->weight = UINT64_MAX;
}

/* There are far fewer names than boxes, and each is there once: a name is looked at once. */
static bool tui_flame_find_name_has(struct u64_map *known, const char *name, const char *text)
{
	enum {
		NO = 1,
		YES
	};
	uintptr_t answer = (uintptr_t)u64_map_find(known, (uintptr_t)name);

	if (!answer) {
		answer = strcasestr(name, text) ? YES : NO;
		u64_map_put(known, (uintptr_t)name, (void *)answer);
	}
	return answer == YES;
}

void flame_matches_make(struct flame_matches *m, const struct flame *f, const char *text)
{
	_cleanup_(u64_map_done) struct u64_map known = { 0 };
	uint32_t counted = 0; /* boxes before this one stand on a match */

	flame_matches_done(m);
	if (!text || !*text)
		return;
	m->is_match = xcalloc(f->n, sizeof(*m->is_match));
	for (uint32_t i = 1; i < f->n; i++) {
		if (!tui_flame_find_name_has(&known, f->boxes[i].name, text))
			continue;
		m->is_match[i] = true;
		m->count++;
		if (i < counted)
			continue;
		tui_flame_find_add_weight(m, f->boxes[i].value[FLAME_AFTER].total);
		counted = f->boxes[i].end;
	}
}

uint32_t flame_matches_next(const struct flame_matches *m, const struct flame *f, uint32_t root,
			    uint32_t from, int step)
{
	const uint32_t n = f->boxes[root].end - root;
	uint32_t at = from;

	for (uint32_t i = 0; m->is_match && i < n; i++) {
		if (step > 0)
			at = at + 1 < root + n ? at + 1 : root;
		else
			at = at > root ? at - 1 : root + n - 1;
		if (m->is_match[at])
			return at;
	}
	return FLAME_NONE;
}
