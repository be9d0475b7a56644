/* SPDX-License-Identifier: MIT */
/* perf heatmap -I: passes samples from ring buffers to a heat map that scrolls. */
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/loop.h"
#include "measure/live.h"
#include "pairs/hist-pairs.h"
#include "pairs/pair-presets.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "tools/heatmap/internal-work.h"

#define NS_PER_MS UINT64_C(1000000)

/*
 * The pages of each buffer, which has to hold bursts, as latencies come from events that come in
 * bursts.
 */
#define BUFFER_PAGES 1024

struct heatmap_live_watching {
	struct heatmap_job job; /* must be first: heatmap_take() gets its address */
	struct heat_window window;
	const struct heatmap_live *live;
	struct notes *notes;
};

static int heatmap_live_begin(void *arg, struct consumer *c)
{
	struct heatmap_live_watching *w = arg;
	struct heatmap_job *j = &w->job;
	int r;

	j->session = c->session;
	j->filter_request = filter_request_of_samples(&j->rq->filter, NULL);
	r = sample_filter_new(&j->filter_request, &j->filter, j->diag);
	if (r < 0)
		return r;
	j->has_started = true;
	j->first_ns = clock_ns(CLOCK_MONOTONIC);
	return heatmap_plan(j, j->diag);
}

static int heatmap_live_on_interval(void *arg)
{
	struct heatmap_live_watching *w = arg;
	struct heatmap h = { 0 };
	_cleanup_(diag_done) struct diag nothing = { 0 };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int r = heat_window_settle(&w->window, now, &h.map, &nothing);

	if (r < 0)
		return w->live->show(w->live->arg, NULL, now - w->job.first_ns);
	heatmap_describe(&w->job, &h);
	r = w->live->show(w->live->arg, &h, now - w->job.first_ns);
	heatmap_done(&h);
	return r;
}

static int heatmap_live_on_end(void *arg)
{
	struct heatmap_live_watching *w = arg;
	const struct heatmap_job *j = &w->job;
	int r;

	if (!j->session || !w->window.older)
		return 0;
	r = heatmap_live_on_interval(w);
	reading_note_losses(j->session, w->notes);
	if (j->pairs) {
		const struct pair_counts counts = pairs_counts(j->pairs);

		heatmap_note_unmatched(&counts, w->notes);
	}
	return r;
}

static struct live_request heatmap_live_request(struct heatmap_live_watching *w)
{
	return (struct live_request){
		.what = { .argv = w->live->argv,
			  .target.all_cpus = true,
			  .buffer.size.data_pages = BUFFER_PAGES,
			  .sampling = { .sample = { .cpu = true,
						    .raw = true,
						    .timestamp = CHOICE_YES,
						    .clock = { true, CLOCK_MONOTONIC } },
					.sideband.no_bpf_event = true } },
		.consumer = { .order = CONSUMER_IN_ORDER,
			      .begin = heatmap_live_begin,
			      .samples = heatmap_take,
			      .arg = w },
		.raises_priority = true,
		.leaves_command = true,
		.interval_ms = w->live->interval_ms,
		.on_interval = heatmap_live_on_interval,
		.on_end = heatmap_live_on_end,
	};
}

/* Adds the events that the picture needs. Their names belong to @typed, or last as long as @rq. */
static int heatmap_live_add_events(const struct heatmap_request *rq, struct typed_pair *typed,
				   struct event_words *words, struct diag *diag)
{
	int r = 0;

	if (rq->kind != HEATMAP_PAIRS) {
		if (rq->event)
			event_words_add(words, EVENT_WORD_EVENT, rq->event);
		return 0;
	}
	if (rq->pair)
		r = typed_pair_parse(rq->pair, rq->key, typed, diag);
	if (r >= 0)
		hist_pair_words(rq->pair ? &typed->spec : &pair_preset_find(rq->preset)->specs[0],
				NULL, words);
	return r;
}

int heatmap_watch(const struct heatmap_request *rq, const struct heatmap_live *live,
		  struct notes *notes, struct record_result *ret, struct diag *diag)
{
	struct heatmap_request stepped = *rq;
	struct heatmap_live_watching w = { .live = live, .notes = notes };
	struct typed_pair typed = { 0 };
	struct live_request request;
	int r;

	stepped.step_ns = live->interval_ms * NS_PER_MS;
	w.job = (struct heatmap_job){ .rq = &stepped, .diag = diag, .window = &w.window };
	request = heatmap_live_request(&w);
	*ret = (struct record_result){ 0 };
	r = heatmap_live_add_events(rq, &typed, &request.what.events, diag);
	if (r >= 0)
		r = live_run(&request, notes, ret, diag);
	event_words_done(&request.what.events);
	typed_pair_done(&typed);
	/* The session belonged to the rings. */
	w.job.session = NULL;
	heatmap_job_done(&w.job);
	heat_window_done(&w.window);
	return r;
}
