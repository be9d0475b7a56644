/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/heatmap-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "foreign/any-session.h"
#include "pairs/pair-presets.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "store/url.h"
#include "tools/heatmap/internal-work.h"
#include "tools/heatmap/text-work.h"

void heatmap_job_done(struct heatmap_job *j)
{
	heat_free(j->heat);
	pairs_free(j->pairs);
	typed_pair_done(&j->typed);
	u64_map_done(&j->processes);
	free(j->sources.items);
	sample_filter_free(j->filter);
	free(j->spans);
	session_free(j->session);
}

/* Does the work of reading_spans(). The last minute of a store is a sample, too, wherever it ends.
 */
static int heatmap_find_spans(struct heatmap_job *j, struct diag *diag)
{
	const struct time_window *w = &j->rq->filter.time;
	const struct session_counts *counts;
	int r;

	if (!j->by_minute || !w->relative)
		return reading_spans(w, j->session, &j->spans, diag);
	r = session_scan(j->session, diag);
	if (r < 0)
		return r;
	counts = session_counts(j->session);
	j->spans = reading_spans_between(w, counts->first_time,
					 heatmap_moment(j, counts->last_time));
	return 0;
}

static int heatmap_open_filter(struct heatmap_job *j, struct diag *diag)
{
	const struct filter_request *f = &j->rq->filter;
	int r = heatmap_find_spans(j, diag);

	if (r < 0)
		return r;
	j->filter_request = filter_request_of_samples(f, j->spans);
	return sample_filter_new(&j->filter_request, &j->filter, diag);
}

/* Begins a stream, whose events are known when its first sample arrives. */
static int begin_stream(void *arg, struct consumer *c)
{
	struct heatmap_job *j = arg;

	(void)c;
	return heatmap_plan(j, j->diag);
}

static int heatmap_read_recording(struct heatmap_job *j, struct diag *diag)
{
	/* Fields are of single stacks. */
	const char *by = j->rq->kind == HEATMAP_FIELD ? "minute" : "cell";
	_cleanup_(freep) char *url = fleet_is_url(j->rq->path) ? fleet_url_by(j->rq->path, by)
							       : NULL;
	const struct session_options so = { .path = url ? url : j->rq->path,
					    .force = j->rq->force,
					    .progress = j->rq->progress };
	struct consumer consumer = { .order = CONSUMER_IN_ORDER,
				     .samples = heatmap_take,
				     .arg = j };
	int r = any_session_open(&so, &j->session, diag);

	j->by_minute = url;
	if (r >= 0)
		r = heatmap_open_filter(j, diag);
	if (r < 0)
		return r;
	j->diag = diag;
	if (session_is_stream(j->session))
		consumer.begin = begin_stream;
	else
		r = heatmap_plan(j, diag);
	if (r >= 0)
		r = session_feed(j->session, NULL, &consumer, diag);
	return r >= 0 ? reading_check_samples(j->session, diag) : r;
}

/* --- notes ------------------------------------------------------------------------------------ */

void heatmap_note_unmatched(const struct pair_counts *c, struct notes *notes)
{
	pair_counts_note(c, NOTE_REMARK, notes);
	if (c->flushes || c->empty)
		notes_add(notes, NOTE_REMARK,
			  "flushes, which have no sector and are matched by device: %" PRIu64
			  "; completions of requests that waited for one, left out: %" PRIu64,
			  c->flushes, c->empty);
	if (c->unreadable)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " records were too short for the fields of the key",
			  c->unreadable);
}

static void note_values(const struct heatmap_job *j, struct notes *notes)
{
	if (j->negative)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " values are below zero and are not in the picture",
			  j->negative);
	if (j->unreadable)
		notes_add(notes, NOTE_WARNING, "%" PRIu64 " records were too short for the field",
			  j->unreadable);
}

/* Explains in @diag why nothing was counted. */
static int heatmap_refuse_empty(const struct heatmap_job *j, const struct pair_counts *c,
				struct diag *diag)
{
	const struct session_counts *counts = j->session ? session_counts(j->session) : NULL;

	if (j->kind == HEATMAP_TEXT)
		return diag_set(diag, -ENODATA, "%s has no line with a time and a value",
				j->rq->path);
	if (!counts->samples)
		return diag_set(diag, -ENODATA, "%s has no samples", j->rq->path);
	if (j->kind != HEATMAP_PAIRS && !j->n_samples)
		return diag_set(diag, -ENODATA, "%s has no samples of %s", j->rq->path,
				j->rq->event ? j->rq->event : "events with that field");
	if (j->negative)
		return diag_set(diag, -ENODATA, "all values in %s are below zero", j->rq->path);
	if (j->kind != HEATMAP_PAIRS || c->pairs)
		return diag_set(diag, -ENODATA, "nothing in %s passes the filters", j->rq->path);
	diag_set(diag, -ENODATA, "no begin in %s has an end: %" PRIu64 " begins, %" PRIu64 " ends",
		 j->rq->path, c->open + c->replaced, c->unbegun);
	if (j->rq->pair)
		diag_hint(diag, "Do the fields of the key, %s, have the same value in both events?",
			  j->rq->key ? j->rq->key : "tid");
	return -ENODATA;
}

/* --- the result ------------------------------------------------------------------------------- */

static char *heatmap_title_of(const struct heatmap_job *j)
{
	const struct heatmap_request *rq = j->rq;

	if (j->preset)
		return xstrdup(j->preset->title);
	if (j->kind == HEATMAP_PAIRS)
		return xasprintf("Time from %s to %s", j->typed.rules[1].event,
				 j->typed.rules[0].event);
	if (j->kind == HEATMAP_FIELD)
		return rq->event ? xasprintf("%s of %s", rq->field, rq->event) : xstrdup(rq->field);
	if (j->kind == HEATMAP_SAMPLES)
		return rq->event ? xasprintf("Samples of %s", rq->event) : xstrdup("Samples");
	return xstrdup("Latency");
}

void heatmap_describe(const struct heatmap_job *j, struct heatmap *h)
{
	static const struct {
		const char *value_name, *noun;
	} words[] = {
		[HEATMAP_PAIRS] = { "latency", "pairs" },
		[HEATMAP_FIELD] = { "value", "samples" },
		[HEATMAP_SAMPLES] = { "time within the second", "samples" },
		[HEATMAP_TEXT] = { "latency", "points" },
	};

	h->kind = j->kind;
	h->values_are_times = j->kind != HEATMAP_FIELD;
	h->title = heatmap_title_of(j);
	h->value_name = words[j->kind].value_name;
	if (j->kind == HEATMAP_SAMPLES && j->step_ns != NS_PER_S)
		h->value_name = j->step_ns == NS_PER_H ? "time within the hour"
						       : "time within the column";
	h->noun = words[j->kind].noun;
}

static int heatmap_work_make(struct heatmap_job *j, struct heatmap *ret, struct notes *notes,
			     struct diag *diag)
{
	struct heatmap h = { 0 };
	int r;

	if (j->rq->kind == HEATMAP_TEXT) {
		r = heatmap_plan(j, diag);
		if (r >= 0)
			r = heatmap_read_text(j->rq, j->heat, notes, diag);
	} else {
		r = heatmap_read_recording(j, diag);
	}
	if (r < 0)
		return r;
	if (j->pairs)
		h.pairs = pairs_counts(j->pairs);
	r = heat_settle(j->heat, &h.map, diag);
	if (r == -ENODATA)
		return heatmap_refuse_empty(j, &h.pairs, diag);
	if (r == -E2BIG)
		diag_hint(diag, "Choose a wider --step, or a part of the time with --time.");
	if (r < 0)
		return r;
	heatmap_describe(j, &h);
	heatmap_note_unmatched(&h.pairs, notes);
	note_values(j, notes);
	*ret = h;
	return 0;
}

int heatmap_make(const struct heatmap_request *rq, struct heatmap *ret, struct notes *notes,
		 struct diag *diag)
{
	struct heatmap_job j = { .rq = rq };
	int r = heatmap_work_make(&j, ret, notes, diag);

	if (j.session) {
		reading_note_damage(j.session, notes);
		reading_note_losses(j.session, notes);
	}
	heatmap_job_done(&j);
	return r;
}

void heatmap_done(struct heatmap *h)
{
	heat_map_done(&h->map);
	free(h->title);
}
