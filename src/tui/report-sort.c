/* SPDX-License-Identifier: MIT */
/*
 * The menu of other views of the samples: sort keys, callers, hierarchies, groups; and other
 * recordings.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tui/browse.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

static const struct {
	const char *keys, *text;
} orders[] = {
	{ "comm,dso,symbol", "comm,dso,symbol      commands, objects, functions" },
	{ "symbol", "symbol               functions" },
	{ "dso", "dso                  objects: programs, libraries, the kernel" },
	{ "comm", "comm                 commands" },
	{ "pid", "pid                  threads" },
	{ "cpu", "cpu                  CPUs" },
	{ "socket", "socket               sockets" },
	{ "dso,symbol", "dso,symbol           objects, functions" },
	{ "comm,symbol", "comm,symbol          commands, functions" },
	{ "srcline", "srcline              lines of the source" },
	{ "symbol,srcline", "symbol,srcline       functions, lines of the source" },
	{ "parent", "parent               callers that --parent names" },
	{ "time", "time                 slices of time" },
	{ "trace", "trace                text of tracepoints" },
};

enum other_way {
	WAY_TYPED = 100,
	WAY_CHILDREN,
	WAY_ORDER,
	WAY_HIERARCHY,
	WAY_GROUP,
	WAY_FILE,
};

static enum panel_next keys_typed(struct panel *owner, const char *text, void *arg)
{
	struct report_panel *p = report_panel_of(owner);

	(void)arg;
	if (*text) {
		report_browser_sort(p->rb, text);
		report_panel_ask(p);
	}
	return PANEL_STAY;
}

static void ask_for_keys(struct report_panel *p)
{
	prompt_push(p->panel.panels,
		    &(struct prompt){
			    .title = "Sort keys",
			    .explanation = "Keys as --sort takes them: comm,dso,symbol",
			    .text = p->snapshot ? p->snapshot->profile->plan.sort : NULL,
			    .typed = keys_typed,
			    .owner = &p->panel,
		    });
}

/* Toggles rows of callers. The order of trees follows. */
static void toggle_children(struct browse_request *rq)
{
	bool children = !rq->profile.plan.children;

	rq->profile.plan.children = children;
	rq->profile.callers_first = children;
	rq->tables.rows.callers_first = children;
}

static void toggle_order(struct browse_request *rq)
{
	rq->profile.callers_first = !rq->profile.callers_first;
	rq->tables.rows.callers_first = rq->profile.callers_first;
}

/*
 * Toggles the grouping: all events are then shown next to each other, whether they were recorded as
 * a group or not.
 */
static void toggle_group(struct browse_request *rq)
{
	rq->tables.group = rq->tables.group == CHOICE_YES ? CHOICE_NO : CHOICE_YES;
}

static void tui_report_sort_change(struct report_panel *p, size_t way)
{
	struct browse_request *rq = &p->rb->base;

	if (way == WAY_CHILDREN)
		toggle_children(rq);
	else if (way == WAY_ORDER)
		toggle_order(rq);
	else if (way == WAY_HIERARCHY)
		rq->profile.plan.hierarchy = !rq->profile.plan.hierarchy;
	else
		toggle_group(rq);
	report_panel_ask(p);
}

static enum panel_next tui_report_sort_chosen(struct panel *owner, size_t value, void *arg)
{
	struct report_panel *p = report_panel_of(owner);

	(void)arg;
	if (value < ARRAY_SIZE(orders)) {
		report_browser_sort(p->rb, orders[value].keys);
		report_panel_ask(p);
	} else if (value == WAY_TYPED) {
		ask_for_keys(p);
	} else if (value == WAY_FILE) {
		return report_files_menu(owner);
	} else {
		tui_report_sort_change(p, value);
	}
	return PANEL_STAY;
}

enum panel_next report_sort_menu(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);
	const struct browse_request *rq = &p->rb->base;
	const struct menu_item others[] = {
		{ .text = "Type sort keys ...", .key = 't', .value = WAY_TYPED },
		{ .text = "", .is_heading = true },
		{ .text = rq->profile.plan.children ? "Callers have no rows (--no-children)"
						    : "Callers have rows too (--children)",
		  .value = WAY_CHILDREN },
		{ .text = rq->tables.rows.callers_first
				  ? "Call trees begin with the callee (-g callee)"
				  : "Call trees begin with the caller (-g caller)",
		  .value = WAY_ORDER },
		{ .text = rq->profile.plan.hierarchy ? "No hierarchy"
						     : "Rows within rows (--hierarchy)",
		  .value = WAY_HIERARCHY },
		{ .text = rq->tables.group == CHOICE_YES ? "Events apart (--no-group)"
							 : "Events side by side (--group)",
		  .value = WAY_GROUP },
		{ .text = "", .is_heading = true },
		{ .text = "Switch to another data file in PWD", .key = 's', .value = WAY_FILE },
	};
	struct menu_item items[ARRAY_SIZE(orders) + ARRAY_SIZE(others)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		items[n++] = (struct menu_item){ .text = orders[i].text, .value = i };
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		items[n++] = others[i];
	/* Live data does not come from a file. */
	n -= p->rb->o->live ? 2 : 0;
	menu_push(panel->panels, &(struct menu){ .title = "Sort by",
						 .items = items,
						 .n = n,
						 .chosen = tui_report_sort_chosen,
						 .owner = panel });
	return PANEL_STAY;
}
