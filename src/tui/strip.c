/* SPDX-License-Identifier: MIT */
#include "tui/strip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/time-strip.h"

#define NS_PER_S    1000000000u
#define NS_PER_US   1000u
#define EIGHTHS     8
#define LEAST_LINES 12 /* the minimum screen height, with a strip of one line */
#define MORE_LINES  20 /* and with a strip of two lines */

const char strip_without_times[] =
	"The samples have no times: 'perf record -T' (--timestamp) records them";

/* The visible range: the view, or everything. */
struct tui_strip_span {
	uint64_t from, to; /* @to is not included, unless it is UINT64_MAX */
};

static struct tui_strip_span strip_whole_of(const struct time_strip *t)
{
	return (struct tui_strip_span){ t->first, t->last == UINT64_MAX ? t->last : t->last + 1 };
}

static struct tui_strip_span strip_view_of(const struct strip *s, const struct time_strip *t)
{
	return s->view_to ? (struct tui_strip_span){ s->view_from, s->view_to } : strip_whole_of(t);
}

static uint64_t strip_time_of(struct tui_strip_span v, int x, int width)
{
	__extension__ unsigned __int128 wide = (unsigned __int128)(v.to - v.from) * (unsigned)x;

	return v.from + (uint64_t)(wide / (unsigned)width);
}

static int column_of(struct tui_strip_span v, uint64_t time, int width)
{
	__extension__ unsigned __int128 wide = time - v.from;

	if (time < v.from)
		return -1;
	if (time >= v.to)
		return width;
	return (int)(wide * (unsigned)width / (v.to - v.from));
}

/* Returns the share of [@a0, @a1) that lies in [@b0, @b1). */
static double strip_part_of(double a0, double a1, double b0, double b1)
{
	const double from = a0 > b0 ? a0 : b0, to = a1 < b1 ? a1 : b1;

	return to > from ? (to - from) / (a1 - a0) : 0;
}

static double strip_distance(uint64_t from, uint64_t to)
{
	return to < from ? -(double)(from - to) : (double)(to - from);
}

void strip_columns(const struct time_strip *t, uint64_t from, uint64_t to, double *ret, int n)
{
	const double width = (double)(to - from) / n;

	for (int x = 0; x < n; x++)
		ret[x] = 0;
	if (!t->width || to <= from)
		return;
	for (uint64_t i = 0; i < TIME_STRIP_BINS; i++) {
		/*
		 * Relative to the view, because a double does not have enough digits for times
		 * since boot.
		 */
		const double start = strip_distance(from, t->start + i * t->width);
		const double end = start + (double)t->width;
		int x = start > 0 ? (int)(start / width) : 0;

		if (!t->bins[i])
			continue;
		for (; x < n && x * width < end; x++)
			ret[x] += (double)t->bins[i] *
				  strip_part_of(start, end, x * width, (x + 1) * width);
	}
}

int strip_height(int height)
{
	return height < LEAST_LINES ? 0 : height < MORE_LINES ? 1 : 2;
}

static struct tui_strip_span strip_selection_of(const struct strip *s)
{
	if (!s->is_marking)
		return (struct tui_strip_span){ s->from, s->to };
	return s->mark < s->cursor ? (struct tui_strip_span){ s->mark, s->cursor }
				   : (struct tui_strip_span){ s->cursor, s->mark };
}

static enum style strip_style_of(const struct strip *s, struct tui_strip_span v, int x, int width)
{
	const struct tui_strip_span sel = strip_selection_of(s);

	if (s->has_keys && x == column_of(v, s->cursor, width))
		return STYLE_SELECTED;
	if ((s->is_selected || s->is_marking) && x >= column_of(v, sel.from, width) &&
	    x <= column_of(v, sel.to, width))
		return STYLE_CHOSEN;
	return s->has_keys ? STYLE_NORMAL : STYLE_DIM;
}

static double most_of(const double *columns, int n)
{
	double most = 0;

	for (int x = 0; x < n; x++)
		if (columns[x] > most)
			most = columns[x];
	return most;
}

static void draw_bars(struct strip *s, struct screen *screen, struct area a,
		      const struct time_strip *t)
{
	const struct tui_strip_span v = strip_view_of(s, t);
	_cleanup_(freep) double *columns = xcalloc((size_t)a.width, sizeof(*columns));
	double most;

	strip_columns(t, v.from, v.to, columns, a.width);
	most = most_of(columns, a.width);
	for (int x = 0; x < a.width; x++) {
		int eighths = most > 0 ? (int)(columns[x] / most * EIGHTHS + 0.999) : 0;
		const char *bar = " ";

		if (eighths > EIGHTHS)
			eighths = EIGHTHS;
		if (eighths > 0)
			bar = screen_glyph(screen, (enum glyph)(GLYPH_BAR_1 + eighths - 1));
		screen_put(screen, a, 0, x, strip_style_of(s, v, x, a.width), bar, -1);
	}
}

static void time_text(char *ret, size_t size, uint64_t ns)
{
	snprintf(ret, size, "%" PRIu64 ".%06" PRIu64, ns / NS_PER_S, ns % NS_PER_S / NS_PER_US);
}

static uint64_t clamped_time(const struct time_strip *t, uint64_t time)
{
	return time < t->first ? t->first : time > t->last ? t->last : time;
}

/* Formats "1.5 to 2.5 (1 s, about 120 samples)", or the position of the cursor. */
static void middle_text(const struct strip *s, const struct time_strip *t, char *ret, size_t size)
{
	const struct tui_strip_span asked = strip_selection_of(s);
	const struct tui_strip_span sel = { clamped_time(t, asked.from),
					    clamped_time(t, asked.to) };
	char from[32], to[32];

	*ret = '\0';
	if (s->is_selected || s->is_marking) {
		time_text(from, sizeof(from), sel.from);
		time_text(to, sizeof(to), sel.to);
		snprintf(ret, size, "%s to %s (%.6g s, about %" PRIu64 " samples)%s", from, to,
			 (double)(sel.to - sel.from) / NS_PER_S,
			 time_strip_weight(t, sel.from, sel.to), s->is_marking ? " ..." : "");
	} else if (s->has_keys) {
		time_text(from, sizeof(from), s->cursor);
		snprintf(ret, size, "%s  SPACE marks, ENTER applies, ESC leaves", from);
	}
}

static void draw_times(struct strip *s, struct screen *screen, struct area a,
		       const struct time_strip *t)
{
	const struct tui_strip_span v = strip_view_of(s, t);
	char text[160];
	int left, right, width;

	time_text(text, sizeof(text), v.from);
	left = screen_put(screen, a, 1, 0, STYLE_DIM, text, -1);
	time_text(text, sizeof(text), v.to);
	right = a.width - screen_text_width(screen, text, -1);
	screen_put(screen, a, 1, right, STYLE_DIM, text, -1);
	middle_text(s, t, text, sizeof(text));
	width = screen_text_width(screen, text, -1);
	if (left + 2 + width + 2 <= right)
		screen_put(screen, a, 1, left + (right - left - width) / 2, STYLE_NORMAL, text, -1);
	else
		screen_put(screen, (struct area){ a.y, a.x, a.height, right - 1 }, 1, left + 1,
			   STYLE_NORMAL, text, -1);
}

void strip_draw(struct strip *s, struct screen *screen, struct area a, const struct time_strip *t)
{
	s->area = a;
	if (a.height < 1 || a.width < 1)
		return;
	screen_clear(screen, a, STYLE_NORMAL);
	if (!t || !t->width)
		return;
	draw_bars(s, screen, a, t);
	if (a.height > 1)
		draw_times(s, screen, a, t);
}

static int strip_width_of(const struct strip *s)
{
	return s->area.width > 0 ? s->area.width : 1;
}

/* Moves the view so that it contains the cursor. */
static void strip_follow(struct strip *s, const struct time_strip *t)
{
	const struct tui_strip_span all = strip_whole_of(t);
	uint64_t size = s->view_to - s->view_from;

	if (!s->view_to)
		return;
	if (size >= all.to - all.from) {
		s->view_from = s->view_to = 0;
		return;
	}
	if (s->cursor < s->view_from)
		s->view_from = s->cursor;
	else if (s->cursor >= s->view_to)
		s->view_from = s->cursor - size + 1;
	if (s->view_from > all.to - size)
		s->view_from = all.to - size;
	if (s->view_from < all.from)
		s->view_from = all.from;
	s->view_to = s->view_from + size;
}

static void strip_move(struct strip *s, const struct time_strip *t, int columns)
{
	const struct tui_strip_span v = strip_view_of(s, t);
	const uint64_t step = (v.to - v.from) / (unsigned)strip_width_of(s);
	const uint64_t by = (step ? step : 1) * (unsigned)abs(columns);

	if (columns < 0)
		s->cursor = s->cursor - t->first < by ? t->first : s->cursor - by;
	else
		s->cursor = t->last - s->cursor < by ? t->last : s->cursor + by;
	strip_follow(s, t);
}

/* Halves or doubles the visible range. The cursor keeps its column. */
static void strip_zoom(struct strip *s, const struct time_strip *t, bool in)
{
	const struct tui_strip_span all = strip_whole_of(t), v = strip_view_of(s, t);
	const uint64_t old = v.to - v.from, size = in ? old / 2 : old * 2;
	uint64_t left;

	if (in && size < (unsigned)strip_width_of(s))
		return;
	if (!in && (old > UINT64_MAX / 2 || size >= all.to - all.from)) {
		s->view_from = s->view_to = 0;
		return;
	}
	left = in ? (s->cursor - v.from) / 2 : (s->cursor - v.from) * 2;
	s->view_from = s->cursor < left ? 0 : s->cursor - left;
	s->view_to = s->view_from + size;
	strip_follow(s, t);
}

static enum strip_next select_span(struct strip *s, struct tui_strip_span sel)
{
	s->is_marking = false;
	s->is_selected = true;
	s->from = sel.from;
	s->to = sel.to;
	return STRIP_SELECTED;
}

/*
 * Applies the selection. The column of the cursor alone is a selection too. The keys return to the
 * panel.
 */
static enum strip_next strip_apply(struct strip *s, const struct time_strip *t)
{
	const struct tui_strip_span v = strip_view_of(s, t);
	const int x = column_of(v, s->cursor, strip_width_of(s));

	s->has_keys = false;
	if (s->is_marking)
		return select_span(s, strip_selection_of(s));
	if (s->is_selected)
		return STRIP_SELECTED;
	return select_span(s,
			   (struct tui_strip_span){ strip_time_of(v, x, strip_width_of(s)),
						    strip_time_of(v, x + 1, strip_width_of(s)) });
}

static enum strip_next strip_give_up(struct strip *s)
{
	if (s->is_marking) {
		s->is_marking = false;
		return STRIP_STAY;
	}
	if (s->is_selected) {
		s->is_selected = false;
		return STRIP_SELECTED;
	}
	s->has_keys = false;
	return STRIP_LEAVE;
}

static void strip_mark(struct strip *s)
{
	if (!s->is_marking) {
		s->is_marking = true;
		s->mark = s->cursor;
		return;
	}
	select_span(s, strip_selection_of(s));
}

static bool strip_is_inside(struct area a, int y, int x)
{
	return y >= a.y && y < a.y + a.height && x >= a.x && x < a.x + a.width;
}

static int strip_clamped(int x, int most)
{
	return x < 0 ? 0 : x > most ? most : x;
}

static enum strip_next strip_drag(struct strip *s, const struct time_strip *t, int from, int to)
{
	const struct tui_strip_span v = strip_view_of(s, t);
	const int width = strip_width_of(s);
	const int a = strip_clamped(from < to ? from : to, width - 1);
	const int b = strip_clamped(from < to ? to : from, width - 1);

	s->cursor = strip_time_of(v, strip_clamped(to, width - 1), width);
	return select_span(s, (struct tui_strip_span){ strip_time_of(v, a, width),
						       strip_time_of(v, b + 1, width) });
}

static enum strip_next strip_mouse(struct strip *s, const struct time_strip *t,
				   const struct screen_input *in)
{
	const int x = in->x - s->area.x;

	if (in->mouse == MOUSE_DRAG && strip_is_inside(s->area, in->y0, in->x0))
		return strip_drag(s, t, in->x0 - s->area.x, x);
	if (!strip_is_inside(s->area, in->y, in->x))
		return STRIP_PASS;
	if (in->mouse == MOUSE_DOUBLE_CLICK)
		return strip_drag(s, t, x, x);
	if (in->mouse == MOUSE_WHEEL_UP || in->mouse == MOUSE_WHEEL_DOWN) {
		s->cursor = clamped_time(t,
					 strip_time_of(strip_view_of(s, t), x, strip_width_of(s)));
		strip_zoom(s, t, in->mouse == MOUSE_WHEEL_UP);
		return STRIP_STAY;
	}
	s->has_keys = true;
	s->cursor = clamped_time(t, strip_time_of(strip_view_of(s, t), x, strip_width_of(s)));
	return STRIP_STAY;
}

static bool move_by_key(struct strip *s, const struct time_strip *t, int key)
{
	switch (key) {
	case SCREEN_KEY_LEFT:
		strip_move(s, t, -1);
		return true;
	case SCREEN_KEY_RIGHT:
		strip_move(s, t, 1);
		return true;
	case SCREEN_KEY_SHIFT_LEFT:
	case SCREEN_KEY_SHIFT_RIGHT:
		if (!s->is_marking)
			strip_mark(s);
		strip_move(s, t, key == SCREEN_KEY_SHIFT_LEFT ? -1 : 1);
		return true;
	case SCREEN_KEY_PAGE_UP:
		strip_move(s, t, -strip_width_of(s) / 8);
		return true;
	case SCREEN_KEY_PAGE_DOWN:
		strip_move(s, t, strip_width_of(s) / 8);
		return true;
	case SCREEN_KEY_HOME:
		s->cursor = t->first;
		strip_follow(s, t);
		return true;
	case SCREEN_KEY_END:
		s->cursor = t->last;
		strip_follow(s, t);
		return true;
	case '+':
	case '=':
	case '-':
		strip_zoom(s, t, key != '-');
		return true;
	case ' ':
		strip_mark(s);
		return true;
	default:
		return false;
	}
}

enum strip_next strip_input(struct strip *s, const struct time_strip *t,
			    const struct screen_input *in)
{
	if (!t || !t->width)
		return STRIP_PASS;
	if (in->key == SCREEN_KEY_MOUSE)
		return strip_mouse(s, t, in);
	if (!s->has_keys)
		return STRIP_PASS;
	/* A newer snapshot may have other times. */
	s->cursor = clamped_time(t, s->cursor);
	if (move_by_key(s, t, in->key))
		return STRIP_STAY;
	switch (in->key) {
	case SCREEN_KEY_ENTER:
		return strip_apply(s, t);
	case SCREEN_KEY_ESCAPE:
		return strip_give_up(s);
	case SCREEN_KEY_UP:
	case SCREEN_KEY_DOWN:
	case SCREEN_KEY_TAB:
	case 'T':
	case 'q':
		s->has_keys = s->is_marking = false;
		return STRIP_LEAVE;
	default:
		return STRIP_PASS;
	}
}

void strip_enter(struct strip *s, const struct time_strip *t)
{
	s->has_keys = true;
	if (s->cursor < t->first || s->cursor > t->last)
		s->cursor = s->is_selected && s->from >= t->first && s->from <= t->last ? s->from
											: t->first;
}

void strip_take_window(struct strip *s, const struct time_window *w)
{
	s->is_selected = w->n == 1 && !w->relative;
	if (!s->is_selected)
		return;
	s->from = w->items[0].from_ns;
	s->to = w->items[0].to_ns;
}

struct time_window strip_window(struct strip *s)
{
	char from[24], to[24];

	if (!s->is_selected)
		return (struct time_window){ 0 };
	s->range = (struct time_range){ .from_ns = s->from, .to_ns = s->to };
	time_text(from, sizeof(from), s->from);
	time_text(to, sizeof(to), s->to);
	snprintf(s->text, sizeof(s->text), "%s,%s", from, to);
	return (struct time_window){ .items = &s->range, .n = 1, .text = s->text };
}
