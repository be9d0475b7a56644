/* SPDX-License-Identifier: MIT */
#include "tools/kvm/stat-live-work.h"

#include "base/cleanup.h"
#include "base/notes.h"
#include "measure/live.h"
#include "session/reading.h"
#include "tools/kvm/stat-work.h"

/*
 * The pages of each buffer, the same number as in `perf kvm stat record`, because exits come in
 * bursts.
 */
#define BUFFER_PAGES 1024

struct kvm_stat_live_watching {
	const struct kvm_live_request *rq;
	struct notes *notes;
	struct kvm_stat model;
	const struct session *session;
};

static int kvm_stat_live_begin(void *arg, struct consumer *c)
{
	struct kvm_stat_live_watching *w = arg;

	w->session = c->session;
	kvm_stat_bind(&w->model, c->session);
	return 0;
}

static bool kvm_stat_live_wants(void *arg, const struct session_event *e)
{
	const struct kvm_stat_live_watching *w = arg;

	return kvm_stat_wants(&w->model, e);
}

static int kvm_stat_live_take(void *arg, const struct sample_batch *b)
{
	struct kvm_stat_live_watching *w = arg;

	for (size_t i = 0; i < b->n; i++)
		kvm_stat_take(&w->model, &b->items[i]);
	return 0;
}

static int kvm_stat_live_on_interval(void *arg)
{
	struct kvm_stat_live_watching *w = arg;

	return w->rq->on_interval(w->rq->arg, &w->model, false);
}

static int kvm_stat_live_on_end(void *arg)
{
	struct kvm_stat_live_watching *w = arg;

	if (!w->session)
		return 0;
	reading_note_losses(w->session, w->notes);
	return w->rq->on_interval(w->rq->arg, &w->model, true);
}

static struct live_request kvm_stat_live_request(struct kvm_stat_live_watching *w)
{
	const struct kvm_live_request *rq = w->rq;
	static char *const no_command[] = { NULL };

	return (struct live_request){
		.what = { .argv = no_command,
			  .target = { .all_cpus = rq->all_cpus || !rq->model.pids.n,
				      .pids = rq->all_cpus ? (struct id_list){ 0 }
							   : rq->model.pids },
			  .buffer.size.data_pages = rq->data_pages ? rq->data_pages : BUFFER_PAGES,
			  .sampling = { .sample = { .cpu = true,
						    .raw = true,
						    .timestamp = CHOICE_YES },
					.sideband = { .no_bpf_event = true,
						      .synth = { .given = true } } } },
		.consumer = { .order = CONSUMER_IN_ORDER,
			      .begin = kvm_stat_live_begin,
			      .wants = kvm_stat_live_wants,
			      .samples = kvm_stat_live_take,
			      .arg = w },
		.raises_priority = true,
		.interval_ms = rq->interval_ms,
		.on_interval = kvm_stat_live_on_interval,
		.on_end = kvm_stat_live_on_end,
	};
}

int kvm_stat_watch(const struct kvm_live_request *rq, struct notes *notes,
		   struct record_result *ret, struct diag *diag)
{
	struct kvm_stat_live_watching w = { .rq = rq, .notes = notes };
	struct live_request live = kvm_stat_live_request(&w);
	int r;

	kvm_stat_init(&w.model, &rq->model);
	event_words_add(&live.what.events, EVENT_WORD_EVENT, "kvm:kvm_entry");
	event_words_add(&live.what.events, EVENT_WORD_EVENT, "kvm:kvm_exit");
	if (rq->model.kind != KVM_STAT_EXITS)
		event_words_add(&live.what.events, EVENT_WORD_EVENT,
				kvm_stat_tracepoint(rq->model.kind));
	r = live_run(&live, notes, ret, diag);
	event_words_done(&live.what.events);
	kvm_stat_done(&w.model);
	return r;
}
