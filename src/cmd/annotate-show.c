/* SPDX-License-Identifier: MIT */
/*
 * Functions become text: many at once, on all CPUs, printed in their order.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "base/workers.h"
#include "cli/command.h"
#include "cmd/annotate-job.h"
#include "cmd/annotate-opts.h"
#include "job/reading.h"
#include "session/session.h"
#include "symbol/symbolizer.h"

/* Functions whose text is in memory at once. */
#define BATCH 64

/* The functions of an event, or of several side by side. */
struct showing {
	struct annotate_job *job;
	struct annotate_view view;
	const struct annotated_functions *all;
	const struct annotated_function *const *items; /* those to show */
	size_t first;                                  /* of the batch */
	struct text texts[BATCH];
};

static void make_text(void *arg, size_t piece, unsigned worker)
{
	struct showing *s = arg;
	const struct annotated_function *f = s->items[s->first + piece];
	_cleanup_(diag_done) struct diag why = { 0 };
	struct text *out = &s->texts[piece];
	struct listing l;

	if (listing_make(&s->job->tools[worker], s->all, f, &l, &why) < 0) {
		annotate_note_unshown(s->job, f, &why);
		return;
	}
	if (s->view.lines)
		annotate_summary_add(out, &s->view, &l);
	if (s->job->opts->stdio2)
		annotate_stdio2_add(out, &s->view, &l);
	else
		annotate_stdio_add(out, &s->view, &l);
	listing_done(&l);
}

static int show_batch(struct showing *s, size_t n)
{
	FILE *out = s->job->inv->out;

	for (size_t i = 0; i < n; i++)
		s->texts[i] = (struct text)TEXT_EMPTY;
	workers_run(s->job->workers, n, make_text, s);
	for (size_t i = 0; i < n; i++) {
		fwrite(s->texts[i].chars, 1, s->texts[i].length, out);
		text_done(&s->texts[i]);
	}
	return ferror(out) ? -EIO : 0;
}

/* "anon group { cycles, instructions }", or the only one's name. */
static char *describe_events(const struct annotate_job *j, size_t first, size_t n)
{
	const struct session_event *e = session_event(j->session, first);
	bool named = e->group_name && strcmp(e->group_name, "{anon_group}") != 0;
	bool is_group = e->n_members > 1 && n > 1;
	struct text t = TEXT_EMPTY;

	if (is_group)
		text_addf(&t, "%s { ", named ? e->group_name : "anon group");
	for (size_t i = first; i < first + n; i++) {
		const char *name = session_event(j->session, i)->name;

		text_add(&t, i > first ? ", " : "");
		escape_terminal(&t, name, strlen(name));
	}
	text_add(&t, is_group ? " }" : "");
	return text_take(&t);
}

static bool is_wanted(const struct annotate_job *j, const struct annotated_function *f,
		      struct weight total)
{
	const struct annotate_opts *o = j->opts;

	if (o->symbol && strcmp(f->sym->name, o->symbol) != 0)
		return false;
	return !o->percent_limit ||
	       (double)f->totals[0].period * 100 >= o->percent_limit * (double)total.period;
}

static struct annotate_view view_of(const struct annotate_job *j, size_t first, size_t n,
				    const struct weight *totals, const char *name)
{
	const struct annotate_opts *o = j->opts;
	const struct attr *attr = &session_event(j->session, first)->attr;
	bool colour = o->colour == COLOUR_AUTO ? j->inv->colour : o->colour == COLOUR_ALWAYS;

	return (struct annotate_view){
		.figure = o->figure,
		.event = name,
		.whole = { .base = o->base, .n_events = n, .totals = totals },
		.frequency = attr->freq ? attr->sample_freq : 0,
		.raw = o->asm_raw == CHOICE_YES,
		.full_paths = o->full_paths,
		.lines = o->print_line,
		.layout = o->layout,
		.colour = colour,
	};
}

/* Shows those that are wanted. Returns how many. */
static ssize_t show_functions(struct annotate_job *j, size_t first, size_t n,
			      const struct annotated_functions *all)
{
	_cleanup_(freep)
		const struct annotated_function **items = xcalloc(all->n + 1, sizeof(*items));
	_cleanup_(freep) struct weight *totals = xcalloc(n, sizeof(*totals));
	_cleanup_(freep) char *name = describe_events(j, first, n);
	struct showing s = { .job = j, .all = all, .items = items };
	size_t count = 0;
	int r = 0;

	for (size_t i = 0; i < n; i++)
		totals[i] = annotation_total(j->annotation, first + i);
	s.view = view_of(j, first, n, totals, name);
	for (size_t i = 0; i < all->n; i++) {
		if (!is_wanted(j, &all->items[i], totals[0]))
			continue;
		items[count++] = &all->items[i];
		for (size_t e = 0; e < n && j->opts->symbol; e++)
			weight_add(&s.view.shown[e > 0], all->items[i].totals[e]);
	}
	for (size_t e = 0; e < n && !j->opts->symbol; e++)
		weight_add(&s.view.shown[e > 0], totals[e]);
	for (s.first = 0; r >= 0 && s.first < count; s.first += BATCH)
		r = show_batch(&s, count - s.first < BATCH ? count - s.first : BATCH);
	return r < 0 ? r : (ssize_t)count;
}

/* No function is called so: which ones are? */
static int refuse_symbol(const struct annotate_job *j)
{
	struct similar near = { .typed = j->opts->symbol };
	size_t n = session_event_count(j->session);
	struct annotated_functions all = { 0 };

	annotation_functions(j->annotation, 0, n, &all);
	for (size_t i = 0; i < all.n; i++)
		similar_add(&near, all.items[i].sym->name);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	diag_set(j->diag, -ENOENT, "no function called '%s' has samples", j->opts->symbol);
	if (phrase)
		diag_hint(j->diag, "Did you mean %s?", phrase);
	else
		diag_hint(j->diag, "perf report --sort symbol tells which ones have.");
	annotated_functions_done(&all);
	/* It may be among those whose names are not known. */
	annotate_tell_unnamed(j);
	return -ENOENT;
}

static void tell_nothing(const struct annotate_job *j)
{
	_cleanup_(diag_done) struct diag none = { 0 };

	diag_set(&none, 0, "%s has no samples%s", session_path(j->session),
		 session_counts(j->session)->samples ? " that the filters leave" : "");
	command_warn(j->inv, &none);
}

int annotate_show(struct annotate_job *j)
{
	size_t n = session_event_count(j->session), found = 0;
	bool has_samples = false;
	int r;

	for (size_t first = 0, size; first < n; first += size) {
		struct annotated_functions all = { 0 };
		ssize_t shown;

		size = reading_group_size(j->session, j->opts->group, first);
		annotation_functions(j->annotation, first, size, &all);
		shown = show_functions(j, first, size, &all);
		annotated_functions_done(&all);
		if (shown < 0)
			return (int)shown;
		found += (size_t)shown;
		for (size_t i = first; i < first + size; i++)
			has_samples |= annotation_total(j->annotation, i).samples > 0;
	}
	r = reading_check_samples(j->session, j->diag);
	if (r < 0)
		return r;
	if (!has_samples)
		tell_nothing(j);
	else if (j->opts->symbol && !found)
		return refuse_symbol(j);
	annotate_tell_unshown(j);
	if (!j->opts->symbol)
		annotate_tell_unnamed(j);
	return 0;
}
