/* SPDX-License-Identifier: MIT */
/* A box with lines that the next key closes. If there are more lines than fit, it scrolls. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/list.h"
#include "tui/menu.h"
#include "tui/text-lines.h"

struct message_panel {
	struct panel panel;
	char *title;
	struct text_lines lines;
	struct list list;
};

static void free_message(struct panel *p)
{
	struct message_panel *m = (struct message_panel *)p;

	free(m->title);
	text_lines_done(&m->lines);
	free(m);
}

static bool message_scrolls(const struct message_panel *m)
{
	return m->list.n > (size_t)m->list.area.height;
}

/* Handles keys. There is no visible cursor, so keys scroll. */
static enum panel_next message_input(struct panel *p, const struct screen_input *in)
{
	struct message_panel *m = (struct message_panel *)p;
	size_t last = m->list.top + (size_t)m->list.area.height;

	if (!message_scrolls(m))
		return PANEL_CLOSE;
	if (in->key == SCREEN_KEY_DOWN || in->key == SCREEN_KEY_PAGE_DOWN || in->key == ' ')
		m->list.cursor = last ? last - 1 : 0;
	else
		m->list.cursor = m->list.top;
	return list_input(&m->list, in) ? PANEL_STAY : PANEL_CLOSE;
}

static void message_draw_line(void *arg, struct screen *s, const struct list_row *row)
{
	struct message_panel *m = arg;

	screen_put(s, row->area, 0, 0, STYLE_NORMAL, text_lines_get(&m->lines, row->index), -1);
}

static void message_draw(struct panel *p, struct screen *s)
{
	struct message_panel *m = (struct message_panel *)p;
	int width = screen_text_width(s, m->title, -1) + 2;
	struct area inside;

	for (size_t i = 0; i < m->lines.n; i++) {
		int w = screen_text_width(s, text_lines_get(&m->lines, i), -1);

		width = w > width ? w : width;
	}
	/* The scroll bar needs a column of its own. */
	if ((int)m->lines.n + 4 > panels_area(p->panels).height)
		width++;
	inside = popup_box(p->panels, width, (int)m->lines.n + 2, m->title);
	if (inside.height > 2)
		inside.height -= 2;
	list_settle(&m->list, m->lines.n, inside);
	list_draw(&m->list, s, message_draw_line, m);
	inside.height += 2;
	screen_put(s, inside, inside.height - 1, 0, STYLE_DIM,
		   message_scrolls(m) ? "UP/DOWN scroll. Press any other key..."
				      : "Press any key...",
		   -1);
}

static const struct panel_type type = {
	.input = message_input,
	.draw = message_draw,
	.free = free_message,
	.is_popup = true,
};

void message_push(struct panels *p, const char *title, const char *text)
{
	struct message_panel *m = xcalloc(1, sizeof(*m));

	m->panel.type = &type;
	m->title = xstrdup(title ? title : "");
	text_lines_init(&m->lines, text);
	panels_push(p, &m->panel);
}
