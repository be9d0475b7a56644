/* SPDX-License-Identifier: MIT */
#include "tui/list.h"

#define WHEEL_ROWS     3
#define SCROLL_COLUMNS 8

static size_t page_rows(const struct list *l)
{
	return l->area.height > 1 ? (size_t)l->area.height : 1;
}

void list_settle(struct list *l, size_t n, struct area area)
{
	size_t rows;

	l->n = n;
	l->area = area;
	rows = page_rows(l);
	if (l->cursor >= n)
		l->cursor = n ? n - 1 : 0;
	if (l->top > l->cursor)
		l->top = l->cursor;
	if (l->cursor - l->top >= rows)
		l->top = l->cursor - rows + 1;
	/* There must be no blank rows at the end while there are others above. */
	if (n <= rows)
		l->top = 0;
	else if (l->top > n - rows)
		l->top = n - rows;
}

static void list_move_to(struct list *l, size_t row)
{
	l->cursor = row;
	list_settle(l, l->n, l->area);
}

static void move_up(struct list *l, size_t rows)
{
	list_move_to(l, l->cursor > rows ? l->cursor - rows : 0);
}

static void move_down(struct list *l, size_t rows)
{
	list_move_to(l, l->n - l->cursor > rows ? l->cursor + rows : l->n);
}

/* Turns a page: the visible range moves with the cursor. list_settle() keeps both in the list. */
static void list_page_up(struct list *l)
{
	size_t rows = page_rows(l);

	l->top = l->top > rows ? l->top - rows : 0;
	move_up(l, rows);
}

static void list_page_down(struct list *l)
{
	size_t rows = page_rows(l);

	if (l->n - l->top > rows)
		l->top += rows;
	move_down(l, rows);
}

static bool area_contains(struct area a, int y, int x)
{
	return y >= a.y && y < a.y + a.height && x >= a.x && x < a.x + a.width;
}

/*
 * Takes a click. In the column of the scroll bar, it goes to the corresponding place in the list.
 */
static void take_click(struct list *l, const struct screen_input *in)
{
	size_t y = (size_t)(in->y - l->area.y), rows = page_rows(l);

	if (l->n > rows && in->x == l->area.x + l->area.width - 1)
		list_move_to(l, rows > 1 ? y * (l->n - 1) / (rows - 1) : 0);
	else if (l->top + y < l->n)
		list_move_to(l, l->top + y);
}

static bool list_take_mouse(struct list *l, const struct screen_input *in)
{
	if (in->mouse == MOUSE_WHEEL_UP)
		move_up(l, WHEEL_ROWS);
	else if (in->mouse == MOUSE_WHEEL_DOWN)
		move_down(l, WHEEL_ROWS);
	else if (in->mouse == MOUSE_CLICK && area_contains(l->area, in->y, in->x))
		take_click(l, in);
	else
		return false;
	return true;
}

static bool list_scroll(struct list *l, int key)
{
	if (!l->free_scroll)
		return false;
	if (key == SCREEN_KEY_LEFT)
		l->left = l->left > SCROLL_COLUMNS ? l->left - SCROLL_COLUMNS : 0;
	else
		l->left += SCROLL_COLUMNS;
	return true;
}

bool list_input(struct list *l, const struct screen_input *in)
{
	switch (in->key) {
	case SCREEN_KEY_UP:
		move_up(l, 1);
		return true;
	case SCREEN_KEY_DOWN:
		move_down(l, 1);
		return true;
	case SCREEN_KEY_PAGE_UP:
		list_page_up(l);
		return true;
	case SCREEN_KEY_PAGE_DOWN:
	case ' ':
		list_page_down(l);
		return true;
	case SCREEN_KEY_HOME:
		list_move_to(l, 0);
		return true;
	case SCREEN_KEY_END:
		list_move_to(l, l->n);
		return true;
	case SCREEN_KEY_LEFT:
	case SCREEN_KEY_RIGHT:
		return list_scroll(l, in->key);
	case SCREEN_KEY_MOUSE:
		return list_take_mouse(l, in);
	default:
		return false;
	}
}

static void draw_scroll_bar(const struct list *l, struct screen *s)
{
	int rows = l->area.height;
	int thumb = rows > 1 ? (int)(l->cursor * (size_t)(rows - 1) / (l->n - 1)) : 0;

	for (int y = 0; y < rows; y++)
		screen_put(s, l->area, y, l->area.width - 1, STYLE_FRAME,
			   screen_glyph(s, y == thumb ? GLYPH_THUMB : GLYPH_TRACK), -1);
}

void list_draw(struct list *l, struct screen *s,
	       void (*draw_row)(void *arg, struct screen *s, const struct list_row *row), void *arg)
{
	bool scrolls = l->n > page_rows(l);

	for (int y = 0; y < l->area.height && l->top + (size_t)y < l->n; y++) {
		struct list_row row = {
			.area = { l->area.y + y, l->area.x, 1, l->area.width - scrolls },
			.index = l->top + (size_t)y,
		};

		row.is_selected = row.index == l->cursor;
		draw_row(arg, s, &row);
	}
	if (scrolls)
		draw_scroll_bar(l, s);
}
