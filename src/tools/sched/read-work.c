/* SPDX-License-Identifier: MIT */
#include "tools/sched/read-work.h"

#include <errno.h>
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "tools/sched/task-times-model.h"
#include "wire/record.h"

void sched_reading_done(struct sched_reading *r)
{
	sched_events_done(&r->events);
}

static int sched_read_begin(void *arg, struct consumer *c)
{
	struct sched_reading *r = arg;

	r->session = c->session;
	sched_events_bind(&r->events, c->session, r->reader->unread);
	return r->events.has[SCHED_SWITCH] ? 0 : -ENODATA;
}

static bool sched_read_wants(void *arg, const struct session_event *e)
{
	const struct sched_reading *r = arg;
	enum sched_kind kind = sched_event_kind(&r->events, e);

	return kind != SCHED_NONE && (r->reader->kinds & SCHED_KIND_BIT(kind));
}

static int sched_read_take_samples(void *arg, const struct sample_batch *b)
{
	struct sched_reading *r = arg;
	struct sched_event e;

	for (size_t i = 0; i < b->n; i++)
		if (sched_event_read(&r->events, &b->items[i], &e))
			r->reader->take(r->reader->arg, &e);
	return 0;
}

static int sched_read_take_records(void *arg, const struct record_batch *b)
{
	struct sched_reading *r = arg;
	struct record record;

	for (size_t i = 0; i < b->n; i++)
		if (session_decode_record(r->session, &b->items[i], &record) >= 0)
			r->reader->record(r->reader->arg, &record, b->items[i].time);
	return 0;
}

struct consumer sched_reading_consumer(struct sched_reading *r)
{
	return (struct consumer){
		.order = CONSUMER_IN_ORDER,
		.types = r->reader->types,
		.begin = sched_read_begin,
		.wants = sched_read_wants,
		.samples = sched_read_take_samples,
		.records = r->reader->types ? sched_read_take_records : NULL,
		.arg = r,
	};
}

int sched_read(struct recorded *r, const struct sched_reader *reader, struct notes *notes,
	       struct diag *diag)
{
	_cleanup_(sched_reading_done) struct sched_reading reading = { .reader = reader };
	const struct consumer consumer = sched_reading_consumer(&reading);
	int status = recorded_feed(r, &consumer, notes, diag);

	if (status == -ENODATA && !diag->message) {
		diag_set(diag, status,
			 "the recording has no context switches (sched:sched_switch)");
		diag_hint(diag, "Record them with 'perf sched record'.");
	}
	return status;
}

static void sched_times_take(void *arg, const struct sched_event *e)
{
	task_times_take(arg, e);
}

static void sched_times_take_fork(void *arg, const struct record *r, uint64_t time)
{
	(void)time;
	task_times_forget(arg, r->task.tid);
}

int task_times_read(struct recorded *r, struct task_times *t, struct notes *notes,
		    struct diag *diag)
{
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_WAKING) |
			 SCHED_KIND_BIT(SCHED_WAKEUP) | SCHED_KIND_BIT(SCHED_WAKEUP_NEW),
		.unread = SCHED_PRIOS | SCHED_WAKER,
		.take = sched_times_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = sched_times_take_fork,
		.arg = t,
	};
	int status = sched_read(r, &reader, notes, diag);

	if (status >= 0 && t->unmatched)
		notes_add(notes, NOTE_REMARK,
			  "%" PRIu64
			  " times do not count, as the recording has no beginning of them",
			  t->unmatched);
	return status;
}
