/* SPDX-License-Identifier: MIT */
/* The facts about the events and the clock of a recording for the header. */
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "capture/host-facts.h"
#include "capture/recorded-event.h"
#include "datafile/features.h"

static void host_facts_event_describe(const struct recorded_event *e, struct features *f)
{
	struct event_desc *d = ARRAY_ADD(&f->event_descs);

	d->attr = e->attr;
	d->name = xstrdup(e->name);
	d->n_ids = e->n_ids;
	d->ids = xcalloc(e->n_ids ? e->n_ids : 1, sizeof(d->ids[0]));
	if (e->n_ids)
		memcpy(d->ids, e->ids, e->n_ids * sizeof(d->ids[0]));
}

static void describe_group(const struct recorded_event *events, size_t n, size_t leader,
			   struct features *f)
{
	const char *name = events[leader].group_name;
	uint32_t members = 0;

	for (size_t i = leader; i < n; i++)
		members += events[i].leader == leader;
	if (members < 2)
		return;
	struct group_desc *g = ARRAY_ADD(&f->group_descs);
	g->name = xstrdup(name ? name : "{anon_group}");
	g->leader_idx = (uint32_t)leader;
	g->nr_members = members;
	features_mark(f, FEATURE_GROUP_DESC);
}

void host_facts_events(const struct recorded_event *events, size_t n, struct features *f)
{
	for (size_t i = 0; i < n; i++) {
		host_facts_event_describe(&events[i], f);
		if (events[i].leader == i)
			describe_group(events, n, i, f);
		/* Branches that are used to make stacks count as stacks, not as branches. */
		if (events[i].attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(events[i].attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			features_mark(f, FEATURE_BRANCH_STACK);
	}
	features_mark(f, FEATURE_EVENT_DESC);
}

static uint64_t host_facts_event_nanoseconds(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
}

void host_facts_clock(int32_t clockid, struct features *f)
{
	struct timespec resolution, wall, clock;

	if (clock_getres(clockid, &resolution) < 0 || clock_gettime(CLOCK_REALTIME, &wall) < 0 ||
	    clock_gettime(clockid, &clock) < 0)
		return;
	f->clockid_res_ns = host_facts_event_nanoseconds(&resolution);
	features_mark(f, FEATURE_CLOCKID);
	f->clock_data.version = 1;
	f->clock_data.clockid = (uint32_t)clockid;
	f->clock_data.wall_clock_ns = host_facts_event_nanoseconds(&wall);
	f->clock_data.clockid_ns = host_facts_event_nanoseconds(&clock);
	features_mark(f, FEATURE_CLOCK_DATA);
}
