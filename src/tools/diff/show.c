/* SPDX-License-Identifier: MIT */
/*
 * Passes the comparison of each event to the views that print it, and computes the exit status for
 * scripts.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "options/limit-status.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/diff/cycles-model.h"
#include "tools/diff/cycles-view.h"
#include "tools/diff/diff-work.h"
#include "tools/diff/json-view.h"
#include "tools/diff/opts.h"
#include "tools/diff/repeats-view.h"
#include "tools/diff/statistics-work.h"
#include "tools/diff/streams-model.h"
#include "tools/diff/streams-view.h"
#include "tools/diff/table-view.h"
#include "view/stat/compare-text.h"

/* From this share on, more than a few functions are new. */
#define APART_PERCENT 20

static const char *file_name_of(const struct image *im)
{
	const char *slash = strrchr(image_name(im), '/');

	return slash ? slash + 1 : image_name(im);
}

/*
 * Gives advice on names. Programs with different names have no functions in common, because rows go
 * by both.
 */
static void advise_names(const struct invocation *inv, const struct diff *d, const size_t *side_of)
{
	const struct diff_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct diff_apart a = diff_find_apart(d, side_of);

	if (o->verbosity.quiet || a.before < APART_PERCENT || a.after < APART_PERCENT ||
	    !a.old_image || !a.new_image ||
	    !strcmp(file_name_of(a.old_image), file_name_of(a.new_image)))
		return;
	diag_set(
		&diag, 0,
		"%.0f%% of the old and %.0f%% of the new recording are in functions that the other "
		"does not have: %s and %s are different programs",
		a.before, a.after, file_name_of(a.old_image), file_name_of(a.new_image));
	diag_hint(&diag, "Compare functions by their names alone: perf diff -s symbol");
	command_warn(inv, &diag);
}

static int diff_show_print_table(const struct invocation *inv, const struct diff_job *j,
				 const struct diff_view *view, size_t i)
{
	const struct diff_opts *o = inv->opts;
	const struct session_event *event = session_event(j->recordings[0].session, i);
	_cleanup_(diff_freep) struct diff *d = diff_of_event(j, &j->options, event);

	if (o->rq.method.cycles) {
		_cleanup_(diff_cycles_freep) struct diff_cycles *c = diff_cycles_new(d);

		return diff_cycles_print(inv->out, view, c, o->cycles_hist, event->name, i);
	}
	int r = diff_print(inv->out, view, d, event->name, i);

	if (r >= 0 && !i)
		advise_names(inv, d, NULL);
	return r;
}

static void find_streams(struct streams *s, const struct diff_recording *r,
			 const struct session_event *event)
{
	const struct tally *t = diff_recording_tally(r, event);

	*s = (struct streams){ 0 };
	if (t)
		streams_find(s, t);
}

static int print_streams(const struct invocation *inv, const struct diff_job *j, bool escape)
{
	const struct diff_opts *o = inv->opts;
	const struct streams_view view = { .frames = j->common.frames,
					   .full_source_paths = o->rq.names.full_source_path,
					   .escape = escape };
	int r = 0;

	for (size_t i = 0; i < session_event_count(j->recordings[0].session) && r >= 0; i++) {
		const struct session_event *event = session_event(j->recordings[0].session, i);
		_cleanup_(streams_done) struct streams before, after;

		find_streams(&before, &j->recordings[0], event);
		find_streams(&after, &j->recordings[1], event);
		r = diff_streams_print(inv->out, &view, &before, &after);
	}
	return r;
}

static int diff_show_print_tables(const struct invocation *inv, const struct diff_job *j,
				  const struct diff_view *view)
{
	int r = 0;

	for (size_t i = 0; i < session_event_count(j->recordings[0].session) && r >= 0; i++)
		r = diff_show_print_table(inv, j, view, i);
	return r;
}

/* Prints statistics. Without a table, only the limits are judged. */
static int diff_show_print_statistics(const struct diff_statistics *s, const struct diff_view *view,
				      bool with_table, FILE *out)
{
	const struct compare_text_style style = { .colour = view->form.colour,
						  .ascii = view->ascii };
	int r = 0;

	for (size_t i = 0; i < s->n && r >= 0; i++) {
		const struct diff_statistics_part *p = &s->parts[i];

		if (with_table)
			r = diff_repeats_print(out, view, p->repeats, p->fleet, p->event->name, i);
		compare_text_print_limits(&p->results, &style, out);
	}
	return r;
}

static void print_json(const struct diff_statistics *s, const struct diff_view *view, FILE *out)
{
	_cleanup_(freep) struct diff_json_event *events = xcalloc(s->n + 1, sizeof(*events));

	for (size_t i = 0; i < s->n; i++)
		events[i] = (struct diff_json_event){
			.name = s->parts[i].event->name,
			.repeats = s->parts[i].repeats,
			.fleet = s->parts[i].fleet,
			.limits = &s->parts[i].results,
		};
	diff_json_print(out, view->plan, events, s->n);
}

static int diff_show_status_of(const struct diff_statistics *s)
{
	size_t failed = 0, unknown = 0;

	for (size_t i = 0; i < s->n; i++) {
		failed += s->parts[i].results.n_failed;
		unknown += s->parts[i].results.n_unknown;
	}
	return failed ? EXIT_LIMIT_EXCEEDED : unknown ? EXIT_LIMIT_UNKNOWN : EXIT_OK;
}

static int show_statistics(const struct invocation *inv, const struct diff_job *j,
			   const struct diff_view *view, struct diag *diag)
{
	const struct diff_opts *o = inv->opts;
	_cleanup_(diff_statistics_done) struct diff_statistics s;
	int r = diff_statistics_make(&s, j, diag);

	if (r >= 0 && o->json)
		print_json(&s, view, inv->out);
	else if (r >= 0)
		r = diff_show_print_statistics(&s, view, j->is_repeated, inv->out);
	if (r >= 0 && j->is_repeated && !o->rq.fleet && s.n)
		advise_names(inv, s.parts[0].diff, s.side_of);
	return r < 0 ? r : diff_show_status_of(&s);
}

/* Prints advice on stderr, because the familiar layout of the output has no place for it. */
static void diff_show_advise(const struct invocation *inv, const struct diff_job *j)
{
	const struct diff_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (j->is_repeated || o->verbosity.quiet || (!o->rq.limits.n && !terminal_is(inv->err)))
		return;
	diag_set(&d, 0, "one recording per side cannot tell a change from noise");
	diag_hint(&d, "Record several: perf diff a1.data,a2.data,a3.data b1.data,b2.data,b3.data");
	command_warn(inv, &d);
}

int diff_show(const struct invocation *inv, const struct diff_job *j, struct diag *diag)
{
	const struct diff_opts *o = inv->opts;
	struct diff_view view = {
		.plan = &j->recordings[0].plan,
		.files = j->names,
		.form = { .separator = o->separator,
			  .quiet = o->verbosity.quiet,
			  .escape = terminal_is(inv->settings->out),
			  .colour = inv->colour },
		.narrow_images = o->rq.dsos || o->separator,
		.periods = o->periods,
		.formulas = o->formulas,
		.lists_files = o->verbosity.verbose,
	};
	int r = 0;

	if (!o->full_names && !o->verbosity.verbose && !o->separator) {
		view.form.columns = command_columns(inv, inv->out);
		view.form.dots = terminal_dots();
	}
	if (o->rq.streams)
		return print_streams(inv, j, view.form.escape);
	setlocale(LC_CTYPE, "");
	view.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (!j->is_repeated && !o->json)
		r = diff_show_print_tables(inv, j, &view);
	if (r >= 0 && (j->is_repeated || o->json || o->rq.limits.n))
		r = show_statistics(inv, j, &view, diag);
	if (r >= 0)
		diff_show_advise(inv, j);
	return r;
}
