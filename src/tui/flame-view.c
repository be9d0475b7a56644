/* SPDX-License-Identifier: MIT */
#include "tui/flame-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/u64-map.h"

void flame_view_done(struct flame_view *v)
{
	flame_free(v->flame);
	flame_bars_done(&v->bars);
	flame_matches_done(&v->matches);
	free(v->zooms.items);
	free(v->searched);
	*v = (struct flame_view){ 0 };
}

static void flame_lay_out(struct flame_view *v)
{
	if (v->flame)
		flame_bars_make(&v->bars, v->flame, v->root, v->bars.width);
}

/* Scrolls so that the selected box is visible. */
static void flame_follow(struct flame_view *v)
{
	size_t row = 0;

	if (!flame_bars_find(&v->bars, v->selected, &row))
		return;
	if (row < v->top)
		v->top = row;
	if (v->height && row >= v->top + v->height)
		v->top = row - v->height + 1;
}

static void settle_top(struct flame_view *v)
{
	const size_t most = v->bars.n_rows > v->height ? v->bars.n_rows - v->height : 0;

	if (v->top > most)
		v->top = most;
}

void flame_view_fit(struct flame_view *v, int width, size_t height)
{
	const bool is_new = v->bars.width != width || v->height != height;

	if (v->bars.width != width) {
		v->bars.width = width;
		flame_lay_out(v);
	}
	v->height = height;
	settle_top(v);
	if (is_new)
		flame_follow(v);
}

static void flame_replace(struct flame_view *v, struct flame *f)
{
	flame_free(v->flame);
	v->flame = f;
	flame_lay_out(v);
	flame_matches_make(&v->matches, f, v->searched);
}

static bool stands_on(const struct flame *f, uint32_t box, uint32_t root)
{
	return box >= root && box < f->boxes[root].end;
}

void flame_view_take(struct flame_view *v, struct flame *f)
{
	_cleanup_(flame_path_done) struct flame_path root = { 0 }, selected = { 0 };

	if (!v->flame) {
		flame_replace(v, f);
		return;
	}
	flame_path_take(&root, v->flame, v->root);
	flame_path_take(&selected, v->flame, v->selected);
	v->root = flame_path_find(&root, f);
	v->selected = flame_path_find(&selected, f);
	if (!stands_on(f, v->selected, v->root))
		v->selected = v->root;
	/* The new root replaces a root that no longer exists, so deeper zooms are dropped. */
	while (v->zooms.n && v->zooms.items[v->zooms.n - 1] >= f->boxes[v->root].depth)
		v->zooms.n--;
	flame_replace(v, f);
}

void flame_view_reset(struct flame_view *v, struct flame *f)
{
	v->root = v->selected = 0;
	v->zooms.n = 0;
	v->top = 0;
	flame_replace(v, f);
}

void flame_view_select(struct flame_view *v, uint32_t box)
{
	v->selected = box;
	flame_follow(v);
}

bool flame_view_down(struct flame_view *v)
{
	const uint32_t child = v->flame ? flame_heaviest_child(v->flame, v->selected) : FLAME_NONE;

	if (child == FLAME_NONE)
		return false;
	flame_view_select(v, child);
	return true;
}

bool flame_view_up(struct flame_view *v)
{
	if (!v->flame || v->selected == v->root)
		return false;
	flame_view_select(v, v->flame->boxes[v->selected].parent);
	return true;
}

bool flame_view_beside(struct flame_view *v, int step)
{
	size_t row = 0;
	const struct flame_bar *bar;

	if (!v->flame)
		return false;
	bar = flame_bars_find(&v->bars, v->selected, &row);
	bar = bar ? flame_bars_beside(&v->bars, row, bar, step) : NULL;
	if (!bar)
		return false;
	flame_view_select(v, bar->box);
	return true;
}

void flame_view_scroll(struct flame_view *v, int rows)
{
	if (rows < 0)
		v->top = v->top > (size_t)-rows ? v->top - (size_t)-rows : 0;
	else
		v->top += (size_t)rows;
	settle_top(v);
}

static void set_root(struct flame_view *v, uint32_t root)
{
	v->root = root;
	v->top = 0;
	flame_lay_out(v);
	flame_follow(v);
}

bool flame_view_zoom_in(struct flame_view *v)
{
	if (!v->flame || v->selected == v->root)
		return false;
	*ARRAY_ADD(&v->zooms) = v->flame->boxes[v->root].depth;
	set_root(v, v->selected);
	return true;
}

bool flame_view_zoom_out(struct flame_view *v)
{
	if (!v->flame || !v->root)
		return false;
	v->selected = v->root;
	set_root(v, flame_box_at_depth(v->flame, v->root,
				       v->zooms.n ? v->zooms.items[--v->zooms.n] : 0));
	return true;
}

void flame_view_search(struct flame_view *v, const char *text)
{
	char *copy = text && *text ? xstrdup(text) : NULL;

	free(v->searched);
	v->searched = copy;
	if (v->flame)
		flame_matches_make(&v->matches, v->flame, copy);
}

static bool flame_is_shown(const struct flame_view *v, uint32_t box)
{
	size_t row = 0;
	const struct flame_bar *bar = flame_bars_find(&v->bars, box, &row);

	return bar && bar->box == box;
}

/* Prefers matches that have a bar of their own. */
bool flame_view_next_match(struct flame_view *v, int step)
{
	uint32_t first, box;

	if (!v->flame)
		return false;
	first = box = flame_matches_next(&v->matches, v->flame, v->root, v->selected, step);
	while (box != FLAME_NONE && !flame_is_shown(v, box)) {
		box = flame_matches_next(&v->matches, v->flame, v->root, box, step);
		if (box == first)
			break;
	}
	if (box == FLAME_NONE)
		return false;
	flame_view_select(v, box);
	return true;
}

bool flame_view_heaviest_match(struct flame_view *v)
{
	uint32_t best = FLAME_NONE;

	for (uint32_t i = v->root; v->matches.is_match && i < v->flame->boxes[v->root].end; i++)
		if (v->matches.is_match[i] &&
		    (best == FLAME_NONE || v->flame->boxes[i].value[FLAME_AFTER].total >
						   v->flame->boxes[best].value[FLAME_AFTER].total))
			best = i;
	if (best == FLAME_NONE)
		return false;
	flame_view_select(v, best);
	return true;
}

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

/*
 * True if @name contains @text. There are far fewer names than boxes, and each exists once, so each
 * name is checked only once.
 */
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
	uint32_t counted = 0; /* boxes before this one are above a match */

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
