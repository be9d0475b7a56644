/* SPDX-License-Identifier: MIT */
/* Turns listings into text, on the threads that make them, and prints them in their order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "profile/annotation.h"
#include "profile/missing-symbols.h"
#include "session/session.h"
#include "tools/annotate/opts.h"
#include "view/missing-symbols.h"

struct annotate_showing {
	const struct invocation *inv;
	const struct annotate_opts *opts;
	const struct session *session;
	struct annotate_view view;
	char *event; /* the event's name in the view */
	struct text texts[ANNOTATE_BATCH];
};

static void annotate_show_begin(void *arg, const struct annotated_events *e)
{
	struct annotate_showing *s = arg;
	const struct annotate_opts *o = s->opts;
	const struct attr *attr = &session_event(s->session, e->first)->attr;

	bool shortens = !o->full_names && !o->verbosity.verbose;

	free(s->event);
	s->event = annotate_events_name(s->session, e->first, e->n);
	s->view = (struct annotate_view){
		.figure = o->figure,
		.event = s->event,
		.whole = { .base = o->base, .n_events = e->n, .totals = e->totals },
		.shown = { e->shown[0], e->shown[1] },
		.frequency = attr->freq ? attr->sample_freq : 0,
		.raw = o->rq.asm_raw == CHOICE_YES,
		.full_paths = o->full_paths,
		.lines = o->rq.print_line,
		.layout = o->layout,
		.colour = o->colour == COLOUR_AUTO ? s->inv->colour : o->colour == COLOUR_ALWAYS,
		.columns = shortens ? command_columns(s->inv, s->inv->out) : 0,
		.dots = terminal_dots(),
	};
}

static void annotate_show_take(void *arg, size_t place, const struct listing *l)
{
	struct annotate_showing *s = arg;
	struct text *out = &s->texts[place];

	if (s->view.lines)
		annotate_summary_add(out, &s->view, l);
	if (s->opts->stdio2)
		annotate_stdio2_add(out, &s->view, l);
	else
		annotate_stdio_add(out, &s->view, l);
}

static int end_batch(void *arg, size_t n)
{
	struct annotate_showing *s = arg;

	for (size_t i = 0; i < n; i++) {
		fwrite(s->texts[i].chars, 1, s->texts[i].length, s->inv->out);
		text_done(&s->texts[i]);
	}
	return ferror(s->inv->out) ? -EIO : 0;
}

int annotate_show(const struct invocation *inv, struct annotate_job *j)
{
	struct annotate_showing s = { .inv = inv, .opts = inv->opts, .session = j->session };
	int r;

	for (size_t i = 0; i < ANNOTATE_BATCH; i++)
		s.texts[i] = (struct text)TEXT_EMPTY;
	r = annotate_list(j, &(struct annotate_taker){ .begin = annotate_show_begin,
						       .take = annotate_show_take,
						       .end_batch = end_batch,
						       .arg = &s });
	free(s.event);
	return r;
}

static void annotate_show_count_unnamed(void *arg, const struct image *im, uint64_t samples)
{
	missing_symbols_add(arg, im, samples);
}

void annotate_show_unnamed(const struct invocation *inv, const struct annotate_job *j)
{
	_cleanup_(missing_symbols_done) struct missing_symbols missing = { 0 };

	for (size_t i = 0; i < session_event_count(j->session); i++)
		missing.total += annotation_total(j->annotation, i).samples;
	annotation_unnamed(j->annotation, annotate_show_count_unnamed, &missing);
	missing_symbols_print(command_err(inv), &missing, command_columns(inv, inv->err));
}
