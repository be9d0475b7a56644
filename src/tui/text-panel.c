/* SPDX-License-Identifier: MIT */
/* A panel full of text, which scrolls in both directions and can be searched. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/list.h"
#include "tui/menu.h"
#include "tui/text-lines.h"

struct text_panel {
	struct panel panel;
	char *title;
	char *part; /* the searched text; or NULL */
	struct text_lines lines;
	struct list list;
};

static void tui_text_panel_free(struct panel *p)
{
	struct text_panel *t = (struct text_panel *)p;

	free(t->title);
	free(t->part);
	text_lines_done(&t->lines);
	free(t);
}

static enum panel_next tui_text_panel_find(struct text_panel *t, int step)
{
	size_t found;

	if (!t->part) {
		panels_answer(t->panel.panels, "Nothing was searched for yet: press /");
		return PANEL_STAY;
	}
	found = text_lines_find(&t->lines, t->part, t->list.cursor, step);
	if (found < t->lines.n)
		t->list.cursor = found;
	else
		panels_answer(t->panel.panels, "No line has '%s'", t->part);
	return PANEL_STAY;
}

static enum panel_next tui_text_panel_typed(struct panel *owner, const char *text, void *arg)
{
	struct text_panel *t = (struct text_panel *)owner;

	(void)arg;
	free(t->part);
	t->part = *text ? xstrdup(text) : NULL;
	return t->part ? tui_text_panel_find(t, 1) : PANEL_STAY;
}

static enum panel_next tui_text_panel_search(struct panel *p)
{
	struct text_panel *t = (struct text_panel *)p;

	prompt_push(p->panels, &(struct prompt){
				       .title = "Search",
				       .text = t->part,
				       .typed = tui_text_panel_typed,
				       .owner = p,
			       });
	return PANEL_STAY;
}

static enum panel_next tui_text_panel_find_next(struct panel *p)
{
	return tui_text_panel_find((struct text_panel *)p, 1);
}

static enum panel_next find_previous(struct panel *p)
{
	return tui_text_panel_find((struct text_panel *)p, -1);
}

static enum panel_next tui_text_panel_input(struct panel *p, const struct screen_input *in)
{
	return list_input(&((struct text_panel *)p)->list, in) ? PANEL_STAY : PANEL_PASS;
}

/* Only present for the help; the list handles these keys itself. */
static enum panel_next tui_text_panel_navigate(struct panel *p)
{
	(void)p;
	return PANEL_PASS;
}

static const struct key_binding keys[] = {
	{ KEY(tui_text_panel_navigate, "UP/DOWN/PGUP/PGDN/SPACE", "Navigate", 0) },
	{ KEY(tui_text_panel_navigate, "LEFT/RIGHT", "Scroll sideways", 0) },
	{ KEY(tui_text_panel_search, "/", "Search string", '/') },
	{ KEY(tui_text_panel_find_next, "n", "Search next string", 'n') },
	{ KEY(find_previous, "N", "Search string backwards", 'N') },
	{ .run = NULL },
};

static void tui_text_panel_draw_line(void *arg, struct screen *s, const struct list_row *row)
{
	struct text_panel *t = arg;
	const char *line = text_lines_get(&t->lines, row->index);
	enum style style = row->is_selected ? STYLE_SELECTED : STYLE_NORMAL;
	const char *match = t->part ? strcasestr(line, t->part) : NULL;
	int x;

	if (row->is_selected)
		screen_clear(s, row->area, style);
	screen_put(s, row->area, 0, -t->list.left, style, line, -1);
	if (!match)
		return;
	x = screen_text_width(s, line, (int)(match - line)) - t->list.left;
	screen_put(s, row->area, 0, x, STYLE_MATCH, match, (int)strlen(t->part));
}

static void tui_text_panel_draw(struct panel *p, struct screen *s)
{
	struct text_panel *t = (struct text_panel *)p;
	struct area a = panels_area(p->panels), title = a;

	title.height = 1;
	screen_clear(s, title, STYLE_ROOT);
	screen_put(s, title, 0, 0, STYLE_ROOT, t->title, -1);
	if (a.height > 1)
		a.y++, a.height--;
	list_settle(&t->list, t->lines.n, a);
	list_draw(&t->list, s, tui_text_panel_draw_line, t);
}

static const struct panel_type type = {
	.keys = keys,
	.input = tui_text_panel_input,
	.draw = tui_text_panel_draw,
	.free = tui_text_panel_free,
};

void text_panel_push(struct panels *p, const char *title, const char *text)
{
	struct text_panel *t = xcalloc(1, sizeof(*t));

	t->panel.type = &type;
	t->title = xstrdup(title ? title : "");
	t->list.free_scroll = true;
	text_lines_init(&t->lines, text);
	panels_push(p, &t->panel);
}
