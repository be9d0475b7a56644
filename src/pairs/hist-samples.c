/* SPDX-License-Identifier: MIT */
/*
 * Histograms from samples: out of a recording, or out of ring buffers if the kernel cannot count.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/workers.h"
#include "capture/loop.h"
#include "foreign/any-session.h"
#include "measure/live.h"
#include "pairs/hist-job.h"
#include "pairs/hist-pairs.h"
#include "pairs/pair-presets.h"
#include "pairs/pairs.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "tracepoint/field.h"

#define WORKERS_MAX 16

struct sampling_hist {
	struct hist_job *job;
	struct session *session; /* set from hist_samples_begin() on */
	/* For a field: its position in the records of each event, and the counts of each worker. */
	struct field_ref *fields;
	uint64_t *counts[WORKERS_MAX];
	struct pairs *pairs;
	uint64_t begin_ns; /* live: the begin, on the monotonic clock */
};

static int hist_samples_refuse_event(const struct sampling_hist *h, const struct session *s)
{
	const char *event = h->job->rq->event;
	int r = event_refuse(event, s, h->job->diag);

	diag_hint(h->job->diag, "To record it: perf record -e %s -a", event);
	return r;
}

/* Binds the field in the requested events. The same event may occur several times. */
static int begin_field(struct sampling_hist *h, const struct session *s)
{
	const struct hist_request *rq = h->job->rq;
	const struct pair_rule meant = { .event = rq->event };
	bool found = false;

	h->fields = xcalloc(session_event_count(s) + 1, sizeof(*h->fields));
	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (!pair_rule_is_about(&meant, e))
			continue;
		found = true;
		h->fields[i] = tracepoint_field_bind(e->format, rq->field, session_is_swapped(s));
		if (h->fields[i].kind != FIELD_NUMBER)
			return hist_refuse_field(e->name, e->format, rq->field, h->job->diag);
	}
	return found ? 0 : hist_samples_refuse_event(h, s);
}

static void found_pair(void *arg, const struct pair *p)
{
	struct sampling_hist *h = arg;
	uint64_t taken_ns = p->end_ns - p->begin_ns;

	h->job->all.counts[histogram_row(&h->job->all,
					 taken_ns > INT64_MAX ? INT64_MAX : (int64_t)taken_ns)]++;
}

static int begin_pairs(struct sampling_hist *h, const struct session *s)
{
	const struct hist_request *rq = h->job->rq;
	const struct pair_spec *spec = rq->pairs ? rq->pairs : pair_preset_spec(rq->preset, s);
	int r = pair_spec_check(spec, s, h->job->diag);

	if (r == -ENOENT && rq->preset)
		diag_hint(h->job->diag, "To record them: perf record %s", rq->preset->record);
	if (r < 0)
		return r;
	h->pairs = pairs_new(&(struct pairs_options){
		.spec = spec, .swap = session_is_swapped(s), .found = found_pair, .arg = h });
	return 0;
}

static int hist_samples_begin(void *arg, struct consumer *c)
{
	struct sampling_hist *h = arg;
	int r = h->job->rq->event ? begin_field(h, c->session) : begin_pairs(h, c->session);

	h->session = c->session;
	h->begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (r >= 0)
		hist_job_begin(h->job);
	return r;
}

/*
 * Returns how many occurrences a sample stands for. The period of a sample is no answer: some
 * tracepoints of the scheduler have a time there.
 */
static uint64_t hist_samples_occurrences(const struct session_sample *s)
{
	const struct attr *a = &s->event->attr;

	return a->freq ? s->period : a->sample_period ? a->sample_period : 1;
}

static int take_fields(void *arg, const struct sample_batch *b)
{
	struct sampling_hist *h = arg;
	uint64_t *counts = h->counts[b->worker];

	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];
		const struct field_ref *f = &h->fields[s->event->index];
		uint64_t value;

		if (!field_ref_number(f, s->sample->raw, s->sample->raw_size, &value))
			continue;
		if (!f->is_signed && value > INT64_MAX)
			value = INT64_MAX;
		counts[histogram_row(&h->job->all, (int64_t)value)] += hist_samples_occurrences(s);
	}
	return 0;
}

static int take_pairs(void *arg, const struct sample_batch *b)
{
	struct sampling_hist *h = arg;

	for (size_t i = 0; i < b->n; i++)
		pairs_take(h->pairs, &b->items[i]);
	return 0;
}

/* Adds up the counts of the workers. */
static void hist_samples_sum_up(struct sampling_hist *h)
{
	struct histogram *all = &h->job->all;

	if (!h->job->rq->event)
		return;
	memset(all->counts, 0, histogram_rows(all) * sizeof(*all->counts));
	for (size_t w = 0; w < WORKERS_MAX; w++)
		for (size_t i = 0; h->counts[w] && i < histogram_rows(all); i++)
			all->counts[i] += h->counts[w][i];
}

static struct consumer consumer_of(struct sampling_hist *h, unsigned n_workers)
{
	bool is_field = h->job->rq->event != NULL;

	for (unsigned i = 0; is_field && i < n_workers; i++)
		h->counts[i] = xcalloc(histogram_rows(&h->job->all), sizeof(*h->counts[i]));
	return (struct consumer){
		.order = is_field ? CONSUMER_ANY_ORDER : CONSUMER_IN_ORDER,
		.begin = hist_samples_begin,
		.samples = is_field ? take_fields : take_pairs,
		.arg = h,
	};
}

static void hist_samples_release(struct sampling_hist *h)
{
	for (size_t i = 0; i < WORKERS_MAX; i++)
		free(h->counts[i]);
	free(h->fields);
	pairs_free(h->pairs);
}

/* Notes how many begins and ends have no partner, because they are missing in the picture. */
static void note_unmatched(const struct sampling_hist *h)
{
	struct pair_counts c = pairs_counts(h->pairs);

	if (c.unbegun + c.mismatched + c.replaced > c.pairs)
		pair_counts_note(&c, NOTE_WARNING, h->job->notes);
}

/* Notes why nothing was counted, because a table of zeros alone would not explain it. */
static void hist_samples_note_missing(const struct sampling_hist *h)
{
	if (h->pairs)
		note_unmatched(h);
	else if (!histogram_total(&h->job->all))
		notes_add(h->job->notes, NOTE_WARNING, "%s has no samples of %s",
			  session_path(h->session), h->job->rq->event);
}

int hist_read(struct hist_job *j)
{
	struct sampling_hist h = { .job = j };
	_cleanup_(workers_freep) struct workers *workers = workers_new(0, WORKERS_MAX);
	_cleanup_(session_freep) struct session *s = NULL;
	struct consumer consumer = consumer_of(&h, workers_count(workers));
	const struct session_options options = { .path = j->rq->input,
						 .force = j->rq->force,
						 .progress = j->rq->progress };
	int r = any_session_open(&options, &s, j->diag);

	if (r >= 0)
		r = session_feed(s, workers, &consumer, j->diag);
	if (r >= 0)
		r = reading_check_samples(s, j->diag);
	if (r >= 0) {
		hist_samples_sum_up(&h);
		hist_job_tell(j, 0);
		hist_samples_note_missing(&h);
	}
	if (s) {
		reading_note_damage(s, j->notes);
		reading_note_losses(s, j->notes);
	}
	hist_samples_release(&h);
	return r;
}

static int hist_samples_on_interval(void *arg)
{
	struct sampling_hist *h = arg;

	hist_samples_sum_up(h);
	hist_job_tell(h->job, clock_ns(CLOCK_MONOTONIC) - h->begin_ns);
	return 0;
}

static int hist_samples_on_end(void *arg)
{
	struct sampling_hist *h = arg;
	int r = hist_samples_on_interval(h);

	if (h->pairs)
		note_unmatched(h);
	reading_note_losses(h->session, h->job->notes);
	return r;
}

/*
 * Returns the request for live samples. Only samples are read: names of tasks and maps are not
 * needed.
 */
static struct live_request hist_samples_live_request(struct sampling_hist *h)
{
	const struct hist_request *rq = h->job->rq;

	return (struct live_request){
		.what = { .argv = rq->argv,
			  .target = rq->target,
			  .sampling = { .sample = { .cpu = true, .timestamp = CHOICE_YES },
					.sideband = { .no_bpf_event = true,
						      .synth = { .given = true } } } },
		.consumer = consumer_of(h, 1),
		.interval_ms = rq->interval_ms,
		.timeout_ms = rq->timeout_ms,
		.on_interval = hist_samples_on_interval,
		.on_end = hist_samples_on_end,
	};
}

int hist_sample(struct hist_job *j, struct record_result *ret)
{
	struct sampling_hist h = { .job = j };
	struct live_request live = hist_samples_live_request(&h);
	struct event_words *words = &live.what.events;
	int r;

	/* In front of all events, the cgroup applies to all of them. */
	if (j->rq->cgroup)
		event_words_add(words, EVENT_WORD_CGROUP, j->rq->cgroup);
	if (j->rq->event) {
		event_words_add(words, EVENT_WORD_EVENT, j->rq->event);
		if (j->rq->filter)
			event_words_add(words, EVENT_WORD_FILTER, j->rq->filter);
	} else {
		hist_pair_words(hist_pair_spec(j->rq), j->rq->filter, words);
	}
	r = live_run(&live, j->notes, ret, j->diag);
	event_words_done(words);
	hist_samples_release(&h);
	return r;
}
