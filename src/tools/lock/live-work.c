/* SPDX-License-Identifier: MIT */
/* perf lock contention, live: events come from ring buffers, without a file. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/notes.h"
#include "measure/live.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "tools/lock/futexes-work.h"
#include "tools/lock/internal-work.h"
#include "tools/lock/session-names-work.h"

/*
 * The pages of each buffer, the same number as in `perf lock record`, because lock events come in
 * bursts.
 */
#define BUFFER_PAGES 1024

/* The maximum depth of the kernel's stack when a system call begins. */
#define KERNEL_FRAMES 16

struct lock_live_watching {
	const struct lock_job *job;
	struct lock_session_names names;
	struct lock_futexes futexes;
	struct lock_contention *model;
	struct consumer inner;
	uint64_t begin_ns;
};

static int lock_live_begin(void *arg, struct consumer *c)
{
	struct lock_live_watching *w = arg;
	int r;

	w->names.session = c->session;
	w->begin_ns = clock_ns(CLOCK_MONOTONIC);
	r = w->inner.begin(w->inner.arg, c);
	return r < 0 ? r : lock_futexes_begin(&w->futexes, c->session, &w->names);
}

static bool lock_live_wants(void *arg, const struct session_event *e)
{
	const struct lock_live_watching *w = arg;

	return w->inner.wants(w->inner.arg, e) || lock_futexes_want(&w->futexes, e);
}

static int lock_live_take(void *arg, const struct sample_batch *b)
{
	struct lock_live_watching *w = arg;

	lock_futexes_take(&w->futexes, b);
	return w->inner.samples(w->inner.arg, b);
}

static int lock_live_show(struct lock_live_watching *w, bool is_last)
{
	const struct lock_names names = lock_session_names(&w->names);

	return lock_job_show(
		w->job, &(struct lock_counted){ .model = w->model,
						.names = &names,
						.time_ns = clock_ns(CLOCK_MONOTONIC) - w->begin_ns,
						.is_last = is_last });
}

static int lock_live_on_interval(void *arg)
{
	return lock_live_show(arg, false);
}

static int lock_live_on_end(void *arg)
{
	struct lock_live_watching *w = arg;

	if (!w->names.session)
		return 0;
	reading_note_losses(w->names.session, w->job->notes);
	lock_futexes_finish(&w->futexes, w->model);
	return lock_live_show(w, true);
}

static struct live_request lock_live_request(struct lock_live_watching *w,
					     struct symbolizer *symbols)
{
	const struct lock_request *rq = w->job->rq;
	/* Frames of user space follow those of the kernel. */
	bool user = rq->user || rq->user_only;
	struct callgraph_choice stacks = {
		.mode = CALLGRAPH_FP, .depth = (uint32_t)rq->max_stack + (user ? KERNEL_FRAMES : 0)
	};

	return (struct live_request){
		.what = { .argv = rq->argv,
			  .target = rq->target,
			  .buffer.size.data_pages = BUFFER_PAGES,
			  .sampling = { .sample = { .cpu = true,
						    .raw = true,
						    .timestamp = CHOICE_YES },
					.callgraph.choice = stacks } },
		.consumer = { .order = CONSUMER_IN_ORDER,
			      .begin = lock_live_begin,
			      .wants = lock_live_wants,
			      .samples = lock_live_take,
			      .arg = w },
		.symbolizer = symbols,
		.keeps_all = true,
		.raises_priority = true,
		.interval_ms = rq->interval_ms,
		.on_interval = lock_live_on_interval,
		.on_end = lock_live_on_end,
	};
}

static void lock_live_add_events(const struct lock_request *rq, struct event_words *words)
{
	if (!rq->user_only) {
		event_words_add(words, EVENT_WORD_EVENT, "lock:contention_begin");
		event_words_add(words, EVENT_WORD_EVENT, "lock:contention_end");
	}
	if (rq->user || rq->user_only) {
		event_words_add(words, EVENT_WORD_EVENT, LOCK_FUTEX_ENTER);
		event_words_add(words, EVENT_WORD_EVENT, LOCK_FUTEX_EXIT);
	}
}

int lock_watch(const struct lock_job *j, struct record_result *ret)
{
	struct lock_live_watching w = { .job = j, .futexes.job = j };
	const struct lock_names names = lock_session_names(&w.names);
	const struct lock_input *in = &j->rq->input;
	const struct reading_symbols how = { .request = &in->symbols,
					     .buildid_dir = in->buildid_dir,
					     .progress = in->progress };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = NULL;
	struct live_request live;
	int r = reading_check_files(&how, j->diag);

	if (r < 0)
		return r;
	symbols = reading_symbolizer(&how);
	w.model = lock_job_model(j, &names, NULL);
	lock_contention_consumer(w.model, &w.inner);
	live = lock_live_request(&w, symbols);
	lock_live_add_events(j->rq, &live.what.events);
	r = live_run(&live, j->notes, ret, j->diag);
	event_words_done(&live.what.events);
	lock_contention_free(w.model);
	lock_futexes_done(&w.futexes);
	lock_session_names_done(&w.names);
	return r;
}
