/* SPDX-License-Identifier: MIT */
#include "profile/page/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/cell-log.h"
#include "profile/collector.h"
#include "profile/flame-frame.h"
#include "profile/page/cells.h"
#include "profile/page/page.h"
#include "profile/page/tree.h"
#include "session/session.h"
#include "wire/sample.h"

/* A frame in the form of a page. */
struct label {
	uint32_t name, object;
	enum flame_kind kind;
	bool is_known;    /* the others are filled in */
	bool is_left_out; /* a filter leaves out samples at this frame */
};

struct page_filling {
	struct page *page;
	struct page_tree *tree;
	const struct page_source *source;
	struct cell_log *log;
	struct label *labels;   /* indexed by frame */
	uint32_t **nodes;       /* by event and node: the node in the page; PAGE_NONE: left out */
	struct page_event *all; /* by event of the session */
	uint32_t *events;       /* by event of the session: index in the page's list */
	struct text name;
};

static uint64_t page_fill_value_of(const struct page_filling *f, uint32_t context,
				   enum cell_value which)
{
	return contexts_get(&f->log->contexts, context)[which];
}

static const struct label *label_of(struct page_filling *f, uint32_t frame)
{
	const struct page_source *s = f->source;
	struct label *l = &f->labels[frame];
	const struct frame *fr;

	if (l->is_known)
		return l;
	fr = frames_get(s->frames, frame);
	text_clear(&f->name);
	flame_frame_name(fr, &f->name);
	*l = (struct label){
		.name = page_tree_name(f->tree, f->name.chars),
		.object = page_tree_object(f->tree, flame_frame_object(fr)),
		.kind = flame_frame_kind(fr),
		.is_known = true,
		.is_left_out = !flame_frame_passes(fr, s->filter, s->part),
	};
	return l;
}

static const struct stacks *page_fill_stacks_of(const struct page_filling *f, size_t event)
{
	return &collector_tally(f->source->collector, event)->stacks;
}

/* Marks the nodes of samples with 1 in f->nodes. */
static void mark_sampled(struct page_filling *f, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		f->nodes[i] = xcalloc(page_fill_stacks_of(f, i)->n + 1, sizeof(**f->nodes));
	for (size_t i = 0; i < f->log->n; i++) {
		const struct logged_cell *c = cell_log_get(f->log, i);

		f->nodes[page_fill_value_of(f, c->context, CELL_EVENT)][c->node] = 1;
	}
}

/* Returns the marked nodes and their callers; parents have smaller numbers. */
static bool *page_fill_find_used(const struct stacks *s, const uint32_t *marks)
{
	bool *used = xcalloc(s->n + 1, sizeof(*used));

	for (size_t i = s->n; i-- > 0;) {
		used[i] |= marks[i] != 0;
		if (used[i] && s->nodes[i].parent != STACK_NONE)
			used[s->nodes[i].parent] = true;
	}
	return used;
}

/*
 * Adds a node. A sampled function that is not part of the stack is shown only if there is no stack.
 */
static uint32_t page_fill_add_node(struct page_filling *f, const struct stacks *s, uint32_t i,
				   const uint32_t *nodes)
{
	const struct stack_node *n = &s->nodes[i];
	const struct label *l;

	if (n->parent == STACK_NONE)
		return 0;
	if (s->apart[i] && !stacks_is_root(s, n->parent))
		return nodes[n->parent];
	l = label_of(f, n->frame);
	return page_tree_node(f->tree, nodes[n->parent], l->name, l->object, l->kind);
}

/*
 * Adds the stacks of an event. Callers of frames that a filter leaves out become nodes without
 * weight, which page_fit() removes.
 */
static void page_fill_add_stacks(struct page_filling *f, size_t event)
{
	const struct stacks *s = page_fill_stacks_of(f, event);
	uint32_t *nodes = f->nodes[event];
	_cleanup_(freep) bool *used = page_fill_find_used(s, nodes);

	for (uint32_t i = 0; i < s->n; i++)
		if (used[i])
			nodes[i] = page_fill_add_node(f, s, i, nodes);
	for (uint32_t i = 0; i < s->n; i++)
		if (!used[i] ||
		    (!stacks_is_root(s, i) && label_of(f, s->nodes[i].frame)->is_left_out))
			nodes[i] = PAGE_NONE;
}

static uint32_t page_fill_node_of(const struct page_filling *f, const struct logged_cell *c)
{
	return f->nodes[page_fill_value_of(f, c->context, CELL_EVENT)][c->node];
}

/*
 * Counts the samples of each event. Its period is that of all its samples, if they have the same.
 */
static void page_fill_count_events(struct page_filling *f)
{
	for (size_t i = 0; i < f->log->n; i++) {
		const struct logged_cell *c = cell_log_get(f->log, i);
		struct page_event *e = &f->all[page_fill_value_of(f, c->context, CELL_EVENT)];

		if (page_fill_node_of(f, c) == PAGE_NONE)
			continue;
		if (!e->samples)
			e->period = c->period;
		else if (e->period * c->samples != c->period)
			e->period = 0;
		e->samples += c->samples;
		e->total += c->period;
	}
}

static const char *page_fill_unit_of(const struct session_event *e)
{
	return !*e->unit && attr_is_clock(&e->attr) ? "ns" : e->unit;
}

static void page_fill_add_events(struct page_filling *f, size_t n)
{
	const struct session *s = f->source->session;

	page_fill_count_events(f);
	for (size_t i = 0; i < n; i++) {
		if (!f->all[i].samples)
			continue;
		f->all[i].name = page_text(f->page, session_event(s, i)->name);
		f->all[i].unit = page_text(f->page, page_fill_unit_of(session_event(s, i)));
		f->events[i] = (uint32_t)f->page->events.n;
		*ARRAY_ADD(&f->page->events) = f->all[i];
	}
}

static int page_fill_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int by_task(const void *a, const void *b)
{
	const struct page_task *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return strcmp(x->comm, y->comm);
}

static int by_where(const void *a, const void *b)
{
	const struct page_where *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->cgroup > y->cgroup) - (x->cgroup < y->cgroup);
}

static int page_fill_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the @n items and keeps each once; returns how many remain. */
static size_t page_fill_distinct(void *items, size_t n, size_t size,
				 int (*compare)(const void *a, const void *b))
{
	char *at = items;
	size_t last = 0;

	if (!n)
		return 0;
	qsort(items, n, size, compare);
	for (size_t i = 1; i < n; i++)
		if (compare(at + last * size, at + i * size))
			memmove(at + ++last * size, at + i * size, size);
	return last + 1;
}

static struct page_task page_fill_task_of(const struct page_filling *f, uint32_t context)
{
	return (struct page_task){
		.pid = (uint32_t)page_fill_value_of(f, context, CELL_PID),
		.tid = (uint32_t)page_fill_value_of(f, context, CELL_TID),
		.comm = page_text(f->page, (const char *)(uintptr_t)page_fill_value_of(f, context,
										       CELL_COMM)),
	};
}

static const char *page_fill_cgroup_of(const struct page_filling *f, uint32_t context)
{
	uint64_t id = page_fill_value_of(f, context, CELL_CGROUP);
	const char *path = id ? machine_cgroup(f->source->session, id) : NULL;

	return page_text(f->page, path ? path : "");
}

/* Adds the lists that the contexts of samples index. */
static void add_lists(struct page_filling *f)
{
	struct page *p = f->page;

	for (uint32_t i = 0; i < f->log->contexts.n; i++) {
		*ARRAY_ADD(&p->tasks) = page_fill_task_of(f, i);
		*ARRAY_ADD(&p->cpus) = (uint32_t)page_fill_value_of(f, i, CELL_CPU);
		*ARRAY_ADD(&p->cgroups) = page_fill_cgroup_of(f, i);
	}
	p->tasks.n = page_fill_distinct(p->tasks.items, p->tasks.n, sizeof(*p->tasks.items),
					by_task);
	p->cpus.n = page_fill_distinct(p->cpus.items, p->cpus.n, sizeof(*p->cpus.items),
				       page_fill_by_number);
	p->cgroups.n = page_fill_distinct(p->cgroups.items, p->cgroups.n, sizeof(*p->cgroups.items),
					  page_fill_by_text);
}

static uint32_t place_in(const void *key, const void *items, size_t n, size_t size,
			 int (*compare)(const void *a, const void *b))
{
	const char *found = bsearch(key, items, n, size, compare);

	return (uint32_t)((size_t)(found - (const char *)items) / size);
}

/* The place of a log's context in the page. */
struct spot {
	uint32_t task, where;
};

static struct page_where page_fill_where_of(const struct page_filling *f, uint32_t context)
{
	const struct page *p = f->page;
	const char *cgroup = page_fill_cgroup_of(f, context);
	uint32_t cpu = (uint32_t)page_fill_value_of(f, context, CELL_CPU);

	return (struct page_where){
		.event = f->events[page_fill_value_of(f, context, CELL_EVENT)],
		.cpu = place_in(&cpu, p->cpus.items, p->cpus.n, sizeof(cpu), page_fill_by_number),
		.cgroup = place_in(&cgroup, p->cgroups.items, p->cgroups.n, sizeof(cgroup),
				   page_fill_by_text),
	};
}

static struct spot *find_spots(struct page_filling *f)
{
	struct page *p = f->page;
	struct spot *spots = xcalloc(f->log->contexts.n + 1, sizeof(*spots));

	for (uint32_t i = 0; i < f->log->contexts.n; i++)
		*ARRAY_ADD(&p->wheres) = page_fill_where_of(f, i);
	p->wheres.n = page_fill_distinct(p->wheres.items, p->wheres.n, sizeof(*p->wheres.items),
					 by_where);
	for (uint32_t i = 0; i < f->log->contexts.n; i++) {
		struct page_task task = page_fill_task_of(f, i);
		struct page_where where = page_fill_where_of(f, i);

		spots[i].task = place_in(&task, p->tasks.items, p->tasks.n, sizeof(task), by_task);
		spots[i].where = place_in(&where, p->wheres.items, p->wheres.n, sizeof(where),
					  by_where);
	}
	return spots;
}

/* Bins are numbers of 31 bits. */
#define BINS_MAX (1u << 31)

static void choose_bins(struct page_filling *f)
{
	struct page *p = f->page;
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; i < f->log->n; i++) {
		const struct logged_cell *c = cell_log_get(f->log, i);

		if (!sample_time_is_known(c->time) || page_fill_node_of(f, c) == PAGE_NONE)
			continue;
		first = c->time < first ? c->time : first;
		last = c->time > last ? c->time : last;
	}
	p->has_times = last > 0;
	if (!p->has_times)
		return;
	p->start_ns = first;
	p->bin_ns = PAGE_BIN_NS;
	while ((last - first) / p->bin_ns >= BINS_MAX)
		p->bin_ns *= 2;
	p->n_bins = (uint32_t)((last - first) / p->bin_ns) + 1;
}

/*
 * Returns the bin of a time. Sums of waits have no time of their own, so they are shown at the end.
 */
static uint32_t page_fill_bin_of(const struct page *p, uint64_t time)
{
	if (time == SAMPLE_TIME_SUM)
		return p->n_bins ? p->n_bins - 1 : 0;
	return time > p->start_ns ? (uint32_t)((time - p->start_ns) / p->bin_ns) : 0;
}

/* Adds the cells, which use up the log. */
static void page_fill_add_cells(struct page_filling *f)
{
	_cleanup_(freep) struct spot *spots = find_spots(f);
	struct page *p = f->page;

	p->cells.items = array_reserve(p->cells.items, &p->cells.room, f->log->n,
				       sizeof(*p->cells.items));
	for (size_t i = 0; i < f->log->n; i++) {
		const struct logged_cell *c = cell_log_use_up(f->log, i);
		uint32_t node = page_fill_node_of(f, c);

		if (node == PAGE_NONE)
			continue;
		p->cells.items[p->cells.n++] = (struct page_cell){
			.task = spots[c->context].task,
			.bin = page_fill_bin_of(p, c->time),
			.node = node,
			.where = spots[c->context].where,
			.place = f->source->place_of ? f->source->place_of[c->place] : 0,
			.samples = c->samples,
			.weight = c->period,
		};
	}
}

/* Removes lists that have only the entry for CPUs and cgroups that were not recorded. */
static void drop_unknown(struct page *p)
{
	if (p->cpus.n == 1 && p->cpus.items[0] == UINT32_MAX)
		p->cpus.n = 0;
	if (p->cgroups.n == 1 && !*p->cgroups.items[0])
		p->cgroups.n = 0;
}

static void profile_page_fill(struct page_filling *f, size_t n_events)
{
	mark_sampled(f, n_events);
	for (size_t i = 0; i < n_events; i++)
		page_fill_add_stacks(f, i);
	page_fill_add_events(f, n_events);
	add_lists(f);
	choose_bins(f);
	page_fill_add_cells(f);
	drop_unknown(f->page);
	page_cells_merge(f->page);
}

void page_fill(struct page *p, struct page_tree *t, const struct page_source *s)
{
	size_t n = session_event_count(s->session);
	struct page_filling f = {
		.page = p,
		.tree = t,
		.source = s,
		.log = s->log,
		.labels = xcalloc((size_t)frames_count(s->frames) + 1, sizeof(*f.labels)),
		.nodes = xcalloc(n + 1, sizeof(*f.nodes)),
		.all = xcalloc(n + 1, sizeof(*f.all)),
		.events = xcalloc(n + 1, sizeof(*f.events)),
		.name = TEXT_EMPTY,
	};

	profile_page_fill(&f, n);
	for (size_t i = 0; i < n; i++)
		free(f.nodes[i]);
	free(f.nodes);
	free(f.labels);
	free(f.all);
	free(f.events);
	text_done(&f.name);
}
