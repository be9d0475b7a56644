/* SPDX-License-Identifier: MIT */
/* The keys of the browser of code. */
#include <stdlib.h>

#include "base/memory.h"
#include "session/reading.h"
#include "session/session.h"
#include "tui/annotate-state.h"
#include "tui/help.h"
#include "tui/menu.h"

#define CTRL(c) ((c)&0x1f)

static enum panel_next tui_annotate_keys_navigate(struct panel *p)
{
	(void)p;
	return PANEL_PASS;
}

static enum panel_next tui_annotate_keys_show_help(struct panel *p)
{
	help_push(p);
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_leave(struct panel *p)
{
	return annotate_go_back(annotate_panel_of(p)) ? PANEL_STAY : PANEL_CLOSE;
}

static enum panel_next tui_annotate_keys_close_it(struct panel *p)
{
	(void)p;
	return PANEL_CLOSE;
}

static enum panel_next tui_annotate_keys_follow(struct panel *p)
{
	return annotate_follow(annotate_panel_of(p));
}

/* Updates the panel after a part of the view was changed. */
static enum panel_next tui_annotate_keys_changed(struct annotate_panel *a)
{
	annotate_lay_out(a);
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_toggle(struct annotate_panel *a, bool *what)
{
	*what = !*what;
	return tui_annotate_keys_changed(a);
}

static enum panel_next go_hottest(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	if (a->hottest.n)
		annotate_go_to(a, a->hottest.items[0]);
	return PANEL_STAY;
}

static enum panel_next cycle_hottest(struct annotate_panel *a, int step)
{
	size_t line = annotate_rows_line(&a->rows, a->list.cursor);

	if (a->hottest.n)
		annotate_go_to(a, annotate_hottest_next(&a->hottest, line, step));
	return PANEL_STAY;
}

static enum panel_next next_hottest(struct panel *p)
{
	return cycle_hottest(annotate_panel_of(p), 1);
}

static enum panel_next previous_hottest(struct panel *p)
{
	return cycle_hottest(annotate_panel_of(p), -1);
}

/* Goes to the function that is @step places lower in the order of weights. */
static enum panel_next go_symbol(struct annotate_panel *a, int step)
{
	const struct annotated_functions *all = a->samples ? &a->samples->all : NULL;
	size_t i = 0;

	if (!all || !all->n || !a->code)
		return PANEL_STAY;
	while (i < all->n &&
	       (all->items[i].sym != a->code->sym || all->items[i].image != a->code->image))
		i++;
	if (i == all->n)
		i = 0;
	else if ((step < 0 && !i) || (step > 0 && i + 1 == all->n)) {
		panels_answer(a->panel.panels, step < 0 ? "This function has the most samples."
							: "This is the last function.");
		return PANEL_STAY;
	} else {
		i = step < 0 ? i - 1 : i + 1;
	}
	annotate_ask(a, all->items[i].image, all->items[i].sym, false);
	return PANEL_STAY;
}

static enum panel_next previous_symbol(struct panel *p)
{
	return go_symbol(annotate_panel_of(p), -1);
}

static enum panel_next tui_annotate_keys_next_symbol(struct panel *p)
{
	return go_symbol(annotate_panel_of(p), 1);
}

static enum panel_next toggle_arrows(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.jump_arrows);
}

static enum panel_next toggle_jump_counts(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.show_jumps);
}

static enum panel_next toggle_offsets(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.use_offset);
}

static enum panel_next toggle_source(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.hide_source);
}

static enum panel_next toggle_line_numbers(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.show_line_numbers);
}

static enum panel_next toggle_places(struct panel *p)
{
	return tui_annotate_keys_toggle(annotate_panel_of(p),
					&annotate_panel_of(p)->view.layout.show_places);
}

static enum panel_next toggle_full_addresses(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	if (a->view.layout.use_offset)
		panels_answer(
			p->panels,
			"With o, addresses are shown in the place of offsets: then they are %s",
			a->view.layout.full_addresses ? "those of the file" : "those at run time");
	return tui_annotate_keys_toggle(a, &a->view.layout.full_addresses);
}

static enum panel_next toggle_extreme_cycles(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	if (!annotate_has_lines(a) || !a->code->listing.has_cycles)
		panels_answer(p->panels, "No cycles were recorded for this function: that takes "
					 "'perf record -b', and hardware that counts them.");
	return tui_annotate_keys_toggle(a, &a->view.layout.extreme_cycles);
}

static enum panel_next bump_offsets(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	a->view.layout.offset_level = a->view.layout.offset_level % 3 + 1;
	return tui_annotate_keys_changed(a);
}

static enum panel_next next_figure(struct panel *p)
{
	static const enum annotate_figure next[] = {
		[ANNOTATE_PERCENT] = ANNOTATE_PERIOD,
		[ANNOTATE_PERIOD] = ANNOTATE_SAMPLES,
		[ANNOTATE_SAMPLES] = ANNOTATE_PERCENT,
	};
	struct annotate_panel *a = annotate_panel_of(p);

	a->view.figure = next[a->view.figure];
	return tui_annotate_keys_changed(a);
}

static enum panel_next toggle_whole(struct panel *p)
{
	static const enum annotate_base other[] = {
		[ANNOTATE_LOCAL_PERIOD] = ANNOTATE_GLOBAL_PERIOD,
		[ANNOTATE_GLOBAL_PERIOD] = ANNOTATE_LOCAL_PERIOD,
		[ANNOTATE_LOCAL_HITS] = ANNOTATE_GLOBAL_HITS,
		[ANNOTATE_GLOBAL_HITS] = ANNOTATE_LOCAL_HITS,
	};
	struct annotate_panel *a = annotate_panel_of(p);

	a->view.whole.base = other[a->view.whole.base];
	return tui_annotate_keys_changed(a);
}

static enum panel_next toggle_base(struct panel *p)
{
	static const enum annotate_base other[] = {
		[ANNOTATE_LOCAL_PERIOD] = ANNOTATE_LOCAL_HITS,
		[ANNOTATE_LOCAL_HITS] = ANNOTATE_LOCAL_PERIOD,
		[ANNOTATE_GLOBAL_PERIOD] = ANNOTATE_GLOBAL_HITS,
		[ANNOTATE_GLOBAL_HITS] = ANNOTATE_GLOBAL_PERIOD,
	};
	struct annotate_panel *a = annotate_panel_of(p);

	a->view.whole.base = other[a->view.whole.base];
	return tui_annotate_keys_changed(a);
}

static enum panel_next search_again(struct annotate_panel *a)
{
	size_t row;

	if (!annotate_has_lines(a))
		return PANEL_STAY;
	row = annotate_rows_search(&a->text, &a->rows, a->part, a->list.cursor, a->search_step);
	if (row == a->rows.n)
		panels_answer(a->panel.panels, "String not found!");
	else
		a->list.cursor = row;
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_typed(struct panel *owner, const char *text, void *arg)
{
	struct annotate_panel *a = annotate_panel_of(owner);

	(void)arg;
	free(a->part);
	a->part = *text ? xstrdup(text) : NULL;
	return a->part ? search_again(a) : PANEL_STAY;
}

static enum panel_next ask_part(struct annotate_panel *a, int step)
{
	a->search_step = step;
	prompt_push(a->panel.panels, &(struct prompt){
					     .title = "Search",
					     .explanation = "String:",
					     .text = a->part,
					     .typed = tui_annotate_keys_typed,
					     .owner = &a->panel,
				     });
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_search(struct panel *p)
{
	return ask_part(annotate_panel_of(p), 1);
}

static enum panel_next search_backwards(struct panel *p)
{
	return ask_part(annotate_panel_of(p), -1);
}

static enum panel_next search_next(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	return a->part ? search_again(a) : ask_part(a, 1);
}

static enum panel_next tui_annotate_keys_print(struct panel *p)
{
	annotate_print(annotate_panel_of(p));
	return PANEL_STAY;
}

static enum panel_next run_scripts(struct panel *p)
{
	panels_answer(p->panels, "Scripts are run in perf report. 'perf script' prints the samples "
				 "for programs that read text.");
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_show_types(struct panel *p)
{
	panels_answer(p->panels, "Types of data are not found out by this version.");
	return PANEL_STAY;
}

static enum panel_next show_branch_counters(struct panel *p)
{
	panels_answer(p->panels, "The recording has no branch counters: they need a CPU with "
				 "event logging in its branch records, and -j counter.");
	return PANEL_STAY;
}

/* Shows the chosen event. Each group counts as one event. */
static enum panel_next tui_annotate_keys_chosen(struct panel *owner, size_t value, void *arg)
{
	struct annotate_panel *a = annotate_panel_of(owner);

	(void)arg;
	code_functions_select(a->functions, value,
			      reading_group_size(a->samples->session, CHOICE_UNSAID, value));
	return PANEL_STAY;
}

static enum panel_next tui_annotate_keys_choose_event(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);
	const struct session *s = a->samples ? a->samples->session : NULL;
	size_t n_events = s ? session_event_count(s) : 0, n = 0;
	_cleanup_(freep) struct menu_item *items = xcalloc(n_events + 1, sizeof(*items));
	struct menu m = {
		.title = "Events", .items = items, .chosen = tui_annotate_keys_chosen, .owner = p
	};

	for (size_t first = 0, size; first < n_events; first += size) {
		size = reading_group_size(s, CHOICE_UNSAID, first);
		if (first == a->samples->first)
			m.first = n;
		items[n++] = (struct menu_item){ .text = session_event(s, first)->name,
						 .value = first };
	}
	m.n = n;
	if (n)
		menu_push(p->panels, &m);
	return PANEL_STAY;
}

static bool tui_annotate_keys_has_events(const struct panel *p)
{
	const struct annotate_panel *a = (const struct annotate_panel *)p;

	return a->samples && session_event_count(a->samples->session) > a->samples->n;
}

static bool tui_annotate_keys_can_save(const struct panel *p)
{
	return ((const struct annotate_panel *)p)->save;
}

static enum panel_next tui_annotate_keys_save(struct panel *p)
{
	const struct annotate_panel *a = annotate_panel_of(p);

	a->save(a->save_arg, p);
	return PANEL_STAY;
}

const struct key_binding annotate_keys[] = {
	{ KEY(tui_annotate_keys_navigate, "UP/DOWN/PGUP/PGDN", "Navigate", 0) },
	{ KEY(tui_annotate_keys_show_help, "h/F1", "Show this window", 'h', SCREEN_KEY_F1) },
	{ KEY(previous_symbol, "<", "Move to previous symbol", '<') },
	{ KEY(tui_annotate_keys_next_symbol, ">", "Move to next symbol", '>') },
	{ KEY(tui_annotate_keys_leave, "q/ESC/LEFT", "Back to the caller, or exit", 'q',
	      SCREEN_KEY_ESCAPE, SCREEN_KEY_LEFT) },
	{ KEY(tui_annotate_keys_close_it, "CTRL+C", "Exit", CTRL('c')) },
	{ KEY(tui_annotate_keys_follow, "ENTER/RIGHT", "Go to target", SCREEN_KEY_ENTER,
	      SCREEN_KEY_RIGHT) },
	{ KEY(go_hottest, "H", "Go to hottest instruction", 'H') },
	{ KEY(next_hottest, "TAB", "Cycle thru hottest instructions", SCREEN_KEY_TAB) },
	{ KEY(previous_hottest, "shift+TAB", "The same, backwards", SCREEN_KEY_BACK_TAB) },
	{ KEY(toggle_arrows, "j", "Toggle showing jump to target arrows", 'j') },
	{ KEY(toggle_jump_counts, "J", "Toggle showing number of jump sources on targets", 'J') },
	{ KEY(search_next, "n", "Search next string", 'n') },
	{ KEY(toggle_offsets, "o", "Toggle disassembler output/simplified view", 'o') },
	{ KEY(bump_offsets, "O", "Bump offset level (jump targets -> +call -> all -> cycle thru)",
	      'O') },
	{ KEY(toggle_source, "s", "Toggle source code view", 's') },
	{ KEY(next_figure, "t", "Circulate percent, total period, samples view", 't') },
	{ KEY(toggle_extreme_cycles, "c", "Show min/max cycle", 'c') },
	{ KEY(tui_annotate_keys_search, "/", "Search string", '/') },
	{ KEY(toggle_line_numbers, "k", "Toggle line numbers", 'k') },
	{ KEY(toggle_places, "l", "Show full source file location", 'l') },
	{ KEY(tui_annotate_keys_print, "P", "Print to [symbol_name].annotation file.", 'P') },
	{ KEY(tui_annotate_keys_save, "x", "Export: SVG, HTML, folded stacks, JSON, text", 'x'),
	  .applies = tui_annotate_keys_can_save },
	{ KEY(run_scripts, "r", "Run available scripts", 'r') },
	{ KEY(toggle_whole, "p", "Toggle percent type [local/global]", 'p') },
	{ KEY(toggle_base, "b", "Toggle percent base [period/hits]", 'b') },
	{ KEY(show_branch_counters, "B", "Branch counter abbr list (Optional)", 'B') },
	{ KEY(search_backwards, "?", "Search string backwards", '?') },
	{ KEY(toggle_full_addresses, "f", "Toggle showing offsets to full address", 'f') },
	{ KEY(tui_annotate_keys_show_types, "T", "Toggle data type display", 'T') },
	{ KEY(tui_annotate_keys_choose_event, "e", "Show another event", 'e'),
	  .applies = tui_annotate_keys_has_events },
	{ .run = NULL },
};
