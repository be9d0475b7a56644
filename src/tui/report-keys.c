/* SPDX-License-Identifier: MIT */
/*
 * The keys of the report's panel.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tui/browse.h"
#include "tui/menu.h"
#include "tui/report-parts.h"

#define CTRL(c)   ((c)&0x1f)
#define DELAY_MAX 1e6 /* the maximum of seconds between refreshes */

static bool tui_report_keys_has_events(const struct panel *panel)
{
	const struct report_panel *p = report_panel_of((struct panel *)panel);

	return p->snapshot && p->snapshot->tables->n > 1;
}

static bool tui_report_keys_is_live(const struct panel *panel)
{
	return report_panel_of((struct panel *)panel)->rb->o->live;
}

static bool has_code(const struct panel *panel)
{
	return report_panel_of((struct panel *)panel)->rb->o->annotate;
}

static bool tui_report_keys_is_recording(const struct panel *panel)
{
	return !tui_report_keys_is_live(panel);
}

static const struct report_table *tui_report_keys_table_of(const struct report_panel *p)
{
	return p->page ? report_page_table(p->page) : NULL;
}

static bool is_group(const struct panel *panel)
{
	const struct report_table *t =
		tui_report_keys_table_of(report_panel_of((struct panel *)panel));

	return t && t->n_events > 1;
}

static enum panel_next tui_report_keys_quit(struct panel *panel)
{
	(void)panel;
	return PANEL_QUIT;
}

static enum panel_next switch_event(struct report_panel *p, size_t step)
{
	size_t n = p->snapshot ? p->snapshot->tables->n : 0;

	if (n)
		report_panel_show(p, (p->table + step) % n);
	return PANEL_STAY;
}

static enum panel_next tui_report_keys_next_event(struct panel *panel)
{
	return switch_event(report_panel_of(panel), 1);
}

static enum panel_next previous_event(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	return switch_event(p, p->snapshot ? p->snapshot->tables->n - 1 : 0);
}

/* Scrolls right by one column; the last one always stays. */
static enum panel_next scroll_right(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	if (p->page && p->skip + 1 < report_page_columns(p->page))
		p->skip++;
	return PANEL_STAY;
}

static enum panel_next scroll_left(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	if (!p->skip)
		return report_zoom_out(panel);
	p->skip--;
	return PANEL_STAY;
}

static enum panel_next toggle_heads(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	p->without_heads = !p->without_heads;
	return PANEL_STAY;
}

enum panel_next report_toggle_percentage(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	p->rb->base.tables.rows.absolute = !p->rb->base.tables.rows.absolute;
	report_panel_ask(p);
	panels_answer(panel->panels, p->rb->base.tables.rows.absolute
					     ? "Percentages are of all samples"
					     : "Percentages are of what the filters leave");
	return PANEL_STAY;
}

enum panel_next report_toggle_verbose(struct panel *panel)
{
	struct report_panel *p = report_panel_of(panel);

	p->rb->base.profile.verbose = p->rb->base.profile.verbose ? 0 : 1;
	p->rb->look.tree.images = p->rb->base.profile.verbose > 0;
	report_panel_ask(p);
	panels_answer(panel->panels, p->rb->base.profile.verbose ? "Verbosity level set to 1"
								 : "Verbosity level set to 0");
	return PANEL_STAY;
}

static enum panel_next cycle_frames(struct panel *panel)
{
	static const char *const answers[N_FRAME_CHOICES] = {
		[FRAME_CHOICE_ALL] = "All frames are shown",
		[FRAME_CHOICE_NATIVE] = "Only native frames are shown",
		[FRAME_CHOICE_INTERPRETED] = "Only functions of interpreted languages are shown",
	};
	struct report_panel *p = report_panel_of(panel);
	enum frame_choice *frames = &p->rb->base.profile.frames;

	*frames = (enum frame_choice)((*frames + 1) % N_FRAME_CHOICES);
	report_panel_ask(p);
	panels_answer(panel->panels, "%s", answers[*frames]);
	return PANEL_STAY;
}

static enum panel_next limit_typed(struct panel *owner, const char *text, void *arg)
{
	struct report_panel *p = report_panel_of(owner);
	char *end;
	double percent = strtod(text, &end);

	(void)arg;
	if (*end || !(percent >= 0 && percent <= 100)) {
		panels_answer(owner->panels, "Invalid percent: %s", text);
		return PANEL_STAY;
	}
	p->rb->base.tables.rows.percent_limit = percent;
	/* The limit for rows also applies to the branches of trees. */
	p->rb->look.tree.threshold = percent;
	report_panel_ask(p);
	return PANEL_STAY;
}

enum panel_next report_change_limit(struct panel *panel)
{
	prompt_push(panel->panels,
		    &(struct prompt){
			    .title = "Percent Limit",
			    .explanation = "Please enter the value you want to hide entries under "
					   "that percent.",
			    .typed = limit_typed,
			    .owner = panel,
		    });
	return PANEL_STAY;
}

static enum panel_next sort_by(struct panel *panel, size_t event)
{
	struct report_panel *p = report_panel_of(panel);
	const struct report_table *t = tui_report_keys_table_of(p);

	if (t && event >= t->n_events) {
		panels_answer(panel->panels, "Sort by event %zu: the group has only %zu", event,
			      t->n_events);
		return PANEL_STAY;
	}
	p->rb->base.tables.group_sort_idx = event;
	report_panel_ask(p);
	return PANEL_STAY;
}

/* One function for each digit, because rows of the table have no number. */
#define SORT_BY(n)                                                                                 \
	static enum panel_next sort_by_##n(struct panel *panel)                                    \
	{                                                                                          \
		return sort_by(panel, n);                                                          \
	}
SORT_BY(0)
SORT_BY(1)
SORT_BY(2)
SORT_BY(3)
SORT_BY(4)
SORT_BY(5)
SORT_BY(6)
SORT_BY(7)
SORT_BY(8)
SORT_BY(9)

static enum panel_next tui_report_keys_answer(struct panel *panel, const char *(*ask)(void *arg))
{
	const struct report_live *live = report_panel_of(panel)->rb->o->live;
	const char *text = ask ? ask(live->arg) : NULL;

	if (text)
		panels_answer(panel->panels, "%s", text);
	return PANEL_STAY;
}

static enum panel_next tui_report_keys_zero(struct panel *panel)
{
	return tui_report_keys_answer(panel, report_panel_of(panel)->rb->o->live->zero);
}

static enum panel_next tui_report_keys_toggle_events(struct panel *panel)
{
	return tui_report_keys_answer(panel, report_panel_of(panel)->rb->o->live->toggle_events);
}

static enum panel_next tui_report_keys_save(struct panel *panel)
{
	return tui_report_keys_answer(panel, report_panel_of(panel)->rb->o->live->save);
}

static enum panel_next delay_typed(struct panel *panel, const char *text, void *arg)
{
	const struct report_live *live = report_panel_of(panel)->rb->o->live;
	char *end;
	double seconds = strtod(text, &end);

	(void)arg;
	if (end == text || *end || !(seconds >= 0 && seconds <= DELAY_MAX))
		panels_answer(panel->panels, "'%s' is not a number of seconds", text);
	else
		panels_answer(panel->panels, "%s", live->set_delay(live->arg, seconds));
	return PANEL_STAY;
}

static enum panel_next change_delay(struct panel *panel)
{
	const struct report_live *live = report_panel_of(panel)->rb->o->live;
	_cleanup_(freep) char *now = xasprintf("%g", live->delay(live->arg));

	prompt_push(panel->panels, &(struct prompt){
					   .title = "Delay",
					   .explanation = "Seconds between two refreshes: 2, 0.5",
					   .text = now,
					   .typed = delay_typed,
					   .owner = panel,
				   });
	return PANEL_STAY;
}

#define SYMBOLIC "For symbolic views (--sort has sym):"
#define SEVERAL  "For multiple event sessions:"

/* The list handles keys that move; their rows exist only for the help. */
static enum panel_next tui_report_keys_moved(struct panel *panel)
{
	(void)panel;
	return PANEL_PASS;
}

static bool is_in_strip(const struct panel *panel)
{
	return report_panel_of((struct panel *)panel)->strip.has_keys;
}

const struct key_binding report_keys[] = {
	{ KEY(tui_report_keys_quit, "q/CTRL+C", "Exit browser", 'q', CTRL('c')) },
	{ KEY(tui_report_keys_moved, "LEFT/RIGHT", "Move; with Shift, select", 0),
	  .applies = is_in_strip, .heading = "In the time strip:" },
	{ KEY(tui_report_keys_moved, "SPACE", "Mark one end of a time, then the other", 0),
	  .applies = is_in_strip },
	{ KEY(tui_report_keys_moved, "+/-", "See less of the time, or more", 0),
	  .applies = is_in_strip },
	{ KEY(tui_report_keys_moved, "ENTER", "Show only samples of the selected time", 0),
	  .applies = is_in_strip },
	{ KEY(tui_report_keys_moved, "ESC", "Take the selection back, or leave the strip", 0),
	  .applies = is_in_strip },
	{ KEY(tui_report_keys_moved, "UP/DOWN/PGUP", "", 0) },
	{ KEY(tui_report_keys_moved, "PGDN/SPACE", "Navigate", 0) },
	{ KEY(tui_report_keys_moved, "HOME/END", "Go to the first or last row", 0) },
	{ KEY(scroll_right, "RIGHT/LEFT", "Scroll the columns; LEFT zooms out at the first",
	      SCREEN_KEY_RIGHT) },
	{ KEY(scroll_left, NULL, NULL, SCREEN_KEY_LEFT) },
	{ KEY(tui_report_keys_next_event, "TAB/UNTAB", "Switch events", SCREEN_KEY_TAB),
	  .applies = tui_report_keys_has_events, .heading = SEVERAL },
	{ KEY(previous_event, NULL, NULL, SCREEN_KEY_BACK_TAB),
	  .applies = tui_report_keys_has_events },
	{ KEY(report_show_menu, "ENTER", "Zoom into DSO/Threads & Annotate current symbol",
	      SCREEN_KEY_ENTER),
	  .heading = SYMBOLIC },
	{ KEY(report_zoom_out, "ESC", "Zoom out", SCREEN_KEY_ESCAPE) },
	{ KEY(report_toggle, "+", "Expand/Collapse one callchain level", '+', '-') },
	{ KEY(report_annotate, "a", "Annotate current symbol", 'a'), .applies = has_code },
	{ KEY(report_close_row, "c", "Collapse main entry callchains", 'c') },
	{ KEY(report_close_all, "C", "Collapse all callchains", 'C') },
	{ KEY(report_zoom_dso, "d", "Zoom into current DSO", 'd') },
	{ KEY(report_toggle_deep, "e", "Expand/Collapse main entry callchains", 'e') },
	{ KEY(report_open_all, "E", "Expand all callchains", 'E') },
	{ KEY(report_toggle_percentage, "F", "Toggle percentage of filtered entries", 'F') },
	{ KEY(toggle_heads, "H", "Display column headers", 'H') },
	{ KEY(report_zoom_kernel, "k", "Zoom into the kernel map", 'k') },
	{ KEY(report_change_limit, "L", "Change percent limit", 'L') },
	{ KEY(report_show_menu, "m", "Display context menu", 'm') },
	{ KEY(report_zoom_cpu, "p", "Zoom into current CPU", 'p') },
	{ KEY(report_zoom_socket, "S", "Zoom into current Processor Socket", 'S') },
	{ KEY(cycle_frames, "I", "Show all frames, only native or only interpreted ones", 'I'),
	  .applies = tui_report_keys_is_recording },
	{ KEY(report_show_header, "i", "Show header information", 'i'),
	  .applies = tui_report_keys_is_recording },
	{ KEY(report_print_rows, "P", "Print histograms to perf.hist.N", 'P') },
	{ KEY(report_scripts, "r", "Run available scripts", 'r'),
	  .applies = tui_report_keys_is_recording },
	{ KEY(report_sort_menu, "s", "Sort in another way, or switch to another data file in PWD",
	      's') },
	{ KEY(report_zoom_thread, "t", "Zoom into current Thread", 't') },
	{ KEY(report_toggle_verbose, "V", "Verbose (DSO names in callchains, etc)", 'V') },
	{ KEY(tui_report_keys_zero, "z", "Toggle zeroing of samples", 'z'),
	  .applies = tui_report_keys_is_live },
	{ KEY(tui_report_keys_toggle_events, "f", "Enable/Disable events", 'f'),
	  .applies = tui_report_keys_is_live },
	{ KEY(change_delay, "D", "Change the delay between refreshes", 'D'),
	  .applies = tui_report_keys_is_live },
	{ KEY(tui_report_keys_save, "w", "Save what is shown", 'w'),
	  .applies = tui_report_keys_is_live },
	{ KEY(report_flame, "f/b", "Flame bars: the call tree as bars", 'b', 'f'),
	  .applies = tui_report_keys_is_recording },
	{ KEY(report_flame, "b", "Flame bars: the call tree as bars", 'b'),
	  .applies = tui_report_keys_is_live },
	{ KEY(report_select_time, "T", "Select a time in the strip below the rows", 'T') },
	{ KEY(report_export, "x", "Export: SVG, HTML, folded stacks, JSON, text", 'x') },
	{ KEY(report_filter_symbol, "/", "Filter symbol by name", '/') },
	{ KEY(report_search, "CTRL+F", "Search in the rows", CTRL('f')) },
	{ KEY(report_search_next, "n/N", "Search for the next or previous one", 'n') },
	{ KEY(report_search_previous, NULL, NULL, 'N') },
	{ KEY(sort_by_0, "0-9", "Sort by event n in group", '0'), .applies = is_group },
	{ KEY(sort_by_1, NULL, NULL, '1'), .applies = is_group },
	{ KEY(sort_by_2, NULL, NULL, '2'), .applies = is_group },
	{ KEY(sort_by_3, NULL, NULL, '3'), .applies = is_group },
	{ KEY(sort_by_4, NULL, NULL, '4'), .applies = is_group },
	{ KEY(sort_by_5, NULL, NULL, '5'), .applies = is_group },
	{ KEY(sort_by_6, NULL, NULL, '6'), .applies = is_group },
	{ KEY(sort_by_7, NULL, NULL, '7'), .applies = is_group },
	{ KEY(sort_by_8, NULL, NULL, '8'), .applies = is_group },
	{ KEY(sort_by_9, NULL, NULL, '9'), .applies = is_group },
	{ .run = NULL },
};
