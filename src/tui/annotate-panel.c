/* SPDX-License-Identifier: MIT */
#include "tui/annotate-panel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/similar.h"
#include "symbol/symbolizer.h"
#include "tui/annotate-state.h"

bool annotate_has_lines(const struct annotate_panel *a)
{
	return a->code && a->code->r >= 0;
}

const struct listing_line *annotate_current(const struct annotate_panel *a)
{
	int32_t item;

	if (!annotate_has_lines(a) || a->list.cursor >= a->rows.n)
		return NULL;
	item = a->rows.items[a->list.cursor];
	if (item < 0 || a->code->listing.items[item].kind != LISTING_CODE)
		return NULL;
	return &a->code->listing.items[item];
}

/* Updates everything in the view that depends on samples. */
static void settle_view(struct annotate_panel *a)
{
	const struct code_samples *s = a->code ? a->code->samples : a->samples;
	const struct weight *of;

	if (!s)
		return;
	of = a->only_function && annotate_has_lines(a) ? a->code->listing.function->totals
						       : s->totals;
	a->view.event = s->event;
	a->view.frequency = s->frequency;
	a->view.whole.n_events = s->n;
	a->view.whole.totals = s->totals;
	memset(a->view.shown, 0, sizeof(a->view.shown));
	for (size_t i = 0; i < s->n; i++)
		weight_add(&a->view.shown[i > 0], of[i]);
}

static void lay_out_at(struct annotate_panel *a, size_t line)
{
	settle_view(a);
	if (!annotate_has_lines(a))
		return;
	line_text_done(&a->text);
	line_text_init(&a->text, &a->view, &a->code->listing);
	annotate_rows_fill(&a->rows, &a->text);
	annotate_hottest_fill(&a->hottest, &a->code->listing, &a->view.whole);
	a->list.n = a->rows.n;
	a->list.cursor = annotate_rows_find(&a->rows, line);
}

void annotate_lay_out(struct annotate_panel *a)
{
	size_t screen_row = a->list.cursor - a->list.top;

	lay_out_at(a, annotate_rows_line(&a->rows, a->list.cursor));
	/* The line keeps its place on the screen. */
	a->list.top = a->list.cursor > screen_row ? a->list.cursor - screen_row : 0;
}

void annotate_go_to(struct annotate_panel *a, size_t line)
{
	size_t row = annotate_rows_find(&a->rows, line);

	a->list.cursor = row;
	a->centres = row < a->list.top || row >= a->list.top + (size_t)a->list.area.height;
}

static size_t hottest_line(const struct annotate_panel *a)
{
	return a->hottest.n ? a->hottest.items[0] : 0;
}

/* Shows @l, which the panel now owns. The cursor is at the hottest instruction. */
static void tui_annotate_panel_show(struct annotate_panel *a, struct code_listing *l)
{
	if (a->goes_in && annotate_has_lines(a))
		*ARRAY_ADD(&a->back) = (struct annotate_visit){
			.code = a->code,
			.line = annotate_rows_line(&a->rows, a->list.cursor),
		};
	else
		code_listing_free(a->code);
	a->waits = a->goes_in = false;
	a->code = l;
	if (a->samples->serial > l->samples->serial)
		code_listing_refresh(l, a->samples);
	lay_out_at(a, 0);
	a->list.cursor = annotate_rows_find(&a->rows, hottest_line(a));
	a->centres = true;
}

bool annotate_go_back(struct annotate_panel *a)
{
	struct annotate_visit to;

	if (!a->back.n)
		return false;
	to = a->back.items[--a->back.n];
	code_listing_free(a->code);
	a->code = to.code;
	a->waits = a->goes_in = false;
	/* For another number of events, the listing must be made again. */
	if (a->samples->n != to.code->samples->n)
		annotate_ask(a, to.code->image, to.code->sym, false);
	else if (a->samples->serial > to.code->samples->serial)
		code_listing_refresh(to.code, a->samples);
	lay_out_at(a, to.line);
	a->centres = true;
	return true;
}

void annotate_ask(struct annotate_panel *a, struct image *im, const struct symbol *sym,
		  bool goes_in)
{
	a->waits = true;
	a->goes_in = goes_in;
	code_functions_ask(a->functions, a->samples, im, sym);
}

static const struct annotated_function *wanted_function(const struct annotate_panel *a)
{
	const struct code_samples *s = a->samples;

	if (a->symbol)
		return code_samples_find(s, a->image, a->symbol, a->start);
	return s->all.n ? &s->all.items[0] : NULL;
}

/* Suggests functions with samples and similar names. */
static void tui_annotate_panel_suggest(struct annotate_panel *a)
{
	struct similar near = { .typed = a->symbol };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < a->samples->all.n; i++)
		similar_add(&near, a->samples->all.items[i].sym->name);
	phrase = similar_phrase(&near);
	if (phrase)
		diag_hint(&a->failure, "Did you mean %s?", phrase);
}

static void tui_annotate_panel_refuse(struct annotate_panel *a)
{
	a->has_failed = true;
	if (code_functions_is_live(a->functions))
		diag_set(&a->failure, 0, "Waiting for samples of %s ...",
			 a->symbol ? a->symbol : "any function");
	else if (a->symbol)
		diag_set(&a->failure, 0, "No samples for the \"%s\" symbol.", a->symbol);
	else
		diag_set(&a->failure, 0, "No function has samples of this event.");
	if (a->symbol && !a->image)
		tui_annotate_panel_suggest(a);
	diag_hint(&a->failure, "q goes back.");
}

/*
 * Takes the first samples: looks up the requested function, or the one that is shown for other
 * events.
 */
static void tui_annotate_panel_begin(struct annotate_panel *a)
{
	const struct annotated_function *f;

	a->has_failed = false;
	if (a->code) {
		annotate_ask(a, a->code->image, a->code->sym, false);
		return;
	}
	f = wanted_function(a);
	if (f)
		annotate_ask(a, f->image, f->sym, false);
	else
		tui_annotate_panel_refuse(a);
}

static void tui_annotate_panel_take_samples(struct annotate_panel *a, const struct code_samples *s)
{
	bool same_events = a->samples && a->samples->first == s->first && a->samples->n == s->n;

	code_samples_release(a->samples);
	a->samples = s;
	/* Live samples may arrive faster than a listing is made. */
	if (same_events && a->waits)
		return;
	if (!same_events || !a->code) {
		tui_annotate_panel_begin(a);
		return;
	}
	code_listing_refresh(a->code, s);
	annotate_lay_out(a);
}

static void on_news(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);
	const struct code_samples *s = code_functions_take(a->functions, a->samples);
	struct code_listing *l = code_functions_listing(a->functions);

	/* The user may have gone back meanwhile. */
	if (l && a->waits)
		tui_annotate_panel_show(a, l);
	else
		code_listing_free(l);
	if (s)
		tui_annotate_panel_take_samples(a, s);
	if (!a->has_failed && code_functions_failure(a->functions, &a->failure) < 0)
		a->has_failed = true;
}

static void tui_annotate_panel_free(struct panel *p)
{
	struct annotate_panel *a = annotate_panel_of(p);

	a->kept->figure = a->view.figure;
	a->kept->whole.base = a->view.whole.base;
	a->kept->layout = a->view.layout;
	panels_unwatch(p->panels, code_functions_fd(a->functions));
	while (a->back.n)
		code_listing_free(a->back.items[--a->back.n].code);
	free(a->back.items);
	line_text_done(&a->text);
	annotate_rows_done(&a->rows);
	annotate_hottest_done(&a->hottest);
	code_listing_free(a->code);
	code_samples_release(a->samples);
	code_functions_free(a->functions);
	diag_done(&a->failure);
	free(a->part);
	free(a->image);
	free(a->symbol);
	free(a);
}

static bool is_at_arrow(const struct annotate_panel *a, const struct screen_input *in)
{
	int x = in->x - annotate_arrow_column(a);

	return x >= 0 && x < ANNOTATE_ARROW_WIDTH;
}

/* A click moves the cursor. A click at an arrow, or at the place of the cursor, follows it. */
static enum panel_next tui_annotate_panel_take_mouse(struct annotate_panel *a,
						     const struct screen_input *in)
{
	size_t before = a->list.cursor;
	const struct listing_line *line;

	if (in->mouse == MOUSE_DOUBLE_CLICK)
		return annotate_follow(a);
	if (!list_input(&a->list, in))
		return PANEL_PASS;
	line = annotate_current(a);
	if (in->mouse != MOUSE_CLICK || !line || line_text_arrow(&a->text, line) == LINE_ARROW_NONE)
		return PANEL_STAY;
	return a->list.cursor == before || is_at_arrow(a, in) ? annotate_follow(a) : PANEL_STAY;
}

static enum panel_next on_input(struct panel *p, const struct screen_input *in)
{
	struct annotate_panel *a = annotate_panel_of(p);

	if (in->key == SCREEN_KEY_MOUSE)
		return tui_annotate_panel_take_mouse(a, in);
	return list_input(&a->list, in) ? PANEL_STAY : PANEL_PASS;
}

static const struct panel_type type = {
	.keys = annotate_keys,
	.input = on_input,
	.draw = annotate_draw,
	.news = on_news,
	.free = tui_annotate_panel_free,
};

void annotate_panel_push(struct panels *p, const struct annotate_panel_options *o)
{
	struct annotate_panel *a = xcalloc(1, sizeof(*a));

	a->panel.type = &type;
	a->functions = o->functions;
	a->image = o->image ? xstrdup(o->image) : NULL;
	a->symbol = o->symbol ? xstrdup(o->symbol) : NULL;
	a->start = o->start;
	a->only_function = o->only_function;
	a->save = o->save;
	a->save_arg = o->arg;
	a->kept = o->view;
	a->view = *o->view;
	a->view.event = "";
	a->text.scratch = (struct text)TEXT_EMPTY;
	panels_push(p, &a->panel);
	panels_watch(p, code_functions_fd(o->functions));
}
