/* SPDX-License-Identifier: MIT */
/*
 * The time strip below the rows of a report.
 */
#include "profile/time-strip.h"
#include "tui/browse.h"
#include "tui/report-parts.h"

static const struct time_strip *strip_of(const struct report_panel *p)
{
	return p->snapshot && p->snapshot->strip && p->snapshot->strip->width ? p->snapshot->strip
									      : NULL;
}

/* Follows a selection that was made elsewhere: zooming out ends it, --time begins with one. */
static void follow_zoom(struct report_panel *p)
{
	if (!p->strip.has_keys && !zooms_find(&p->rb->zooms, ZOOM_TIME))
		strip_take_window(&p->strip, &p->rb->base.profile.filter.time);
}

int report_strip_height(const struct report_panel *p, int height)
{
	return strip_of(p) ? strip_height(height) : 0;
}

void report_strip_draw(struct report_panel *p, struct screen *s, struct area a)
{
	follow_zoom(p);
	strip_draw(&p->strip, s, a, strip_of(p));
}

static void tui_report_time_ask(struct report_panel *p)
{
	const struct time_window w = strip_window(&p->strip);

	if (p->strip.is_selected)
		zooms_add(&p->rb->zooms, ZOOM_TIME, w.text, -1);
	else
		zooms_remove(&p->rb->zooms, ZOOM_TIME);
	report_panel_ask(p);
}

enum panel_next report_strip_input(struct report_panel *p, const struct screen_input *in)
{
	switch (strip_input(&p->strip, strip_of(p), in)) {
	case STRIP_SELECTED:
		tui_report_time_ask(p);
		return PANEL_STAY;
	case STRIP_STAY:
	case STRIP_LEAVE:
		return PANEL_STAY;
	default:
		return PANEL_PASS;
	}
}

enum panel_next report_select_time(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	const struct time_strip *t = strip_of(p);

	if (!t)
		panels_answer(panel->panels, "%s",
			      p->rb->o->live ? "Live data has no time strip"
			      : p->snapshot  ? strip_without_times
					     : "There are no samples yet");
	else if (!strip_height(panels_area(panel->panels).height))
		panels_answer(panel->panels, "The screen has too few lines for the time strip");
	else
		strip_enter(&p->strip, t);
	return PANEL_STAY;
}
