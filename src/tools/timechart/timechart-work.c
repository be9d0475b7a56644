/* SPDX-License-Identifier: MIT */
#include "tools/timechart/timechart-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "datafile/features-topology.h"
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
#include "session/reading.h"
#include "session/session.h"
#include "tools/timechart/stacks-model.h"
#include "wire/topology.h"

static uint32_t timechart_place(void *arg, const struct session_sample *s)
{
	struct timechart *t = arg;

	if (!(s->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return LANE_NONE;
	return chart_stacks_place(&t->stacks, t->profile.collector, s);
}

static int timechart_refuse(struct diag *diag)
{
	diag_set(diag, -ENODATA, "No trace sample to read. Did you call 'perf timechart record'?");
	diag_hint(diag, "A time chart is drawn of sched:sched_switch and sched:sched_wakeup, of "
			"power:cpu_idle and power:cpu_frequency, or of I/O calls (record -I).");
	return -ENODATA;
}

/* True for samples of running threads, for flame graphs. */
static bool is_profile(const struct timechart *t, const struct session_event *e)
{
	return t->rq->with_page && e->attr.type != PERF_TYPE_TRACEPOINT &&
	       e->attr.sample_type & PERF_SAMPLE_CALLCHAIN && strcmp(e->name, "dummy:HG") != 0;
}

/* Called when the events are known. */
static int timechart_on_begin(void *arg, struct consumer *c)
{
	struct timechart *t = arg;

	(void)c;
	chart_samples_bind(&t->samples, &t->chart, t->profile.session);
	t->has_begun = true;
	if (!t->samples.has_sched && !t->samples.has_power && !t->samples.has_calls)
		return timechart_refuse(t->diag);
	t->has_stacks = profile_sample_types(&t->profile) & PERF_SAMPLE_CALLCHAIN;
	if (!t->has_stacks)
		return t->rq->with_page ? profile_begin(&t->profile, t->diag) : 0;
	t->samples.place = timechart_place;
	t->samples.arg = t;
	if (t->rq->with_page) {
		t->chart.options.waited = timechart_log_wait;
		t->chart.options.arg = t;
	}
	for (size_t i = 0; i < session_event_count(t->profile.session); i++)
		t->has_profile |= is_profile(t, session_event(t->profile.session, i));
	return profile_begin(&t->profile, t->diag);
}

static bool on_wants(void *arg, const struct session_event *e)
{
	const struct timechart *t = arg;

	return chart_samples_want(&t->samples, e) || is_profile(t, e);
}

static int timechart_on_samples(void *arg, const struct sample_batch *b)
{
	struct timechart *t = arg;

	chart_samples_take(&t->samples, b);
	for (size_t i = 0; t->has_profile && i < b->n; i++)
		if (is_profile(t, b->items[i].event))
			timechart_log_sample(t, &b->items[i]);
	return 0;
}

static int timechart_read_recording(struct timechart *t, struct diag *diag)
{
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.filter = t->profile.filter,
		.wants = on_wants,
		.begin = timechart_on_begin,
		.samples = timechart_on_samples,
		.arg = t,
	};
	int r = session_feed(t->profile.session, NULL, &consumer, diag);

	return r < 0 ? r : reading_check_samples(t->profile.session, diag);
}

/* CPUs in the order of their sockets and cores; without a topology in that of their numbers. */
struct placed_cpu {
	uint32_t place;
	int socket, core;
};

static int timechart_by_place(const void *a, const void *b)
{
	const struct placed_cpu *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static void order_cpus(struct timechart *t)
{
	size_t n = t->chart.cpus.n;
	struct placed_cpu *placed = xcalloc(n + 1, sizeof(*placed));
	struct topology topology = { 0 };

	if (t->rq->by_topology)
		features_topology(session_features(t->profile.session), &topology);
	for (uint32_t i = 0; i < n; i++) {
		const struct cpu_place *p = topology_find(&topology, t->chart.cpus.items[i].number);

		placed[i] = (struct placed_cpu){ i, p ? p->socket : 0, p ? p->core : 0 };
	}
	qsort(placed, n, sizeof(*placed), timechart_by_place);
	t->cpus = xcalloc(n + 1, sizeof(*t->cpus));
	for (size_t i = 0; i < n; i++)
		t->cpus[i] = placed[i].place;
	free(placed);
	topology_done(&topology);
}

/* Adds a note with the number @n. @one is the text for one, @many that for several. */
static void timechart_note(struct notes *notes, uint64_t n, const char *one, const char *many)
{
	if (n)
		notes_add(notes, NOTE_REMARK, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

static void note_gaps(const struct timechart *t, struct notes *notes)
{
	timechart_note(
		notes, t->chart.unexpected,
		"context switch does not fit the one before it on its CPU, as events are missing: "
		"what the thread did after the last known switch is not drawn",
		"context switches do not fit the ones before them on their CPU, as events are "
		"missing: "
		"what these threads did after the last known switch is not drawn");
	timechart_note(notes, t->chart.unbegun, "I/O call is left out: the recording began later",
		       "I/O calls are left out: the recording began later");
	timechart_note(notes, t->chart.unreturned,
		       "I/O call had not returned when the recording ended",
		       "I/O calls had not returned when the recording ended");
}

/* Adds a note if -p matches no thread, which leaves an empty picture. */
static void note_selection(const struct timechart *t, struct notes *notes)
{
	const struct chart_rows_request *rq = &t->rq->rows;

	if (rq->n_selected && !t->rows.n)
		notes_add(notes, NOTE_WARNING,
			  "no thread has the name or number '%s'%s: there is nothing to draw but "
			  "CPUs",
			  rq->selected[0],
			  rq->n_selected > 1 ? ", nor any other that was asked for" : "");
}

int timechart_make(const struct timechart_request *rq, struct timechart *t, struct notes *notes,
		   struct diag *diag)
{
	const struct profile_request pr = {
		.path = rq->path,
		.force = rq->force,
		.symbols = rq->symbols,
		.buildid_dir = rq->buildid_dir,
		.progress = rq->progress,
		.filter = { .time = rq->time },
		.plan = { .sort = "pid" },
		.mode = { .no_branches = true },
		.with_stacks = true,
		.max_stack = PROFILE_MAX_STACK,
	};
	struct chart_rows_request rows = rq->rows;
	int r;

	*t = (struct timechart){ .rq = rq, .diag = diag };
	chart_init(&t->chart, &rq->chart);
	chart_stacks_init(&t->stacks);
	cell_log_init(&t->log);
	t->bin_ns = PAGE_BIN_NS;
	r = profile_open(&t->profile, &pr, diag);
	if (r >= 0)
		r = timechart_read_recording(t, diag);
	if (t->profile.session && t->has_begun)
		profile_note(&t->profile, notes);
	if (r < 0)
		return r;
	chart_finish(&t->chart);
	if (t->profile.collector)
		profile_settle(&t->profile);
	if (t->has_stacks) {
		chart_stacks_name(&t->stacks, &t->chart, t->profile.collector,
				  t->profile.env.frames);
		chart_stacks_find_io(&t->stacks, &t->chart);
	}
	rows.by_bytes = !t->samples.has_sched;
	chart_rows_init(&t->rows, &t->chart, &rows);
	order_cpus(t);
	note_gaps(t, notes);
	note_selection(t, notes);
	return 0;
}

void timechart_done(struct timechart *t)
{
	chart_rows_done(&t->rows);
	chart_stacks_done(&t->stacks);
	cell_log_done(&t->log);
	intern_done(&t->comms);
	if (t->has_begun)
		chart_samples_done(&t->samples);
	chart_done(&t->chart);
	profile_done(&t->profile);
	free(t->cpus);
}

/*
 * A selection of time counts the part of a wait that lies in it. Waits are therefore cut at the
 * ends of bins, of which the recording so far has this many. The first bin is a millisecond, as in
 * pages.
 */
#define PARTS 512

/* Logs a cell for @values' task, event and CPU. The name is the session's copy for pages. */
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

/*
 * Names the weight of switches, which is the time until the thread is woken, and selects that event
 * for the start.
 */
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

static void timechart_page_fill(struct timechart *t, struct page *page)
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

void timechart_page_make(struct timechart *t, struct page *ret)
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
