/* SPDX-License-Identifier: MIT */
/*
 * What repeated recordings tell: intervals, significance, limits. Limits are judged in every event
 * that has such a row.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "cli/command.h"
#include "cmd/diff-job.h"
#include "cmd/diff-opts.h"
#include "cmd/limit-status.h"
#include "profile/diff-repeats.h"
#include "profile/threshold.h"
#include "session/session.h"
#include "view/stat/compare-text.h"
#include "view/diff/json.h"
#include "view/diff/repeats.h"

/* An event's part. */
struct part {
	const struct session_event *event;
	struct diff *diff;
	struct diff_repeats *repeats;
	struct thresholds limits; /* those that it has rows for; borrowed */
	struct threshold_results results;
};

struct shown {
	struct diff_job *job;
	struct diff_repeats_options options;
	size_t *side_of;
	double *seconds;
	struct part *parts;
	size_t n;
};

static void shown_done(struct shown *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct part *p = &s->parts[i];

		threshold_results_done(&p->results);
		free(p->limits.items);
		diff_repeats_free(p->repeats);
		diff_free(p->diff);
	}
	free(s->parts);
	free(s->side_of);
	free(s->seconds);
}

/* From the first sample to the last; what filters leave of that is not what the work took. */
static bool knows_time(const struct diff_opts *o)
{
	return !o->time && !o->cpus.n && !o->pids.n && !o->tids.n && !o->comms;
}

static double seconds_of(const struct diff_recording *r)
{
	const struct session_counts *c = session_counts(r->session);

	return (double)(c->last_time - c->first_time) / 1e9;
}

static void fill_recordings(struct shown *s)
{
	const struct diff_job *j = s->job;
	size_t n = 0;

	s->side_of = xcalloc(j->n, sizeof(*s->side_of));
	s->seconds = xcalloc(j->n, sizeof(*s->seconds));
	for (size_t side = 0; side < j->inputs.n; side++)
		for (size_t i = 0; i < j->inputs.items[side].n; i++, n++) {
			s->side_of[n] = side;
			s->seconds[n] = seconds_of(&j->recordings[n]);
		}
}

/* Clocks count nanoseconds. */
static const char *unit_of(const struct session_event *e)
{
	bool is_clock = e->attr.type == PERF_TYPE_SOFTWARE &&
			(e->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
			 e->attr.config == PERF_COUNT_SW_TASK_CLOCK);

	return is_clock ? "ns" : "";
}

static void judge(struct part *p, const struct thresholds *limits, bool *found)
{
	for (size_t i = 0; i < limits->n; i++)
		if (compare_find_row(p->repeats->compare, limits->items[i].name)) {
			*ARRAY_ADD(&p->limits) = limits->items[i];
			found[i] = true;
		}
	thresholds_evaluate(&p->limits, p->repeats->compare, &p->results);
}

static int refuse_unknown(const struct shown *s, const char *name)
{
	struct similar near = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct compare *c = s->parts[i].repeats->compare;

		for (size_t k = 0; k < c->n_rows; k++)
			similar_add(&near, c->rows[k]->name);
	}
	phrase = similar_phrase(&near);
	diag_set(s->job->diag, -ENOENT, "'%s' is limited, but no recording has it", name);
	if (phrase)
		diag_hint(s->job->diag, "Did you mean %s?", phrase);
	else
		diag_hint(s->job->diag, "Limit time, total, or one of the rows: a function.");
	return -ENOENT;
}

static int make_parts(struct shown *s)
{
	const struct session *baseline = s->job->recordings[0].session;
	const struct thresholds *limits = &s->job->opts->limits;
	_cleanup_(freep) bool *found = xcalloc(limits->n + 1, sizeof(*found));

	s->n = session_event_count(baseline);
	s->parts = xcalloc(s->n + 1, sizeof(*s->parts));
	for (size_t i = 0; i < s->n; i++) {
		struct part *p = &s->parts[i];

		p->event = session_event(baseline, i);
		s->options.unit = unit_of(p->event);
		p->diff = diff_of_event(s->job, p->event);
		p->repeats = diff_repeats_new(p->diff, &s->options);
		/* A row that was named beforehand is tested alone. */
		judge(p, limits, found);
		diff_repeats_correct(p->repeats, &s->options);
	}
	for (size_t i = 0; i < limits->n; i++)
		if (!found[i])
			return refuse_unknown(s, limits->items[i].name);
	return 0;
}

static int print_text(const struct shown *s, const struct diff_view *view)
{
	const struct compare_text_style style = { .colour = view->colour, .ascii = view->ascii };
	FILE *out = s->job->inv->out;
	int r = 0;

	for (size_t i = 0; i < s->n && r >= 0; i++) {
		const struct part *p = &s->parts[i];

		if (s->job->is_repeated)
			r = diff_repeats_print(out, view, p->repeats, p->event->name, i);
		compare_text_print_limits(&p->results, &style, out);
	}
	return r;
}

static void print_json(const struct shown *s)
{
	_cleanup_(freep) struct diff_json_event *events = xcalloc(s->n + 1, sizeof(*events));

	for (size_t i = 0; i < s->n; i++)
		events[i] = (struct diff_json_event){
			.name = s->parts[i].event->name,
			.repeats = s->parts[i].repeats,
			.limits = &s->parts[i].results,
		};
	diff_json_print(s->job->inv->out, &s->job->recordings[0].plan, events, s->n);
}

static int status_of(const struct shown *s)
{
	size_t failed = 0, unknown = 0;

	for (size_t i = 0; i < s->n; i++) {
		failed += s->parts[i].results.n_failed;
		unknown += s->parts[i].results.n_unknown;
	}
	return failed ? EXIT_LIMIT_EXCEEDED : unknown ? EXIT_LIMIT_UNKNOWN : EXIT_OK;
}

int diff_show_repeats(struct diff_job *j, const struct diff_view *view)
{
	const struct diff_opts *o = j->opts;
	_cleanup_(shown_done) struct shown s = { .job = j };
	int r;

	fill_recordings(&s);
	s.options = (struct diff_repeats_options){
		.names = view->files,
		.n_sides = j->inputs.n,
		.side_of = s.side_of,
		.seconds = knows_time(o) ? s.seconds : NULL,
		.order = o->order,
		.baseline_only = o->baseline_only,
	};
	j->options.baseline_only = false;
	r = make_parts(&s);
	if (r >= 0 && o->json)
		print_json(&s);
	else if (r >= 0)
		r = print_text(&s, view);
	return r < 0 ? r : status_of(&s);
}
