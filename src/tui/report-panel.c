/* SPDX-License-Identifier: MIT */
#include "tui/report-panel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tui/export.h"
#include "tui/menu.h"
#include "tui/report-parts.h"
#include "view/tips.h"

/* The interval at which the progress bar of reading is updated. */
#define READING_TICK_MS 100

#define BAR_WIDTH 30

#define HELP_STATUS "Press '?' for help on key bindings"

struct report_spot report_panel_spot(const struct report_panel *p)
{
	return p->page ? report_page_at(p->page, p->list.cursor) : (struct report_spot){ 0 };
}

/* The position of the cursor in terms that are also valid for another page. */
struct bearings {
	uint64_t row, branch; /* 0: none */
	size_t item, sub;
	size_t down; /* lines below the top of the screen */
};

static struct bearings take_bearings(const struct report_panel *p)
{
	struct report_spot at = report_panel_spot(p);

	if (!p->page || at.item >= report_page_rows(p->page))
		return (struct bearings){ 0 };
	return (struct bearings){
		.row = report_page_id(p->page, at.item),
		.branch = at.line ? at.line->id : 0,
		.item = at.item,
		.sub = at.sub,
		.down = p->list.cursor - p->list.top,
	};
}

/* Examines the rows that fill @lines lines above @item. */
static void see_above(struct report_page *page, size_t item, size_t lines)
{
	for (size_t seen = 0; item && seen < lines; item--) {
		report_page_see(page, item - 1);
		seen += report_page_line_of(page, item, 0) - report_page_line_of(page, item - 1, 0);
	}
}

static size_t sub_of(const struct report_page *page, size_t item, const struct bearings *b)
{
	size_t first = report_page_line_of(page, item, 0);
	size_t end = report_page_line_of(page, item + 1, 0);

	for (size_t line = first + 1; b->branch && line < end; line++) {
		struct report_spot at = report_page_at(page, line);

		if (at.line && at.line->id == b->branch)
			return at.sub;
	}
	return b->branch ? b->sub : 0;
}

static void follow_bearings(struct report_panel *p, const struct bearings *b)
{
	size_t n = report_page_rows(p->page), item = b->item < n ? b->item : n ? n - 1 : 0;

	if (p->was_touched && b->row) {
		size_t found = report_page_find(p->page, b->row, b->item);

		item = found < n ? found : item;
	} else if (!p->was_touched) {
		item = 0;
	}
	report_page_see(p->page, item);
	see_above(p->page, item, b->down);
	p->list.cursor = report_page_line_of(p->page, item, sub_of(p->page, item, b));
	p->list.top = p->list.cursor > b->down ? p->list.cursor - b->down : 0;
}

void report_panel_go(struct report_panel *p, size_t line)
{
	size_t n = p->page ? report_page_lines(p->page) : 0;

	p->list.cursor = line < n ? line : n ? n - 1 : 0;
}

static void make_page(struct report_panel *p, const struct bearings *b)
{
	const struct report_tables *t = p->snapshot->tables;

	report_page_free(p->page);
	p->page = NULL;
	if (p->table >= t->n)
		p->table = 0;
	if (!t->n)
		return;
	p->page = report_page_new(p->snapshot, p->table, &p->rb->look, &p->folds);
	if (p->skip >= report_page_columns(p->page))
		p->skip = 0;
	follow_bearings(p, b);
}

void report_panel_remake(struct report_panel *p)
{
	const struct bearings b = take_bearings(p);

	if (p->snapshot)
		make_page(p, &b);
}

void report_panel_show(struct report_panel *p, size_t table)
{
	p->table = table;
	p->list.cursor = 0;
	p->list.top = 0;
	if (p->snapshot)
		make_page(p, &(struct bearings){ 0 });
}

void report_panel_drop(struct report_panel *p)
{
	report_page_free(p->page);
	p->page = NULL;
	if (p->snapshot)
		browse_release(p->rb->browse, p->snapshot);
	p->snapshot = NULL;
}

void report_panel_ask(struct report_panel *p)
{
	p->is_asking = true;
	report_browser_ask(p->rb);
	panels_tick(p->panel.panels, READING_TICK_MS);
}

/*
 * Returns the table of the same event. It may have another number in another snapshot, because some
 * events have no samples.
 */
static size_t same_table(const struct report_panel *p, const struct browse_snapshot *s)
{
	size_t event = p->snapshot && p->table < p->snapshot->tables->n
			       ? p->snapshot->tables->items[p->table].first
			       : 0;

	for (size_t i = 0; i < s->tables->n; i++)
		if (s->tables->items[i].first == event)
			return i;
	return 0;
}

static void report_panel_take_snapshot(struct report_panel *p, const struct browse_snapshot *s)
{
	const struct bearings b = take_bearings(p);
	size_t table = same_table(p, s);

	report_panel_drop(p);
	p->snapshot = s;
	p->table = table;
	if (p->is_asking)
		report_browser_keep(p->rb);
	p->is_asking = false;
	make_page(p, &b);
	if (s->tables->n > 1 && !p->chose_event) {
		p->chose_event = true;
		events_panel_push(p);
	}
}

static size_t tip_columns(const struct report_panel *p)
{
	int width = screen_width(panels_screen(p->panel.panels));

	return width > (int)strlen("Tip: ") ? (size_t)width - strlen("Tip: ") : 0;
}

static void report_panel_set_status(struct report_panel *p)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	uint64_t done = 0, total = 0;
	const struct panel *top = panels_top(p->panel.panels);
	bool is_reading = !p->snapshot || (!p->snapshot->is_complete && !p->snapshot->is_live) ||
			  p->is_asking;

	if (!is_reading)
		panels_tick(p->panel.panels, 0);
	/* Other panels have a status line of their own, except menus. */
	if (top != &p->panel && !top->type->is_popup)
		return;
	browse_progress(p->rb->browse, &done, &total);
	if (!is_reading) {
		if (p->was_touched || p->rb->o->quiet)
			text_add(&t, HELP_STATUS);
		else
			text_addf(&t, "Tip: %s", tip_choose_within(p->tip, tip_columns(p)));
	} else {
		unsigned percent = total ? (unsigned)(done * 100 / total) : 0;
		unsigned filled = percent * BAR_WIDTH / 100;

		text_addf(&t, "reading %u %% [", percent);
		for (unsigned i = 0; i < BAR_WIDTH; i++)
			text_add_char(&t, i < filled ? '#' : ' ');
		text_add(&t, "]");
	}
	panels_status(p->panel.panels, t.chars);
}

static void tell_failure(struct report_panel *p)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (browse_failure(p->rb->browse, &diag) >= 0)
		return;
	if (p->is_asking)
		report_browser_revert(p->rb);
	p->is_asking = false;
	text_add(&t, diag.message ? diag.message : "the recording cannot be read");
	if (diag.hint)
		text_addf(&t, "\n\n%s", diag.hint);
	message_push(p->panel.panels, "Error", t.chars);
}

static void report_panel_news(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	const struct browse_snapshot *s = browse_take(p->rb->browse, p->snapshot);

	if (s)
		report_panel_take_snapshot(p, s);
	report_child_news(p);
	if (p->exporter)
		exporter_news(p->exporter);
	tell_failure(p);
	report_panel_set_status(p);
}

/* True if the sign of the cursor's line is at column @x. */
static bool is_sign_at(const struct report_panel *p, int x)
{
	struct report_spot at = report_panel_spot(p);
	const struct report_item *i = report_page_item(p->page, at.item);
	size_t column = REPORT_PAGE_INDENT * (size_t)(i ? i->level : 0);

	return i && (size_t)x == column + (at.line ? at.line->column : 0);
}

static enum panel_next report_panel_take_mouse(struct report_panel *p,
					       const struct screen_input *in)
{
	struct screen_input click = *in;

	/* Other buttons also move the cursor. */
	if (in->mouse == MOUSE_RIGHT_CLICK || in->mouse == MOUSE_DOUBLE_CLICK)
		click.mouse = MOUSE_CLICK;
	if (!list_input(&p->list, &click))
		return PANEL_PASS;
	if (click.mouse != MOUSE_CLICK)
		return PANEL_STAY;
	if (in->mouse == MOUSE_RIGHT_CLICK)
		return report_show_menu(&p->panel);
	if (is_sign_at(p, in->x - p->list.area.x))
		return report_toggle(&p->panel);
	return in->mouse == MOUSE_DOUBLE_CLICK ? report_show_menu(&p->panel) : PANEL_STAY;
}

static enum panel_next report_panel_input(struct panel *panel, const struct screen_input *in)
{
	struct report_panel *p = report_panel_of(panel);

	if (in->key != SCREEN_KEY_RESIZED) {
		p->was_touched = true;
		report_panel_set_status(p);
	}
	if (report_strip_input(p, in) == PANEL_STAY)
		return PANEL_STAY;
	if (!p->page)
		return PANEL_PASS;
	if (in->key == SCREEN_KEY_MOUSE)
		return report_panel_take_mouse(p, in);
	return list_input(&p->list, in) ? PANEL_STAY : PANEL_PASS;
}

static void report_panel_uncovered(struct panel *panel)
{
	report_panel_set_status(report_panel_of(panel));
}

static void report_panel_free(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	report_child_end(p);
	exporter_free(p->exporter);
	report_panel_drop(p);
	fold_set_done(&p->folds);
	free(p->searched);
	free(p);
}

static const struct panel_type report_type = {
	.name = "Help",
	.keys = report_keys,
	.input = report_panel_input,
	.draw = report_draw,
	.news = report_panel_news,
	.uncovered = report_panel_uncovered,
	.free = report_panel_free,
};

void report_panel_push(struct report_browser *rb)
{
	struct report_panel *p = xcalloc(1, sizeof(*p));

	p->panel.type = &report_type;
	p->rb = rb;
	p->without_heads = rb->o->without_heads;
	p->tip = (uint64_t)getpid();
	panels_push(rb->panels, &p->panel);
	panels_tick(rb->panels, READING_TICK_MS);
	report_panel_news(&p->panel);
}
