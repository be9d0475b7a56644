/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-work.h"

#include <errno.h>

#include "base/diag.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "session/sched-event.h"
#include "tools/sched/task-times-model.h"
#include "wire/record.h"

struct sched_timehist_reading {
	const struct timehist_request *rq;
	struct recorded *recorded;
	struct timehist *model;
	struct sched_events events;
	struct diag *diag;
};

static bool timehist_has_chains(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static int timehist_begin(void *arg, struct consumer *c)
{
	struct sched_timehist_reading *r = arg;

	sched_events_bind(&r->events, c->session, 0);
	if (!r->events.has[SCHED_SWITCH])
		return diag_set(r->diag, -ENOENT,
				"No sched_switch events found. Have you run 'perf sched record'?");
	if (r->rq->begin)
		r->rq->begin(r->rq->arg, r->recorded, timehist_has_chains(c->session));
	return 0;
}

static bool timehist_wants(void *arg, const struct session_event *e)
{
	const struct sched_timehist_reading *r = arg;

	switch (sched_event_kind(&r->events, e)) {
	case SCHED_SWITCH:
	case SCHED_WAKING:
	case SCHED_WAKEUP_NEW:
		return true;
	case SCHED_MIGRATE:
		return r->rq->model.count_moves;
	case SCHED_WAKEUP: /* not if SCHED_WAKING of the task came before */
		return !r->events.has[SCHED_WAKING];
	default:
		return false;
	}
}

static int timehist_take_samples(void *arg, const struct sample_batch *b)
{
	struct sched_timehist_reading *r = arg;
	struct sched_event e;

	for (size_t i = 0; i < b->n; i++) {
		if (!sched_event_read(&r->events, &b->items[i], &e))
			continue;
		timehist_take(r->model, &e);
		if (r->rq->times)
			task_times_take(r->rq->times, &e);
	}
	return 0;
}

static void timehist_work_take_record(struct sched_timehist_reading *r, const struct delivered *d)
{
	const struct timehist_request *rq = r->rq;
	struct record record;

	if (session_decode_record(r->recorded->session, d, &record) < 0)
		return;
	if (record.header.type != PERF_RECORD_LOST)
		timehist_take_record(r->model, &record);
	else if (rq->lost)
		rq->lost(rq->arg, d->time, record.id.cpu, record.lost.lost);
	if (record.header.type == PERF_RECORD_FORK && rq->times)
		task_times_forget(rq->times, record.task.tid);
}

static int timehist_take_records(void *arg, const struct record_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		timehist_work_take_record(arg, &b->items[i]);
	return 0;
}

int timehist_run(struct recorded *r, const struct timehist_request *rq, struct notes *notes,
		 struct timehist **ret, struct diag *diag)
{
	_cleanup_(timehist_freep) struct timehist *model = timehist_new(&rq->model);
	struct sched_timehist_reading reading = {
		.rq = rq, .recorded = r, .model = model, .diag = diag
	};
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPE_BIT(PERF_RECORD_COMM) | RECORD_TYPE_BIT(PERF_RECORD_FORK) |
			 RECORD_TYPE_BIT(PERF_RECORD_EXIT) | RECORD_TYPE_BIT(PERF_RECORD_LOST),
		.begin = timehist_begin,
		.wants = timehist_wants,
		.samples = timehist_take_samples,
		.records = timehist_take_records,
		.arg = &reading,
	};
	int status = recorded_feed(r, &consumer, notes, diag);

	sched_events_done(&reading.events);
	if (status >= 0)
		*ret = TAKE(model);
	return status;
}
