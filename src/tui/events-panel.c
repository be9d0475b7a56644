/* SPDX-License-Identifier: MIT */
/* The menu of a recording's events, with their numbers of samples. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/browse.h"
#include "tui/report-parts.h"
#include "view/report/title.h"

struct events_panel {
	struct panel panel;
	struct report_panel *report; /* the report below this panel */
	struct list list;
};

static struct events_panel *tui_events_panel_of(struct panel *p)
{
	return (struct events_panel *)p;
}

static const struct report_tables *tui_events_panel_tables_of(const struct events_panel *e)
{
	return e->report->snapshot ? e->report->snapshot->tables : NULL;
}

/* Appends "3K cpu-clock". For a group, it appends all its events. */
static void tui_events_panel_add_event(const struct report_table *t, struct text *out)
{
	char unit;
	uint64_t samples = report_number_shorten(t->whole.samples, &unit);

	text_addf(out, "%" PRIu64, samples);
	if (unit != ' ')
		text_add_char(out, unit);
	text_add_char(out, ' ');
	for (size_t i = 0; i < t->n_events; i++)
		text_addf(out, "%s%s", i ? ", " : "", t->names[i]);
}

static void draw_event(void *arg, struct screen *s, const struct list_row *row)
{
	const struct events_panel *e = arg;
	enum style style = row->is_selected ? STYLE_SELECTED : STYLE_NORMAL;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	tui_events_panel_add_event(&tui_events_panel_tables_of(e)->items[row->index], &t);
	if (row->is_selected)
		screen_clear(s, row->area, style);
	screen_put(s, row->area, 0, 0, style, t.chars, (int)t.length);
}

static void tui_events_panel_draw(struct panel *panel, struct screen *s)
{
	struct events_panel *e = tui_events_panel_of(panel);
	struct area a = panels_area(panel->panels);

	screen_put(s, a, 0, 0, STYLE_ROOT, "Available samples", -1);
	a.y++;
	a.height--;
	if (!tui_events_panel_tables_of(e) || a.height <= 0)
		return;
	list_settle(&e->list, tui_events_panel_tables_of(e)->n, a);
	list_draw(&e->list, s, draw_event, e);
}

static void tui_events_panel_set_status(struct panel *panel)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	uint64_t done = 0, total = 0;

	browse_progress(tui_events_panel_of(panel)->report->rb->browse, &done, &total);
	text_add(&t, "ESC: exit, ENTER|->: Browse histograms");
	if (done < total)
		text_addf(&t, "   (reading %u %%)", (unsigned)(done * 100 / total));
	panels_status(panel->panels, t.chars);
}

static void tui_events_panel_news(struct panel *panel)
{
	tui_events_panel_set_status(panel);
}

static enum panel_next tui_events_panel_choose(struct panel *panel)
{
	struct events_panel *e = tui_events_panel_of(panel);

	if (!tui_events_panel_tables_of(e) || !tui_events_panel_tables_of(e)->n)
		return PANEL_STAY;
	report_panel_show(e->report, e->list.cursor);
	return PANEL_CLOSE;
}

static enum panel_next tui_events_panel_quit(struct panel *panel)
{
	(void)panel;
	return PANEL_QUIT;
}

static enum panel_next tui_events_panel_input(struct panel *panel, const struct screen_input *in)
{
	struct events_panel *e = tui_events_panel_of(panel);

	if (in->key == SCREEN_KEY_MOUSE && in->mouse == MOUSE_DOUBLE_CLICK)
		return tui_events_panel_choose(panel);
	return list_input(&e->list, in) ? PANEL_STAY : PANEL_PASS;
}

static void tui_events_panel_free(struct panel *panel)
{
	free(panel);
}

static const struct key_binding keys[] = {
	{ KEY(tui_events_panel_choose, "ENTER/RIGHT", "Browse the histogram of the event",
	      SCREEN_KEY_ENTER, SCREEN_KEY_RIGHT) },
	{ KEY(report_ask_to_leave, "ESC/LEFT", "Exit", SCREEN_KEY_ESCAPE, SCREEN_KEY_LEFT) },
	{ KEY(tui_events_panel_quit, "q/CTRL+C", "Exit at once", 'q', 3) },
	{ .run = NULL },
};

static const struct panel_type type = {
	.keys = keys,
	.input = tui_events_panel_input,
	.draw = tui_events_panel_draw,
	.news = tui_events_panel_news,
	.uncovered = tui_events_panel_set_status,
	.free = tui_events_panel_free,
};

void events_panel_push(struct report_panel *p)
{
	struct events_panel *e = xcalloc(1, sizeof(*e));

	e->panel.type = &type;
	e->report = p;
	e->list.cursor = p->table;
	panels_push(p->panel.panels, &e->panel);
	tui_events_panel_set_status(&e->panel);
}
