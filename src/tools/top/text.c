/* SPDX-License-Identifier: MIT */
/*
 * perf top as text: a page for each refresh, on a terminal in the place of the one before it, and
 * the keys that change what it shows.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"
#include "capture/signals.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "profile/report-group.h"
#include "session/session.h"
#include "tools/top/keys.h"
#include "tools/top/opts.h"
#include "tools/top/text-code.h"
#include "tools/top/top-view.h"
#include "view/report/table.h"
#include "view/report/tree.h"
#include "wire/abi.h"

#define CLEAR        "\033[H\033[2J"
#define ROWS_DEFAULT 20
#define ROWS_BESIDE  5 /* of a screen: the head, and a line for questions */

struct top_text {
	struct invocation *inv;
	const struct top_opts *opts;
	struct top *top;
	const struct browse_snapshot *shown; /* or NULL */
	char *target;
	bool is_terminal, clears;
	struct top_keys_input keys;
	uint64_t entries; /* 0: as many as there is room for */
	uint64_t min_samples;
	size_t event; /* of the session, that is shown of several */
	struct top_text_code code;
	bool ends;
};

/* The dummy only has the records beside the samples. */
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

/* @table is NULL if there are no samples yet. */
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
	tree.colour = t->inv->colour;
	tree.escape = t->is_terminal;
	if (t->is_terminal && !t->opts->full_names && !t->opts->verbose && !t->opts->widths) {
		tree.columns = terminal_width(t->inv->out);
		tree.dots = terminal_dots();
	}
	return tree;
}

static size_t room_of(const struct top_text *t)
{
	unsigned height = t->is_terminal ? terminal_height(t->inv->out) : 0;

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
		.widths = t->opts->widths,
		.quiet = true,
		.colour = t->inv->colour,
		.escape = t->is_terminal,
		.verbose = t->opts->verbose,
		.columns = tree.columns,
		.dots = tree.dots,
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

/* Tables are those of events with samples: which one shows the event that was chosen. */
static size_t shown_table(const struct top_text *t)
{
	const struct report_tables *all = t->shown->tables;

	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].first + all->items[i].n_events > t->event)
			return i;
	return all->n - 1;
}

/* On a terminal there is room for one event. Elsewhere those come that have samples. */
static int top_text_print_tables(struct top_text *t)
{
	const struct report_tables *all = t->shown->tables;
	int r = 0;

	if (!all->n)
		return top_text_print_table(t, NULL);
	if (t->is_terminal || t->code.symbol)
		return top_text_print_table(t, &all->items[shown_table(t)]);
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

static void print_keys(struct top_text *t)
{
	const struct top_settings s = top_settings(t->top);
	const struct report_tables *all = t->shown ? t->shown->tables : NULL;
	const struct top_keys keys = {
		.delay_ms = s.delay_ms,
		.entries = t->entries ? t->entries : room_of(t),
		.min_samples = t->min_samples,
		.event = all && all->n > 1 ? all->items[shown_table(t)].names[0] : NULL,
		.hides_kernel = s.hidden.kernel,
		.hides_user = s.hidden.user,
		.zeroes = s.zeroes,
		.symbol = t->code.symbol,
		.min_percent = t->code.min_percent,
	};

	top_keys_print(t->inv->out, &keys);
	fflush(t->inv->out);
}

/* Asks for a number; what is none changes nothing. */
static void top_text_ask_number(struct top_text *t, const char *question, uint64_t least,
				uint64_t *number)
{
	_cleanup_(freep) char *line = NULL;
	uint64_t n;

	fprintf(t->inv->out, "\n%s: ", question);
	fflush(t->inv->out);
	line = top_keys_line(&t->keys);
	if (line && number_parse(line, &n) >= 0 && n >= least)
		*number = n;
}

static void ask_delay(struct top_text *t)
{
	uint64_t seconds = 0;

	top_text_ask_number(t, "Enter display delay", 1, &seconds);
	if (seconds)
		top_set_delay(t->top, seconds * 1000);
}

static void ask_event(struct top_text *t)
{
	const struct report_tables *all = t->shown ? t->shown->tables : NULL;
	uint64_t number = UINT64_MAX;

	if (!all || all->n < 2)
		return;
	fputs("\nAvailable events:", t->inv->out);
	for (size_t i = 0; i < all->n; i++)
		fprintf(t->inv->out, "\n\t%zu %s", i, all->items[i].names[0]);
	top_text_ask_number(t, "\nEnter details event counter", 0, &number);
	if (number >= all->n)
		return;
	t->event = all->items[number].first;
	top_text_code_choose(&t->code, t->code.symbol);
}

static void ask_symbol(struct top_text *t)
{
	_cleanup_(freep) char *line = NULL;

	fputs("\nEnter details symbol: ", t->inv->out);
	fflush(t->inv->out);
	line = top_keys_line(&t->keys);
	top_text_code_choose(&t->code, line);
}

/* Whether the key means something. */
static bool top_text_obey(struct top_text *t, int key)
{
	struct top_settings s = top_settings(t->top);

	switch (key) {
	case 'd':
		ask_delay(t);
		return true;
	case 'e':
		top_text_ask_number(t, "Enter display entries (lines)", 0, &t->entries);
		return true;
	case 'E':
		ask_event(t);
		return true;
	case 'f':
		top_text_ask_number(t, "Enter display event count filter", 0, &t->min_samples);
		return true;
	case 'F':
		top_text_ask_number(t, "Enter details display event filter (percent)", 0,
				    &t->code.min_percent);
		return true;
	case 's':
		ask_symbol(t);
		return true;
	case 'S':
		top_text_code_choose(&t->code, NULL);
		return true;
	case 'K':
		s.hidden.kernel = !s.hidden.kernel;
		top_set_hidden(t->top, s.hidden);
		return true;
	case 'U':
		s.hidden.user = !s.hidden.user;
		top_set_hidden(t->top, s.hidden);
		return true;
	case 'z':
		top_set_zeroes(t->top, !s.zeroes);
		return true;
	case 'q':
	case 'Q':
		t->ends = true;
		return true;
	default:
		return false;
	}
}

static int top_text_take_key(struct top_text *t)
{
	int key = top_keys_read(&t->keys), r = 0;

	if (key < 0 || t->ends)
		return 0;
	/* A key without a meaning shows what others mean, and takes one of them. */
	if (!top_text_obey(t, key)) {
		print_keys(t);
		key = top_keys_wait(&t->keys);
		if (key >= 0)
			top_text_obey(t, key);
	}
	if (t->ends)
		fputs("exiting.\n", t->inv->out);
	else if (t->shown)
		r = top_text_show(t);
	return r;
}

static int wait_and_show(struct top_text *t, struct signals *signals, int *ret_signal)
{
	struct pollfd fds[] = {
		{ .fd = top_browse(t->top)->fd, .events = POLLIN },
		{ .fd = signals->fd, .events = POLLIN },
		{ .fd = top_keys_fd(&t->keys), .events = POLLIN },
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
	if (r >= 0 && !t->ends && fds[2].revents)
		r = top_text_take_key(t);
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
		.code = { .how = &how, .min_percent = TOP_CODE_MIN_PERCENT },
	};
	int signal_number = 0, r;

	top_text_code_choose(&t.code, o->sym_annotate);
	r = signals_open_for_terminal(&signals);
	top_keys_open(&t.keys, t.is_terminal, signals.fd);
	while (r >= 0 && !t.ends)
		r = wait_and_show(&t, &signals, &signal_number);
	top_keys_close(&t.keys);
	signals_close(&signals);
	top_text_code_choose(&t.code, NULL);
	browse_release(top_browse(top), t.shown);
	return r < 0 ? r : signal_number;
}
