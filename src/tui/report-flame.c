/* SPDX-License-Identifier: MIT */
/* Converts the rows of a report to flame bars, and exports them to files. */
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/flame-frame.h"
#include "tui/browse.h"
#include "tui/export.h"
#include "tui/flame-panel.h"
#include "tui/report-parts.h"

static size_t tui_report_flame_event_of(const struct report_panel *p)
{
	return p->page ? report_page_table(p->page)->first : 0;
}

static struct export_menu menu_of(struct report_panel *p)
{
	return (struct export_menu){
		.browse = p->rb->browse,
		.view = {
			.flame.event = tui_report_flame_event_of(p),
			.tree = p->rb->look.tree,
		},
		.stem = p->rb->o->live ? "perf-top" : "perf-report",
	};
}

static void open_export(struct report_panel *p, struct panel *owner, const struct export_menu *m)
{
	if (!p->exporter)
		p->exporter = exporter_new(p->panel.panels);
	exporter_menu(p->exporter, owner, m);
}

void report_export_above(void *arg, struct panel *owner)
{
	struct report_panel *p = arg;
	const struct export_menu m = menu_of(p);

	if (p->snapshot)
		open_export(p, owner, &m);
}

enum panel_next report_export(struct panel *panel)
{
	report_export_above(panel, panel);
	return PANEL_STAY;
}

static void save_bars(void *arg, struct panel *owner, const struct snapshot_flame_request *rq,
		      const char *const *zoom, size_t n_zoom)
{
	struct report_panel *p = arg;
	struct export_menu m = menu_of(p);

	m.view.flame = *rq;
	m.view.zoom = zoom;
	m.view.n_zoom = n_zoom;
	open_export(p, owner, &m);
}

static void filter_to(void *arg, const struct flame_box *box)
{
	struct report_panel *p = arg;

	zooms_add(&p->rb->zooms, ZOOM_SYMBOL, box->name, -1);
	report_panel_ask(p);
	panels_answer(p->panel.panels, "Only samples in %s: / in the rows takes it back",
		      box->name);
}

static bool annotate_box(void *arg, const struct flame_box *box)
{
	struct report_panel *p = arg;

	if (!p->page || !*box->object)
		return false;
	report_show_code(p, NULL, box->name, 0);
	return true;
}

static enum panel_next open_bars(struct report_panel *p, const struct flame_excerpt *part)
{
	if (!p->snapshot)
		return PANEL_STAY;
	flame_panel_push(p->panel.panels,
			 &(struct flame_panel_options){
				 .browse = p->rb->browse,
				 .event = tui_report_flame_event_of(p),
				 .part = *part,
				 .hooks = { .arg = p,
					    .annotate = p->rb->o->annotate ? annotate_box : NULL,
					    .filter = filter_to,
					    .save = save_bars },
			 });
	return PANEL_STAY;
}

enum panel_next report_flame(struct panel *panel)
{
	return open_bars(report_panel_of(panel), &(struct flame_excerpt){ 0 });
}

/* Shows flame bars for a row, which is a function, or else a command or an object. */
enum panel_next report_flame_row(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	report_subject_find(p, &s);
	if (s.frame)
		flame_frame_name(s.frame, &name);
	else if (s.comm)
		text_add(&name, s.comm);
	if (!name.length && !s.dso)
		return report_flame(panel);
	return open_bars(p, &(struct flame_excerpt){ .name = name.length ? name.chars : NULL,
						     .object = name.length ? NULL : s.dso });
}
