/* SPDX-License-Identifier: MIT */
/* Keys that zoom into the row at the cursor, and out again. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "symbol/symbolizer.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

#define KERNEL_NAME "[kernel.kallsyms]"

static enum panel_next tui_report_zoom_keys_zoomed(struct report_panel *p)
{
	report_panel_ask(p);
	return PANEL_STAY;
}

/* Zooms out if the same key is pressed again. */
static bool zooms_out(struct report_panel *p, enum zoom_kind kind)
{
	return zooms_remove(&p->rb->zooms, kind);
}

static enum panel_next zoom_name(struct report_panel *p, enum zoom_kind kind, const char *name,
				 int64_t number)
{
	if (number < 0 && !zoom_can_name(name)) {
		panels_answer(p->panel.panels,
			      "'%s' cannot be zoomed into: filters are lists of names, and commas "
			      "divide them",
			      name);
		return PANEL_STAY;
	}
	zooms_add(&p->rb->zooms, kind, name, number);
	return tui_report_zoom_keys_zoomed(p);
}

enum panel_next report_zoom_thread(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };

	if (zooms_out(p, ZOOM_THREAD))
		return tui_report_zoom_keys_zoomed(p);
	report_subject_find(p, &s);
	if (s.comm || s.tid >= 0)
		return zoom_name(p, ZOOM_THREAD, s.comm, s.tid);
	panels_answer(panel->panels, "Rows are of all threads: sort by comm or pid first (s)");
	return PANEL_STAY;
}

enum panel_next report_zoom_dso(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };

	if (zooms_out(p, ZOOM_DSO))
		return tui_report_zoom_keys_zoomed(p);
	report_subject_find(p, &s);
	if (s.dso)
		return zoom_name(p, ZOOM_DSO, s.dso, -1);
	panels_answer(panel->panels, "Rows are of all objects: sort by dso or symbol first (s)");
	return PANEL_STAY;
}

enum panel_next report_zoom_kernel(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	if (zooms_out(p, ZOOM_DSO))
		return tui_report_zoom_keys_zoomed(p);
	return zoom_name(p, ZOOM_DSO, KERNEL_NAME, -1);
}

static enum panel_next zoom_number(struct report_panel *p, enum zoom_kind kind, int64_t number,
				   const char *key)
{
	if (number >= 0) {
		zooms_add(&p->rb->zooms, kind, NULL, number);
		return tui_report_zoom_keys_zoomed(p);
	}
	panels_answer(p->panel.panels, "Rows are of all of them: sort by %s first (s)", key);
	return PANEL_STAY;
}

enum panel_next report_zoom_socket(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };

	if (zooms_out(p, ZOOM_SOCKET))
		return tui_report_zoom_keys_zoomed(p);
	report_subject_find(p, &s);
	return zoom_number(p, ZOOM_SOCKET, s.socket, "socket");
}

enum panel_next report_zoom_cpu(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	_cleanup_(report_subject_done) struct report_subject s = { 0 };

	if (zooms_out(p, ZOOM_CPU))
		return tui_report_zoom_keys_zoomed(p);
	report_subject_find(p, &s);
	return zoom_number(p, ZOOM_CPU, s.cpu, "cpu");
}

static enum panel_next leave_or_stay(struct panel *owner, size_t value, void *arg)
{
	(void)owner, (void)arg;
	return value ? PANEL_QUIT : PANEL_STAY;
}

/*
 * Asks whether to leave. Enter means yes, because a user who presses ESC at the outermost panel
 * most likely wants to leave.
 */
enum panel_next report_ask_to_leave(struct panel *panel)
{
	static const struct menu_item items[] = {
		{ .text = "Enter: Yes", .key = 'y', .value = true },
		{ .text = "ESC: No", .key = 'n', .value = false },
	};

	menu_push(panel->panels, &(struct menu){ .title = "Do you really want to exit?",
						 .items = items,
						 .n = ARRAY_SIZE(items),
						 .chosen = leave_or_stay,
						 .owner = panel });
	return PANEL_STAY;
}

enum panel_next report_zoom_out(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	if (zooms_pop(&p->rb->zooms))
		return tui_report_zoom_keys_zoomed(p);
	if (p->snapshot && p->snapshot->tables->n > 1)
		events_panel_push(p);
	else
		return report_ask_to_leave(panel);
	return PANEL_STAY;
}

static enum panel_next filter_typed(struct panel *owner, const char *text, void *arg)
{
	struct report_panel *p = report_panel_of(owner);

	(void)arg;
	if (*text)
		zooms_add(&p->rb->zooms, ZOOM_SYMBOL, text, -1);
	else if (!zooms_remove(&p->rb->zooms, ZOOM_SYMBOL))
		return PANEL_STAY;
	return tui_report_zoom_keys_zoomed(p);
}

enum panel_next report_filter_symbol(struct panel *panel)
{
	prompt_push(panel->panels,
		    &(struct prompt){
			    .title = "Symbol to show",
			    .explanation = "Please enter the name of symbol you want to see.\n"
					   "To remove the filter later, press / + ENTER.",
			    .typed = filter_typed,
			    .owner = panel,
		    });
	return PANEL_STAY;
}
