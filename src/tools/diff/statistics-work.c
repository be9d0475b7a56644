/* SPDX-License-Identifier: MIT */
#include "tools/diff/statistics-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "session/session.h"
#include "tools/diff/diff-work.h"
#include "tools/diff/repeats-model.h"

void diff_statistics_done(struct diff_statistics *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct diff_statistics_part *p = &s->parts[i];

		threshold_results_done(&p->results);
		free(p->limits.items);
		diff_repeats_free(p->repeats);
		diff_fleet_free(p->fleet);
		diff_free(p->diff);
	}
	free(s->parts);
	free(s->side_of);
	free(s->seconds);
	free(s->labels);
	free(s->hosts);
}

/*
 * True if the time of the work is known: from the first sample to the last. If filters leave only a
 * part of it, it is not.
 */
static bool knows_time(const struct diff_request *rq)
{
	return !rq->fleet && !rq->time && !rq->cpus.n && !rq->pids.n && !rq->tids.n && !rq->comms;
}

static double seconds_of(const struct diff_recording *r)
{
	const struct session_counts *c = session_counts(r->session);

	return (double)(c->last_time - c->first_time) / 1e9;
}

static void fill_recordings(struct diff_statistics *s, const struct diff_job *j)
{
	size_t n = 0, all = 0;

	for (size_t side = 0; side < j->inputs.n; side++)
		all += diff_job_repeats(j, side);
	s->side_of = xcalloc(all + 1, sizeof(*s->side_of));
	s->seconds = xcalloc(all + 1, sizeof(*s->seconds));
	s->hosts = xcalloc(all + 1, sizeof(*s->hosts));
	s->labels = xcalloc(j->inputs.n + 1, sizeof(*s->labels));
	for (size_t side = 0; side < j->inputs.n; side++) {
		s->labels[side] = j->inputs.items[side].label;
		for (size_t i = 0; i < diff_job_repeats(j, side); i++, n++) {
			s->side_of[n] = side;
			if (j->rq->fleet)
				s->hosts[n] = j->recordings[side].hosts.names[i];
			else
				s->seconds[n] = seconds_of(&j->recordings[n]);
		}
	}
}

static const char *diff_statistics_unit_of(const struct session_event *e)
{
	return attr_is_clock(&e->attr) ? "ns" : "";
}

static void diff_statistics_judge(struct diff_statistics_part *p, const struct thresholds *limits,
				  bool *found)
{
	for (size_t i = 0; i < limits->n; i++)
		if (compare_find_row(p->repeats->compare, limits->items[i].name)) {
			*ARRAY_ADD(&p->limits) = limits->items[i];
			found[i] = true;
		}
	thresholds_evaluate(&p->limits, p->repeats->compare, &p->results);
}

static int diff_statistics_refuse_unknown(const struct diff_statistics *s, const char *name,
					  struct diag *diag)
{
	struct similar near = { .typed = name };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct compare *c = s->parts[i].repeats->compare;

		for (size_t k = 0; k < c->n_rows; k++)
			similar_add(&near, c->rows[k]->name);
	}
	phrase = similar_phrase(&near);
	diag_set(diag, -ENOENT, "'%s' is limited, but no recording has it", name);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "Limit time, total, or one of the rows: a function.");
	return -ENOENT;
}

static int make_parts(struct diff_statistics *s, const struct diff_job *j,
		      struct diff_repeats_options *options, struct diag *diag)
{
	const struct session *baseline = j->recordings[0].session;
	const struct thresholds *limits = &j->rq->limits;
	_cleanup_(freep) bool *found = xcalloc(limits->n + 1, sizeof(*found));

	s->n = session_event_count(baseline);
	s->parts = xcalloc(s->n + 1, sizeof(*s->parts));
	for (size_t i = 0; i < s->n; i++) {
		struct diff_statistics_part *p = &s->parts[i];

		p->event = session_event(baseline, i);
		options->unit = diff_statistics_unit_of(p->event);
		p->diff = diff_of_event(j, &s->options, p->event);
		if (j->rq->fleet)
			p->fleet = diff_fleet_new(p->diff, &s->fleet);
		options->left_out = p->fleet ? p->fleet->left_out : NULL;
		options->periods_vary = p->fleet != NULL;
		p->repeats = diff_repeats_new(p->diff, options);
		/* A row that was named in advance is tested alone. */
		diff_statistics_judge(p, limits, found);
		diff_repeats_correct(p->repeats, options);
	}
	for (size_t i = 0; i < limits->n; i++)
		if (!found[i])
			return diff_statistics_refuse_unknown(s, limits->items[i].name, diag);
	return 0;
}

int diff_statistics_make(struct diff_statistics *s, const struct diff_job *j, struct diag *diag)
{
	struct diff_repeats_options options = {
		.names = j->names,
		.n_sides = j->inputs.n,
		.order = j->rq->order,
		.baseline_only = j->rq->baseline_only,
	};

	*s = (struct diff_statistics){ .options = j->options };
	/* The statistics are made from all rows; the rows that are shown are chosen there. */
	s->options.baseline_only = false;
	fill_recordings(s, j);
	s->fleet = (struct diff_fleet_options){ .labels = s->labels,
						.n_sides = j->inputs.n,
						.hosts = s->hosts,
						.side_of = s->side_of,
						.keeps_outliers = j->rq->keeps_outliers };
	options.side_of = s->side_of;
	options.seconds = knows_time(j->rq) ? s->seconds : NULL;
	return make_parts(s, j, &options, diag);
}
