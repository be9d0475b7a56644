/* SPDX-License-Identifier: MIT */
/* Searches for a part of a line: in rows, and in open trees. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/coloured-text.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

/*
 * The maximum number of lines that one key searches, which takes a fraction of a second. The next
 * key continues from there.
 */
#define SEARCHED_LINES 200000

static bool line_has(struct report_panel *p, size_t line, struct text *text, struct text *plain)
{
	struct report_spot at = report_page_at(p->page, line);

	text_clear(text);
	text_clear(plain);
	report_page_text(p->page, &at, 0, text);
	coloured_strip(text, plain);
	return strcasestr(plain->chars, p->searched);
}

/*
 * Searches from @from on, in steps of 1, or of n - 1, which is one back. Returns n if it was not
 * found.
 */
static size_t report_search_find(struct report_panel *p, size_t from, size_t step)
{
	_cleanup_(text_done) struct text text = TEXT_EMPTY;
	_cleanup_(text_done) struct text plain = TEXT_EMPTY;
	size_t n = report_page_lines(p->page);

	for (size_t i = 0, line = from % n; i < n && i < SEARCHED_LINES; i++) {
		if (line_has(p, line, &text, &plain))
			return line;
		line = (line + step) % n;
	}
	return n;
}

static void tui_report_search(struct report_panel *p, size_t from, bool back)
{
	size_t n = p->page ? report_page_lines(p->page) : 0, found;

	if (!n || !p->searched)
		return;
	found = report_search_find(p, from % n, back ? n - 1 : 1);
	if (found < n)
		report_panel_go(p, found);
	else if (n > SEARCHED_LINES)
		panels_answer(p->panel.panels, "'%s' is not in the next %d lines: go there first",
			      p->searched, SEARCHED_LINES);
	else
		panels_answer(p->panel.panels, "'%s' is not in these rows", p->searched);
}

static void set_searched(struct report_panel *p, const char *text)
{
	free(p->searched);
	p->searched = *text ? xstrdup(text) : NULL;
}

static enum panel_next report_search_typed(struct panel *owner, const char *text, void *arg)
{
	struct report_panel *p = report_panel_of(owner);

	(void)arg;
	set_searched(p, text);
	tui_report_search(p, p->list.cursor, false);
	return PANEL_STAY;
}

static void report_search_changed(struct panel *owner, const char *text, void *arg)
{
	report_search_typed(owner, text, arg);
}

static void given_up(struct panel *owner, void *arg)
{
	(void)arg;
	set_searched(report_panel_of(owner), "");
}

enum panel_next report_search(struct panel *panel)
{
	prompt_push(panel->panels,
		    &(struct prompt){
			    .title = "Search",
			    .explanation = "A part of a row. n: the next one, N: the "
					   "one before.",
			    .typed = report_search_typed,
			    .changed = report_search_changed,
			    .given_up = given_up,
			    .owner = panel,
		    });
	return PANEL_STAY;
}

enum panel_next report_search_next(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	if (!p->searched)
		return report_search(panel);
	tui_report_search(p, p->list.cursor + 1, false);
	return PANEL_STAY;
}

enum panel_next report_search_previous(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	size_t n = p->page ? report_page_lines(p->page) : 0;

	if (!p->searched)
		return report_search(panel);
	tui_report_search(p, p->list.cursor + (n ? n - 1 : 0), true);
	return PANEL_STAY;
}
