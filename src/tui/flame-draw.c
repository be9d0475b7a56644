/* SPDX-License-Identifier: MIT */
#include "tui/flame-draw.h"

#include <inttypes.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"
#include "profile/flame-excerpt.h"
#include "session/session.h"
#include "tui/browse.h"
#include "tui/flame-view.h"

#define HEAD_LINES 3 /* the title, the name, the shares */
#define FEW_CELLS  4 /* a wider bar can show that its name was cut */

static const struct flame_box *tui_flame_draw_root_of(const struct flame_view *v)
{
	return &v->flame->boxes[v->root];
}

static double tui_flame_draw_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void tui_flame_draw_add_number(struct text *t, uint64_t n)
{
	char room[32], *end = digits_grouped(room, n);

	text_add_bytes(t, room, (size_t)(end - room));
}

static void tui_flame_draw_add_samples(struct text *t, uint64_t n)
{
	tui_flame_draw_add_number(t, n);
	text_add(t, n == 1 ? " sample" : " samples");
}

static void title_text(const struct flame_drawing *d, struct text *t)
{
	const struct browse_snapshot *s = d->snapshot;

	text_add(t, d->callers ? "Flame bars, callers: " : "Flame bars: ");
	tui_flame_draw_add_samples(t, d->view->flame->boxes[0].value[FLAME_BEFORE].total);
	if (d->event < session_event_count(s->profile->session))
		text_addf(t, " of event '%s'", session_event(s->profile->session, d->event)->name);
	if (d->part->name)
		text_addf(t, " in %s", d->part->name);
	if (d->part->object)
		text_addf(t, " of %s", d->part->object);
	if (s->request && s->request->profile.filter.time.text)
		text_addf(t, ", time %s", s->request->profile.filter.time.text);
	if (!s->is_complete && !s->is_live && s->total)
		text_addf(t, "  (%.0f%% read)", tui_flame_draw_percent(s->done, s->total));
	if (s->is_frozen)
		text_add(t, "  (frozen)");
}

static void name_text(const struct flame_view *v, struct text *t)
{
	static const char *const kinds[N_FLAME_KINDS] = {
		[FLAME_ALL] = "everything", [FLAME_TASK] = "task",
		[FLAME_USER] = "user",      [FLAME_KERNEL] = "kernel",
		[FLAME_JIT] = "JIT",        [FLAME_INLINED] = "inlined",
		[FLAME_UNKNOWN] = "?",      [FLAME_WAIT] = "wait",
		[FLAME_WAKER] = "waker",    [FLAME_PYTHON] = "Python",
		[FLAME_JAVA] = "Java",      [FLAME_JAVASCRIPT] = "JavaScript",
		[FLAME_RUBY] = "Ruby",      [FLAME_PHP] = "PHP",
	};
	const struct flame_box *b = &v->flame->boxes[v->selected];

	text_add(t, b->name);
	if (*b->object)
		text_addf(t, "  [%s]", b->object);
	text_addf(t, "  (%s)", kinds[b->kind]);
}

static void share_text(const struct flame_view *v, struct text *t)
{
	const struct flame_box *b = &v->flame->boxes[v->selected], *all = &v->flame->boxes[0];
	const uint64_t total = b->value[FLAME_AFTER].total;

	tui_flame_draw_add_samples(t, b->value[FLAME_BEFORE].total);
	text_addf(t, ", %.2f%% of all",
		  tui_flame_draw_percent(total, all->value[FLAME_AFTER].total));
	if (v->root)
		text_addf(t, ", %.2f%% of %s",
			  tui_flame_draw_percent(
				  total, tui_flame_draw_root_of(v)->value[FLAME_AFTER].total),
			  tui_flame_draw_root_of(v)->name);
	text_addf(
		t, ", %.2f%% itself",
		tui_flame_draw_percent(b->value[FLAME_AFTER].self, all->value[FLAME_AFTER].total));
}

static void tui_flame_draw_match_text(const struct flame_view *v, struct text *t)
{
	if (!v->searched)
		return;
	text_addf(t, "'%s' matches %.2f%% in ", v->searched,
		  tui_flame_draw_percent(v->matches.weight,
					 v->flame->boxes[0].value[FLAME_AFTER].total));
	tui_flame_draw_add_number(t, v->matches.count);
	text_add(t, v->matches.count == 1 ? " bar" : " bars");
}

/* Appends the path of the zoom, "all > main > ". The last names have to be visible. */
static void way_text(const struct flame_view *v, struct text *t)
{
	for (uint32_t depth = 0; depth < tui_flame_draw_root_of(v)->depth; depth++)
		text_addf(t, "%s > ",
			  v->flame->boxes[flame_box_at_depth(v->flame, v->root, depth)].name);
}

static void put_line(struct screen *s, struct area a, int y, enum style style, const char *text)
{
	screen_clear(s, (struct area){ a.y + y, a.x, 1, a.width }, style);
	screen_put(s, a, y, 0, style, text, -1);
}

static void tui_flame_draw_head(const struct flame_drawing *d, struct screen *s, struct area a)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int x;

	title_text(d, &t);
	put_line(s, a, 0, STYLE_ROOT, t.chars);
	text_clear(&t);
	name_text(d->view, &t);
	put_line(s, a, 1, STYLE_NORMAL, t.chars);
	text_clear(&t);
	share_text(d->view, &t);
	x = screen_put(s, a, 2, 0, STYLE_NORMAL, t.chars, -1);
	text_clear(&t);
	tui_flame_draw_match_text(d->view, &t);
	screen_put(s, a, 2, x + 2, STYLE_MATCH, t.chars, -1);
}

static void draw_way(const struct flame_drawing *d, struct screen *s, struct area a, int y)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int width;

	way_text(d->view, &t);
	width = screen_text_width(s, t.chars, -1);
	screen_put(s, a, y, width > a.width ? a.width - width : 0, STYLE_DIM, t.chars, -1);
}

static enum style tui_flame_draw_style_of(const struct flame_view *v, const struct flame_bar *bar,
					  bool is_chosen)
{
	const struct flame_box *b = &v->flame->boxes[bar->box];

	if (is_chosen)
		return STYLE_SELECTED;
	if (v->matches.is_match && v->matches.is_match[bar->box])
		return STYLE_MATCH;
	if (bar->n_merged)
		return STYLE_DIM;
	return (enum style)(STYLE_FLAME + (int)b->kind);
}

/* Draws a bar. Without colours, a line at its left edge separates it from the previous one. */
static void draw_bar(const struct flame_view *v, struct screen *s, struct area row,
		     const struct flame_bar *bar, bool is_chosen)
{
	const struct area a = { row.y, row.x + bar->x, 1, bar->width };
	const enum style style = tui_flame_draw_style_of(v, bar, is_chosen);
	const char *name = v->flame->boxes[bar->box].name;

	screen_clear(s, a, style);
	if (bar->n_merged) {
		screen_put(s, a, 0, 0, style, screen_glyph(s, GLYPH_ELLIPSIS), -1);
		return;
	}
	screen_put(s, a, 0, 0, style, screen_glyph(s, GLYPH_VERTICAL), -1);
	screen_put(s, a, 0, 1, style, name, -1);
	if (bar->width >= FEW_CELLS && screen_text_width(s, name, -1) > bar->width - 1)
		screen_put(s, a, 0, bar->width - 1, style, screen_glyph(s, GLYPH_ELLIPSIS), -1);
}

static void tui_flame_draw_row(const struct flame_view *v, struct screen *s, struct area a,
			       size_t row)
{
	const struct area line = { a.y + (int)(row - v->top), a.x, 1, a.width };
	const size_t end = v->bars.starts.items[row + 1];
	size_t selected_row = SIZE_MAX;
	const struct flame_bar *chosen = flame_bars_find(&v->bars, v->selected, &selected_row);

	for (size_t i = v->bars.starts.items[row]; i < end; i++)
		draw_bar(v, s, line, &v->bars.bars.items[i], &v->bars.bars.items[i] == chosen);
}

/* Shows at the right edge that there are further rows. */
static void draw_more(const struct flame_view *v, struct screen *s, struct area a)
{
	if (v->top)
		screen_put(s, a, 0, a.width - 1, STYLE_FRAME, screen_glyph(s, GLYPH_UP), -1);
	if (v->top + v->height < v->bars.n_rows)
		screen_put(s, a, a.height - 1, a.width - 1, STYLE_FRAME,
			   screen_glyph(s, GLYPH_DOWN), -1);
}

static void say_empty(const struct flame_drawing *d, struct screen *s, struct area a)
{
	screen_put(s, a, 0, 0, STYLE_ROOT, "Flame bars", -1);
	screen_put(s, a, 2, 2, STYLE_NORMAL,
		   !d->snapshot || (!d->snapshot->is_complete && !d->snapshot->is_live)
			   ? "There are no samples yet."
			   : "There are no samples.",
		   -1);
}

struct area flame_draw(const struct flame_drawing *d, struct screen *s, struct area a)
{
	struct flame_view *v = d->view;
	struct area bars = a;
	int head = HEAD_LINES;

	if (!d->snapshot || !v->flame || !v->flame->boxes[0].value[FLAME_AFTER].total) {
		say_empty(d, s, a);
		return (struct area){ a.y, a.x, 0, a.width };
	}
	tui_flame_draw_head(d, s, a);
	if (v->root)
		draw_way(d, s, a, head++);
	bars.y += head;
	bars.height = a.height > head ? a.height - head : 0;
	flame_view_fit(v, bars.width, (size_t)bars.height);
	for (size_t row = v->top; row < v->bars.n_rows && row < v->top + v->height; row++)
		tui_flame_draw_row(v, s, bars, row);
	draw_more(v, s, bars);
	return bars;
}
