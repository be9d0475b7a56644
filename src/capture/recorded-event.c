/* SPDX-License-Identifier: MIT */
#include "capture/recorded-event.h"

#include "base/memory.h"
#include "capture/opened-events.h"
#include "datafile/reader.h"
#include "kernel/pmu.h"

void recorded_event_ids(const struct opened_event *e, struct file_event *f)
{
	size_t n = opened_event_places(e);

	f->ids = xcalloc(n + 1, sizeof(f->ids[0]));
	for (size_t i = 0; i < n; i++)
		if (e->ids[i])
			f->ids[f->n_ids++] = e->ids[i];
}

struct recorded_event recorded_event_of(const struct opened_event *e, const struct file_event *f)
{
	const struct event *event = e->event;

	return (struct recorded_event){
		.attr = f->attr,
		.name = event->name,
		.system = event->system,
		.tracepoint = event->tracepoint,
		.unit = event->unit ? event->unit : "",
		.scale = event->scale,
		.own_cpus = event->pmu && event->pmu->has_cpus ? &event->pmu->cpus : NULL,
		.ids = f->ids,
		.n_ids = f->n_ids,
		.leader = e->leader,
		.group_name = event->group_name,
	};
}
