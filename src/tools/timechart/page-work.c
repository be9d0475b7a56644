/* SPDX-License-Identifier: MIT */
#include "tools/timechart/page-work.h"

#include <stdio.h>
#include <string.h>

#include "datafile/reader.h"
#include "profile/cell-log.h"
#include "profile/collector.h"
#include "profile/page/facts.h"
#include "profile/page/fill.h"
#include "profile/page/fit.h"
#include "profile/page/make.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/session.h"
#include "tools/timechart/stacks-model.h"
#include "tools/timechart/timechart-work.h"

/*
 * A selection of time counts the part of a wait that lies in it, so waits are cut where bins of
 * this many parts of the recording so far end. The first bin is a millisecond, as those of pages
 * are.
 */
#define PARTS 512

/* The place of @values' task, event and CPU; the name is the session's copy for pages. */
static void log_cell(struct timechart *t, const uint64_t values[N_CELL_VALUES], uint64_t time,
		     uint64_t ns, uint32_t node, uint32_t samples)
{
	cell_log_add(&t->log, values,
		     (struct logged_cell){
			     .time = time, .period = ns, .node = node, .samples = samples });
}

static const char *timechart_page_name_of(struct timechart *t, const struct chart_task *task)
{
	char comm[CHART_COMM_MAX + 1] = { 0 };

	memcpy(comm, task->comm, CHART_COMM_MAX);
	return intern_text(&t->comms, comm);
}

void timechart_log_wait(void *arg, const struct chart_task *task, const struct lane_mark *mark,
			uint64_t from, uint64_t to)
{
	struct timechart *t = arg;
	const uint64_t *placed = contexts_get(&t->stacks.placed, mark->stack);
	const uint64_t values[N_CELL_VALUES] = {
		[CELL_EVENT] = placed[0],
		[CELL_CPU] = mark->cpu,
		[CELL_PID] = task->pid == LANE_NONE ? task->tid : task->pid,
		[CELL_TID] = task->tid,
		[CELL_COMM] = (uintptr_t)timechart_page_name_of(t, task),
	};
	uint32_t samples = 1;

	while ((to - t->chart.first) / t->bin_ns > PARTS)
		t->bin_ns *= 2;
	while (from < to) {
		uint64_t next = from + t->bin_ns - (from - t->chart.first) % t->bin_ns;

		next = next < to ? next : to;
		log_cell(t, values, from, next - from, (uint32_t)placed[1], samples);
		samples = 0;
		from = next;
	}
}

void timechart_log_sample(struct timechart *t, const struct session_sample *s)
{
	uint32_t stack = chart_stacks_place(&t->stacks, t->profile.collector, s);
	const uint64_t *placed;

	if (stack == LANE_NONE)
		return;
	placed = contexts_get(&t->stacks.placed, stack);

	const uint64_t values[N_CELL_VALUES] = {
		[CELL_EVENT] = placed[0],
		[CELL_CPU] = s->sample->cpu,
		[CELL_PID] = s->sample->pid,
		[CELL_TID] = s->sample->tid,
		[CELL_COMM] = (uintptr_t)intern_text(
			&t->comms,
			machine_comm(t->profile.session, s->sample->pid, s->sample->tid, s->time)),
	};
	log_cell(t, values, s->time, s->period, (uint32_t)placed[1], 1);
}

/* What switches weigh here is the time until the thread is woken, and that is shown at first. */
static void name_waits(struct page *page)
{
	char start[32];

	for (size_t i = 0; i < page->events.n; i++) {
		struct page_event *e = &page->events.items[i];

		if (strcmp(e->name, "sched:sched_switch") != 0)
			continue;
		e->name = "waiting";
		e->unit = "ns";
		snprintf(start, sizeof(start), "event=%zu", i);
		page->start = page_text(page, start);
	}
}

static void timechart_page_fill(const struct timechart *t, struct page *page)
{
	struct page_tree tree;

	page_tree_init(&tree, page);
	page_fill(page, &tree,
		  &(struct page_source){ .session = t->profile.session,
					 .collector = t->profile.collector,
					 .log = &t->log,
					 .frames = t->profile.env.frames });
	page_tree_done(&tree);
	name_waits(page);
}

void timechart_page_make(const struct timechart *t, struct page *ret)
{
	const struct datafile *df = session_datafile(t->profile.session);
	const struct page_request rq = { .title = "Time chart" };

	page_init(ret);
	ret->views = PAGE_VIEW_FACTS;
	if (t->has_stacks && t->log.n) {
		timechart_page_fill(t, ret);
		ret->views |= PAGE_VIEW_FLAME | PAGE_VIEW_TABLE;
	}
	page_add_facts(ret, &t->profile, &rq);
	page_fit(ret, page_size_limit(df ? datafile_facts(df)->size : 0));
}
