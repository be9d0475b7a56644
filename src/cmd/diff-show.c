/* SPDX-License-Identifier: MIT */
/*
 * From rows to the comparison of each event, and to the views that print it.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/diff-job.h"
#include "cmd/diff-opts.h"
#include "profile/diff-cycles.h"
#include "session/session.h"
#include "view/diff/cycles.h"
#include "view/diff/table.h"

/* The comparison of @event, which the baseline has. */
struct diff *diff_of_event(const struct diff_job *j, const struct session_event *event)
{
	_cleanup_(freep) const struct report_rows **sides =
		xcalloc(j->n, sizeof(const struct report_rows *));

	sides[0] = j->recordings[0].rows[event->index];
	for (size_t i = 1; i < j->n; i++)
		sides[i] = diff_recording_rows(&j->recordings[i], event);
	return diff_new(&j->options, sides, j->n);
}

static int print_table(const struct diff_job *j, const struct diff_view *view, size_t i)
{
	const struct session_event *event = session_event(j->recordings[0].session, i);
	_cleanup_(diff_freep) struct diff *d = diff_of_event(j, event);

	if (j->opts->method.cycles) {
		_cleanup_(diff_cycles_freep) struct diff_cycles *c = diff_cycles_new(d);

		return diff_cycles_print(j->inv->out, view, c, j->opts->cycles_hist, event->name,
					 i);
	}
	return diff_print(j->inv->out, view, d, event->name, i);
}

static int print_tables(const struct diff_job *j, const struct diff_view *view)
{
	int r = 0;

	for (size_t i = 0; i < session_event_count(j->recordings[0].session) && r >= 0; i++)
		r = print_table(j, view, i);
	return r;
}

/* A layout that users know has no room for it: it goes to who reads it. */
static void advise(const struct diff_job *j)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	if (j->is_repeated || j->opts->verbosity.quiet ||
	    (!j->opts->limits.n && !terminal_is(j->inv->err)))
		return;
	diag_set(&d, 0, "one recording a side does not tell a change from noise");
	diag_hint(&d, "Several do: perf diff a1.data,a2.data,a3.data b1.data,b2.data,b3.data");
	command_warn(j->inv, &d);
}

static int show(struct diff_job *j, const struct diff_view *view)
{
	const struct diff_opts *o = j->opts;
	int r = j->is_repeated || o->json ? 0 : print_tables(j, view);

	if (r >= 0 && (j->is_repeated || o->json || o->limits.n))
		r = diff_show_repeats(j, view);
	if (r >= 0)
		advise(j);
	return r;
}

int diff_show(struct diff_job *j)
{
	const struct diff_opts *o = j->opts;
	_cleanup_(freep) const char **files = xcalloc(j->inputs.n, sizeof(const char *));
	struct diff_view view = {
		.plan = &j->recordings[0].plan,
		.files = files,
		.separator = o->separator,
		.narrow_images = o->dsos || o->separator,
		.periods = o->periods,
		.formulas = o->formulas,
		.quiet = o->verbosity.quiet,
		.lists_files = o->verbosity.verbose,
		.escape = terminal_is(j->inv->settings->out),
		.colour = j->inv->colour,
	};

	setlocale(LC_CTYPE, "");
	view.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	for (size_t i = 0; i < j->inputs.n; i++)
		files[i] = j->inputs.items[i].name;
	return show(j, &view);
}
