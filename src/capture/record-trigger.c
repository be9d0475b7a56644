/* SPDX-License-Identifier: MIT */
#include "capture/record-trigger.h"

#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "capture/task-list.h"
#include "event/event.h"

/* Makes the event write a record each time it happens, which wakes us up at once. */
static void record_trigger_prepare(struct attr *a)
{
	a->sample_type = PERF_SAMPLE_IDENTIFIER;
	a->read_format = PERF_FORMAT_ID;
	a->sample_period = 1;
	a->sample_id_all = 1;
	a->watermark = 1;
	a->wakeup_watermark = 1;
}

int record_trigger_open(struct record_trigger *t, struct event_list *events,
			const struct cpu_list *cpus, struct diag *diag)
{
	const struct task_list nobody = { 0 };
	const struct open_request rq = {
		.events = events, .use = EVENT_USE_SAMPLING, .tasks = &nobody, .cpus = cpus
	};
	int r;

	for (size_t i = 0; i < events->n; i++)
		record_trigger_prepare(&events->items[i]->attr);
	r = opened_events_open(&rq, &t->events, diag);
	if (r >= 0)
		r = record_rings_map(&t->events, (size_t)sysconf(_SC_PAGESIZE), &t->rings, diag);
	for (size_t i = 0; i < t->rings.n && r >= 0; i++)
		*ARRAY_ADD(&t->drain) = &t->rings.items[i];
	if (r >= 0) {
		r = record_drain_watch(&t->drain);
		if (r < 0)
			diag_set(diag, r, "cannot watch --switch-output-event: %s", strerror(-r));
	}
	return r;
}

void record_trigger_close(struct record_trigger *t)
{
	record_drain_done(&t->drain);
	record_rings_unmap(&t->rings);
	opened_events_close(&t->events);
}

int record_trigger_fd(const struct record_trigger *t)
{
	return t->drain.epoll_fd;
}

bool record_trigger_take(struct record_trigger *t)
{
	struct iovec pieces[2];
	bool any = false;

	record_drain_look(&t->drain);
	for (size_t i = 0; i < t->rings.n; i++) {
		any |= ring_read(&t->rings.items[i].ring, pieces) > 0;
		ring_release(&t->rings.items[i].ring);
	}
	return any;
}
