/* SPDX-License-Identifier: MIT */
/* Draws the report's panel. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "session/session.h"
#include "tui/browse.h"
#include "tui/coloured-text.h"
#include "tui/report-parts.h"
#include "view/report/title.h"

static void add_live(const struct report_panel *p, struct text *out)
{
	const struct browse_snapshot *s = p->snapshot;

	if (!s->is_live)
		return;
	text_addf(out, " lost: %" PRIu64 "/%" PRIu64 " drop: %" PRIu64 "/%" PRIu64, s->new_lost,
		  s->lost, s->new_dropped, s->dropped);
	if (s->is_frozen)
		text_add(out, " [frozen]");
}

void report_title_text(const struct report_panel *p, struct text *out)
{
	const struct report_live *live = p->rb->o->live;
	const struct browse_request *rq;
	const struct report_table *t;

	if (!p->snapshot || p->table >= p->snapshot->tables->n) {
		text_add(out, p->snapshot ? "No samples" : "Reading");
		if (p->snapshot)
			zooms_title(&p->rb->zooms, out);
		return;
	}
	rq = p->snapshot->request;
	t = &p->snapshot->tables->items[p->table];
	report_title_line(
		&(struct report_title){
			.events = t->names,
			.n_events = t->n_events,
			.is_group = t->is_group,
			.group_name =
				session_event(p->snapshot->profile->session, t->first)->group_name,
			.samples = t->whole.samples,
			.period = t->whole.period,
			.time_slices = zooms_find(&p->rb->zooms, ZOOM_TIME)
					       ? NULL
					       : rq->profile.filter.time.text,
			.borrows_stacks = t->borrows_stacks,
			.socket = -1,
		},
		live && live->rate ? live->rate(live->arg) : NULL, out);
	zooms_title(&p->rb->zooms, out);
	if (rq->profile.frames)
		text_addf(out, ", Frames: %s", frame_choice_name(rq->profile.frames));
	add_live(p, out);
}

static void tui_report_draw_title(const struct report_panel *p, struct screen *s, struct area a)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	report_title_text(p, &t);
	screen_put(s, a, 0, 0, STYLE_ROOT, t.chars, (int)t.length);
}

static void tui_report_draw_heads(const struct report_panel *p, struct screen *s, struct area a)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (p->page)
		report_page_heads(p->page, p->skip, &t);
	screen_clear(s, a, STYLE_ROOT);
	screen_put(s, a, 0, 0, STYLE_ROOT, t.chars, (int)t.length);
}

/* Highlights each match of the searched text. */
static void mark_found(const struct report_panel *p, struct screen *s, const struct list_row *row,
		       const struct text *text)
{
	_cleanup_(text_done) struct text plain = TEXT_EMPTY;
	size_t n = p->searched ? strlen(p->searched) : 0;
	const char *at;

	if (!n)
		return;
	coloured_strip(text, &plain);
	for (at = strcasestr(plain.chars, p->searched); at; at = strcasestr(at + n, p->searched)) {
		struct area a = row->area;
		int x = screen_text_width(s, plain.chars, (int)(at - plain.chars));
		int width = screen_text_width(s, at, (int)n);

		if (x >= a.width)
			return;
		a.x += x;
		a.width = x + width > row->area.width ? row->area.width - x : width;
		screen_restyle(s, a, STYLE_MATCH);
	}
}

static void tui_report_draw_row(void *arg, struct screen *s, const struct list_row *row)
{
	struct report_panel *p = arg;
	struct report_spot at = report_page_at(p->page, row->index);
	enum style style = row->is_selected ? STYLE_SELECTED : STYLE_NORMAL;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	report_page_text(p->page, &at, p->skip, &t);
	if (row->is_selected)
		screen_clear(s, row->area, style);
	coloured_put(s, row->area, 0, 0, style, row->is_selected, &t);
	mark_found(p, s, row, &t);
}

/*
 * Examines the visible rows. Open ones become higher, so that others move down. The cursor stays in
 * its place.
 */
static void see_rows(struct report_panel *p, struct area a)
{
	struct report_spot cursor, top;

	list_settle(&p->list, report_page_lines(p->page), a);
	top = report_page_at(p->page, p->list.top);
	cursor = report_page_at(p->page, p->list.cursor);
	for (size_t i = top.item; i < report_page_rows(p->page); i++) {
		if (report_page_line_of(p->page, i, 0) >= p->list.top + (size_t)a.height)
			break;
		report_page_see(p->page, i);
	}
	p->list.cursor = report_page_line_of(p->page, cursor.item, cursor.sub);
	list_settle(&p->list, report_page_lines(p->page), a);
}

/*
 * Draws the rows. Rows above the cursor may push it out of view, and others become visible then: at
 * least one more each time, so that this ends with a full screen of rows.
 */
static void tui_report_draw_rows(struct report_panel *p, struct screen *s, struct area a)
{
	size_t top;

	do {
		top = p->list.top;
		see_rows(p, a);
	} while (top != p->list.top);
	list_draw(&p->list, s, tui_report_draw_row, p);
}

static void draw_nothing(const struct report_panel *p, struct screen *s, struct area a)
{
	const char *text = "reading ...";

	if (p->snapshot && p->snapshot->is_complete && !p->is_asking)
		text = p->rb->zooms.n ? "no samples that pass the filters: ESC zooms out"
				      : "no samples";
	screen_put(s, a, 0, 2, STYLE_DIM, text, -1);
}

void report_draw(struct panel *panel, struct screen *s)
{
	struct report_panel *p = report_panel_of(panel);
	struct area a = panels_area(panel->panels), line = a;
	int above = p->without_heads ? 1 : 2, below;

	if (p->page)
		report_page_set_width(p->page, (unsigned)a.width);
	line.height = 1;
	tui_report_draw_title(p, s, line);
	line.y++;
	if (!p->without_heads && a.height > 1)
		tui_report_draw_heads(p, s, line);
	below = report_strip_height(p, a.height);
	a.y += above;
	a.height -= above + below;
	if (a.height <= 0)
		return;
	report_strip_draw(p, s, (struct area){ a.y + a.height, a.x, below, a.width });
	if (p->page && report_page_rows(p->page))
		tui_report_draw_rows(p, s, a);
	else
		draw_nothing(p, s, a);
}
