/* SPDX-License-Identifier: MIT */
/* A menu: the items fit into a box in the middle of the screen, or scroll in it. */
#include "tui/menu.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/list.h"

struct menu_panel {
	struct panel panel;
	struct menu menu; /* a copy with texts of its own */
	struct menu_item *items;
	char *title;
	struct list list;
};

static bool can_be_chosen(const struct menu_panel *m, size_t i)
{
	return i < m->menu.n && !m->items[i].is_heading;
}

static void free_menu(struct panel *p)
{
	struct menu_panel *m = (struct menu_panel *)p;

	if (m->menu.given_up)
		m->menu.given_up(m->menu.arg);
	for (size_t i = 0; i < m->menu.n; i++)
		free((char *)m->items[i].text);
	free(m->items);
	free(m->title);
	free(m);
}

/* The menu is closed before the answer is reported, because the answer may open another panel. */
static enum panel_next menu_choose(struct menu_panel *m, size_t i)
{
	const struct menu answer = m->menu;
	size_t value = m->items[i].value;
	struct panels *panels = m->panel.panels;

	if (!can_be_chosen(m, i))
		return PANEL_STAY;
	m->menu.given_up = NULL;
	panels_close(&m->panel);
	return popup_answered(panels, answer.owner, answer.chosen(answer.owner, value, answer.arg));
}

/* Skips headings, in the direction of the movement. */
static void skip_headings(struct menu_panel *m, size_t before)
{
	size_t i = m->list.cursor;
	bool up = i < before;

	while (i < m->menu.n && !can_be_chosen(m, i))
		i = up ? i - 1 : i + 1; /* below 0 it wraps to a value above n */
	m->list.cursor = i < m->menu.n ? i : before;
}

static enum panel_next menu_input(struct panel *p, const struct screen_input *in)
{
	struct menu_panel *m = (struct menu_panel *)p;
	size_t before = m->list.cursor;

	for (size_t i = 0; i < m->menu.n; i++)
		if (m->items[i].key && m->items[i].key == in->key)
			return menu_choose(m, i);
	if (list_input(&m->list, in)) {
		skip_headings(m, before);
		return in->key == SCREEN_KEY_MOUSE && in->mouse == MOUSE_CLICK
			       ? menu_choose(m, m->list.cursor)
			       : PANEL_STAY;
	}
	if (in->key == SCREEN_KEY_ENTER || in->key == SCREEN_KEY_RIGHT)
		return menu_choose(m, m->list.cursor);
	return popup_is_closed_by(in) || in->key == SCREEN_KEY_LEFT ? PANEL_CLOSE : PANEL_PASS;
}

static void draw_item(void *arg, struct screen *s, const struct list_row *row)
{
	const struct menu_panel *m = arg;
	const struct menu_item *item = &m->items[row->index];
	enum style style = row->is_selected   ? STYLE_SELECTED
			   : item->is_heading ? STYLE_DIM
					      : STYLE_NORMAL;

	screen_clear(s, row->area, style);
	screen_put(s, row->area, 0, 1, style, item->text, -1);
}

static void menu_draw(struct panel *p, struct screen *s)
{
	struct menu_panel *m = (struct menu_panel *)p;
	int width = screen_text_width(s, m->title, -1) + 2;
	struct area inside;

	for (size_t i = 0; i < m->menu.n; i++) {
		int w = screen_text_width(s, m->items[i].text, -1);

		width = w > width ? w : width;
	}
	inside = popup_box(p->panels, width + 3, (int)m->menu.n, m->title);
	list_settle(&m->list, m->menu.n, inside);
	list_draw(&m->list, s, draw_item, m);
}

static const struct panel_type type = {
	.input = menu_input,
	.draw = menu_draw,
	.free = free_menu,
	.is_popup = true,
};

void menu_push(struct panels *p, const struct menu *menu)
{
	struct menu_panel *m = xcalloc(1, sizeof(*m));

	m->panel.type = &type;
	m->menu = *menu;
	m->title = xstrdup(menu->title ? menu->title : "");
	m->items = xcalloc(menu->n + 1, sizeof(*m->items));
	for (size_t i = 0; i < menu->n; i++) {
		m->items[i] = menu->items[i];
		m->items[i].text = xstrdup(menu->items[i].text);
	}
	m->list.cursor = menu->first;
	skip_headings(m, 0);
	panels_push(p, &m->panel);
}

#define CTRL_C 3

struct area popup_box(struct panels *p, int width, int height, const char *title)
{
	struct screen *s = panels_screen(p);
	struct area all = panels_area(p), box;

	box.width = width + 2 < all.width ? width + 2 : all.width;
	box.height = height + 2 < all.height ? height + 2 : all.height;
	box.y = (all.height - box.height) / 2;
	box.x = (all.width - box.width) / 2;
	screen_clear(s, box, STYLE_NORMAL);
	screen_put_box(s, box, STYLE_FRAME, title);
	return (struct area){ box.y + 1, box.x + 1, box.height > 2 ? box.height - 2 : 0,
			      box.width > 2 ? box.width - 2 : 0 };
}

bool popup_is_closed_by(const struct screen_input *in)
{
	return in->key == 'q' || in->key == SCREEN_KEY_ESCAPE || in->key == CTRL_C;
}

enum panel_next popup_answered(struct panels *p, struct panel *owner, enum panel_next next)
{
	(void)p;
	if (next == PANEL_CLOSE && owner) {
		panels_close(owner);
		return PANEL_STAY;
	}
	return next == PANEL_QUIT ? PANEL_QUIT : PANEL_STAY;
}
