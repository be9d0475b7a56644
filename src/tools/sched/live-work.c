/* SPDX-License-Identifier: MIT */
#include "tools/sched/live-work.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/notes.h"
#include "capture/loop.h"
#include "measure/live.h"
#include "session/reading.h"
#include "tools/sched/read-work.h"

/*
 * The pages of each buffer, the same number as in `perf sched record`, because switches come in
 * bursts.
 */
#define BUFFER_PAGES 1024

static const struct {
	enum sched_kind kind;
	const char *event;
} events[] = {
	{ SCHED_SWITCH, "sched:sched_switch" },
	{ SCHED_WAKING, "sched:sched_waking" },
	{ SCHED_WAKEUP, "sched:sched_wakeup" },
	{ SCHED_WAKEUP_NEW, "sched:sched_wakeup_new" },
	{ SCHED_MIGRATE, "sched:sched_migrate_task" },
	{ SCHED_RUNTIME, "sched:sched_stat_runtime" },
};

struct sched_live_watching {
	struct sched_reading reading; /* must be first: its address is the consumer's arg */
	const struct sched_live_request *rq;
	struct notes *notes;
	uint64_t begin_ns;
};

static int sched_live_on_interval(void *arg)
{
	const struct sched_live_watching *w = arg;

	return w->rq->on_interval(w->rq->reader->arg, clock_ns(CLOCK_MONOTONIC) - w->begin_ns);
}

static int sched_live_on_end(void *arg)
{
	const struct sched_live_watching *w = arg;
	int r = sched_live_on_interval(arg);

	if (w->reading.session)
		reading_note_losses(w->reading.session, w->notes);
	return r;
}

/* Returns the request. Only samples are needed, because they contain the names of tasks. */
static struct live_request sched_live_request(struct sched_live_watching *w)
{
	return (struct live_request){
		.what = { .argv = w->rq->argv,
			  .target.all_cpus = true,
			  .buffer.size.data_pages = BUFFER_PAGES,
			  .sampling = { .sample = { .cpu = true,
						    .raw = true,
						    .timestamp = CHOICE_YES },
					.sideband = { .no_bpf_event = true,
						      .synth = { .given = true } } } },
		.consumer = sched_reading_consumer(&w->reading),
		.raises_priority = true,
		.leaves_command = true,
		.interval_ms = w->rq->interval_ms,
		.on_interval = sched_live_on_interval,
		.on_end = sched_live_on_end,
	};
}

int sched_watch(const struct sched_live_request *rq, struct notes *notes, struct record_result *ret,
		struct diag *diag)
{
	struct sched_live_watching w = { .reading.reader = rq->reader,
					 .rq = rq,
					 .notes = notes,
					 .begin_ns = clock_ns(CLOCK_MONOTONIC) };
	struct live_request live = sched_live_request(&w);
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (rq->reader->kinds & SCHED_KIND_BIT(events[i].kind))
			event_words_add(&live.what.events, EVENT_WORD_EVENT, events[i].event);
	r = live_run(&live, notes, ret, diag);
	event_words_done(&live.what.events);
	sched_reading_done(&w.reading);
	return r;
}
