/* SPDX-License-Identifier: MIT */
/*
 * Keys that open and close rows, levels and branches.
 */
#include "tui/report-parts.h"

/*
 * Moves the cursor to the same item. Folding below a row does not change the number of rows above
 * it, but all lines may have moved.
 */
static void stay_with(struct report_panel *p, size_t item, size_t sub)
{
	report_page_see(p->page, item);
	report_panel_go(p, report_page_line_of(p->page, item, sub));
}

static bool has_rows(const struct report_panel *p)
{
	return p->page && report_page_rows(p->page);
}

enum panel_next report_toggle(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	struct report_spot at = report_panel_spot(p);

	if (!has_rows(p))
		return PANEL_STAY;
	if (at.line ? at.line->sign == ' ' : report_page_sign(p->page, at.item) == ' ') {
		panels_answer(panel->panels,
			      "Nothing to expand here: no callers that weigh enough");
		return PANEL_STAY;
	}
	report_page_toggle(p->page, &at);
	stay_with(p, at.item, at.sub);
	return PANEL_STAY;
}

enum panel_next report_toggle_deep(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	struct report_spot at = report_panel_spot(p);

	if (has_rows(p)) {
		report_page_toggle_deep(p->page, at.item);
		stay_with(p, at.item, 0);
	}
	return PANEL_STAY;
}

enum panel_next report_close_row(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	struct report_spot at = report_panel_spot(p);

	if (has_rows(p)) {
		report_page_close(p->page, at.item);
		stay_with(p, at.item, 0);
	}
	return PANEL_STAY;
}

/*
 * Opens or closes all. Rows of a hierarchy get other numbers, so the cursor's row is looked up
 * again.
 */
static enum panel_next tui_report_fold_open_all(struct report_panel *p, bool open)
{
	struct report_spot at = report_panel_spot(p);
	uint64_t id;
	size_t item;

	if (!has_rows(p))
		return PANEL_STAY;
	id = report_page_id(p->page, at.item);
	report_page_open_all(p->page, open);
	item = report_page_find(p->page, id, at.item);
	stay_with(p, item < report_page_rows(p->page) ? item : 0, 0);
	return PANEL_STAY;
}

enum panel_next report_open_all(struct panel *panel)
{
	return tui_report_fold_open_all(report_panel_of(panel), true);
}

enum panel_next report_close_all(struct panel *panel)
{
	return tui_report_fold_open_all(report_panel_of(panel), false);
}
