/* SPDX-License-Identifier: MIT */
/*
 * perf top as text: prints a page for each refresh, which replaces the previous one on a terminal.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/background.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "capture/signals.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "profile/annotate.h"
#include "profile/code-functions.h"
#include "profile/report-group.h"
#include "profile/report-tables.h"
#include "session/session.h"
#include "tools/top/opts.h"
#include "tools/top/top-view.h"
#include "tui/browse.h"
#include "view/annotate/annotate.h"
#include "view/report/table.h"
#include "view/report/tree.h"
#include "wire/abi.h"

/*
 * Shows the code of one function of a live profile as text: the instructions with the most weight.
 */

struct top_text_code {
	const struct annotate_request *how;
	char *symbol; /* the shown symbol; NULL: none */
	/* Private: */
	struct code_functions *functions;
	const struct code_samples *samples;
	struct code_listing *listing;
};

#define MIN_PERCENT 5 /* the minimum weight of a shown instruction */

static void top_text_code_forget(struct top_text_code *c)
{
	code_listing_free(c->listing);
	code_samples_release(c->samples);
	code_functions_free(c->functions);
	c->listing = NULL;
	c->samples = NULL;
	c->functions = NULL;
}

/* Shows @symbol from now on; NULL: none. */
static void top_text_code_choose(struct top_text_code *c, const char *symbol)
{
	char *chosen = symbol && *symbol ? xstrdup(symbol) : NULL;

	top_text_code_forget(c);
	free(c->symbol);
	c->symbol = chosen;
}

/* Takes newer samples, and the requested listing, if they have arrived. */
static void top_text_code_take_news(struct top_text_code *c)
{
	const struct code_samples *s = code_functions_take(c->functions, c->samples);
	const struct annotated_function *f;
	struct code_listing *l = code_functions_listing(c->functions);

	if (l) {
		code_listing_free(c->listing);
		c->listing = l;
	}
	if (s) {
		code_samples_release(c->samples);
		c->samples = s;
	}
	if (!c->samples)
		return;
	if (c->listing && c->listing->r >= 0) {
		code_listing_refresh(c->listing, c->samples);
		return;
	}
	f = code_samples_find(c->samples, NULL, c->symbol, 0);
	if (f && !c->listing)
		code_functions_ask(c->functions, c->samples, f->image, f->sym);
}

static void add_listing(const struct top_text_code *c, bool colour, struct text *out)
{
	const struct code_samples *s = c->samples;
	const struct annotate_view v = {
		.event = s->event,
		.whole = { .n_events = s->n, .totals = s->totals },
		.frequency = s->frequency,
		.raw = c->how->asm_raw == CHOICE_YES,
		.min_percent = MIN_PERCENT,
		.colour = colour,
	};

	annotate_stdio_add(out, &v, &c->listing->listing);
}

static void add_state(const struct top_text_code *c, struct text *out)
{
	if (c->listing)
		text_add(out, c->listing->why.message ? c->listing->why.message : "no code");
	else if (c->samples && !code_samples_find(c->samples, NULL, c->symbol, 0))
		text_add(out, "no samples yet");
	else
		text_add(out, "waiting for samples");
	text_add_char(out, '\n');
}

static int open_code(struct top_text_code *c, struct browse *b, const struct browse_snapshot *s,
		     const struct report_table *table, struct diag *diag)
{
	if (c->functions)
		return 0;
	return browse_code(b, s, c->how, table->first, table->n_events, &c->functions, diag);
}

/*
 * Appends the code with the samples of event @table of @s. If the code is not available yet, or not
 * at all, a line reports the reason.
 */
static void top_text_code_add(struct top_text_code *c, struct browse *b,
			      const struct browse_snapshot *s, const struct report_table *table,
			      bool colour, struct text *out)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	text_add(out, "Showing ");
	escape_terminal(out, table->names[0], strlen(table->names[0]));
	text_add(out, " for ");
	escape_terminal(out, c->symbol, strlen(c->symbol));
	text_addf(out, "\n  Events  Pcnt (>=%d%%)\n", MIN_PERCENT);
	if (open_code(c, b, s, table, &diag) < 0) {
		text_addf(out, "%s\n", diag.message);
		return;
	}
	top_text_code_take_news(c);
	if (c->listing && c->listing->r >= 0)
		add_listing(c, colour, out);
	else
		add_state(c, out);
}

#define CLEAR        "\033[H\033[2J"
#define ROWS_DEFAULT 20
#define ROWS_BESIDE  5 /* lines of a screen for the head, and one below */

struct top_text {
	struct invocation *inv;
	const struct top_opts *opts;
	struct top *top;
	const struct browse_snapshot *shown; /* or NULL */
	char *target;
	bool is_terminal, clears;
	uint64_t entries; /* 0: as many as fit */
	uint64_t min_samples;
	struct top_text_code code;
	bool ends;
};

/* True for the dummy event, which only has side-band records. */
static bool top_text_is_dummy(const struct session_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == PERF_COUNT_SW_DUMMY;
}

static bool has_several(const struct browse_snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < session_event_count(s->profile->session); i++)
		n += !top_text_is_dummy(session_event(s->profile->session, i));
	return n > 1;
}

/* Returns the head. @table is NULL if there are no samples yet. */
static struct top_head top_text_head_of(const struct top_text *t, const struct report_table *table)
{
	const struct browse_snapshot *s = t->shown;
	const struct top_figures *f = top_figures(s);
	const struct session_event *e = session_event(s->profile->session,
						      table ? table->first : 0);

	return (struct top_head){
		.rate = f->span_ns ? (double)f->samples * 1e9 / (double)f->span_ns : 0,
		.kernel_percent = percent_of(f->kernel + f->guest_kernel, f->samples),
		.exact_percent = percent_of(f->exact, f->samples),
		.lost = s->lost,
		.new_lost = s->new_lost,
		.dropped = s->dropped,
		.new_dropped = s->new_dropped,
		.event = e->name,
		.frequency = !has_several(s) && e->attr.freq ? e->attr.sample_freq : 0,
		.period = !has_several(s) && !e->attr.freq ? e->attr.sample_period : 0,
		.target = t->target,
	};
}

static struct report_tree_options top_text_tree_of(const struct top_text *t)
{
	struct report_tree_options tree = top_tree_of(t->opts);

	tree.order = &t->shown->tables->order;
	tree.form.quiet = true;
	tree.form.colour = t->inv->colour;
	tree.form.escape = t->is_terminal;
	tree.form.verbose = t->opts->rq.browse.profile.verbose;
	if (t->is_terminal && !t->opts->full_names && !t->opts->rq.browse.profile.verbose &&
	    !tree.form.widths) {
		tree.form.columns = terminal_width(t->inv->out);
		tree.form.dots = terminal_dots();
	}
	return tree;
}

static size_t room_of(const struct top_text *t)
{
	unsigned height = t->is_terminal ? terminal_height(t->inv->out) : 0;
	size_t n = t->shown->tables->n;

	/* The screen is divided between the events. */
	if (n > 1)
		height /= n;
	return height > ROWS_BESIDE ? height - ROWS_BESIDE : ROWS_DEFAULT;
}

static int top_text_print_table(struct top_text *t, const struct report_table *table)
{
	const struct report_tree_options tree = top_text_tree_of(t);
	const struct report_block block = { .group = table ? table->group : NULL,
					    .tree = table && table->has_stacks ? &tree : NULL };
	const struct report_view rows = {
		.plan = &t->shown->profile->plan,
		.blocks = &block,
		.n_blocks = table != NULL,
		.max_rows = t->entries ? t->entries : room_of(t),
		.min_samples = t->min_samples,
		.form = tree.form,
	};
	_cleanup_(text_done) struct text code = TEXT_EMPTY;
	struct top_page page = {
		.head = top_text_head_of(t, table),
		.rows = &rows,
		.width = t->is_terminal ? terminal_width(t->inv->out) : 80,
		.cuts = t->is_terminal,
		.max_lines = t->is_terminal                   ? room_of(t)
			     : t->shown->profile->plan.levels ? rows.max_rows
							      : 0,
	};

	if (t->code.symbol && table) {
		top_text_code_add(&t->code, top_browse(t->top), t->shown, table, t->inv->colour,
				  &code);
		page.code = code.chars;
	}
	return top_page_print(t->inv->out, &page);
}

/* Prints a table for each event that has samples, or the code of a function. */
static int top_text_print_tables(struct top_text *t)
{
	const struct report_tables *all = t->shown->tables;
	int r = 0;

	if (!all->n)
		return top_text_print_table(t, NULL);
	if (t->code.symbol)
		return top_text_print_table(t, &all->items[0]);
	for (size_t i = 0; i < all->n && r >= 0; i++) {
		if (i)
			fputc('\n', t->inv->out);
		r = top_text_print_table(t, &all->items[i]);
	}
	return r;
}

static int top_text_show(struct top_text *t)
{
	int r;

	if (t->clears)
		fputs(CLEAR, t->inv->out);
	fputc('\n', t->inv->out);
	r = top_text_print_tables(t);
	if (fflush(t->inv->out) || r < 0)
		return errno == EPIPE ? -EPIPE : r < 0 ? r : -errno;
	return 0;
}

static int top_text_take(struct top_text *t)
{
	const struct browse_snapshot *s = browse_take(top_browse(t->top), t->shown);

	if (!s)
		return 0;
	browse_release(top_browse(t->top), t->shown);
	t->shown = s;
	return top_text_show(t);
}

static int wait_and_show(struct top_text *t, struct signals *signals, int *ret_signal)
{
	struct pollfd fds[] = {
		{ .fd = top_browse(t->top)->work->fd, .events = POLLIN },
		{ .fd = signals->fd, .events = POLLIN },
	};
	bool sent;
	int r = 0;

	if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[1].revents) {
		int number = signals_take(signals, &sent);

		if (number && number != SIGCHLD) {
			*ret_signal = number;
			t->ends = true;
		}
	}
	if (!t->ends && fds[0].revents) {
		bool is_last = top_has_ended(t->top);

		r = top_text_take(t);
		t->ends |= is_last;
	}
	return r;
}

int top_show_text(struct invocation *inv, struct top *top, const struct top_request *rq)
{
	const struct top_opts *o = inv->opts;
	_cleanup_(freep) char *target = top_target_text(o);
	const struct annotate_request how = top_annotate_of(o, rq);
	struct signals signals = SIGNALS_NONE;
	struct top_text t = {
		.inv = inv,
		.opts = o,
		.top = top,
		.target = target,
		.is_terminal = terminal_is(inv->out),
		.clears = terminal_understands(inv->out),
		.entries = o->entries,
		.min_samples = o->min_samples,
		.code = { .how = &how },
	};
	int signal_number = 0, r;

	top_text_code_choose(&t.code, o->sym_annotate);
	r = signals_open_for_terminal(&signals);
	while (r >= 0 && !t.ends)
		r = wait_and_show(&t, &signals, &signal_number);
	signals_close(&signals);
	top_text_code_choose(&t.code, NULL);
	browse_release(top_browse(top), t.shown);
	return r < 0 ? r : signal_number;
}
