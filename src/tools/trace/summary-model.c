/* SPDX-License-Identifier: MIT */
#include "tools/trace/summary-model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/syscall/syscall.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"
#include "wire/attr.h"

struct trace_summary_group_entry {
	struct trace_summary_group shown;
	struct u64_map calls; /* by ABI and number */
	size_t room;          /* the capacity of shown.calls */
};

struct trace_summary {
	enum trace_summary_mode mode;
	struct u64_map by_id;
	struct {
		/* Each is the first member of a struct trace_summary_group_entry. */
		struct trace_summary_group **items;
		size_t n, room;
	} groups;
	struct arena arena; /* owns the calls and the groups */
	struct intern names;
	struct trace_summary_group_entry *last; /* successive calls often belong to the same task */
};

struct trace_summary *trace_summary_new(enum trace_summary_mode mode)
{
	struct trace_summary *s = xcalloc(1, sizeof(*s));

	s->mode = mode;
	return s;
}

static void group_done(struct trace_summary_group_entry *g)
{
	for (size_t i = 0; i < g->shown.n_calls; i++)
		free(g->shown.calls[i]->errnos.items);
	free(g->shown.calls);
	u64_map_done(&g->calls);
}

void trace_summary_free(struct trace_summary *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->groups.n; i++)
		group_done((struct trace_summary_group_entry *)s->groups.items[i]);
	free(s->groups.items);
	u64_map_done(&s->by_id);
	intern_done(&s->names);
	arena_done(&s->arena);
	free(s);
}

enum trace_summary_mode trace_summary_mode(const struct trace_summary *s)
{
	return s->mode;
}

static struct trace_summary_group_entry *find_group(struct trace_summary *s, uint64_t id)
{
	struct trace_summary_group_entry *g;

	if (s->mode == TRACE_SUMMARY_TOTAL)
		id = 0;
	if (s->last && s->last->shown.id == id)
		return s->last;
	g = u64_map_find(&s->by_id, id);
	if (!g) {
		g = arena_alloc(&s->arena, sizeof(*g));
		g->shown.id = id;
		g->shown.name = "";
		u64_map_put(&s->by_id, id, g);
		*ARRAY_ADD(&s->groups) = &g->shown;
	}
	s->last = g;
	return g;
}

/* Sets the name. The newest name is shown, because exec changes the name of a task. */
static void trace_summary_set_name(struct trace_summary *s, struct trace_summary_group_entry *g,
				   const char *name)
{
	if (name && s->mode != TRACE_SUMMARY_TOTAL && strcmp(g->shown.name, name) != 0)
		g->shown.name = intern_text(&s->names, name);
}

struct trace_summary_group *trace_summary_group(struct trace_summary *s, uint64_t id,
						const char *name)
{
	struct trace_summary_group_entry *g = find_group(s, id);

	trace_summary_set_name(s, g, name);
	return &g->shown;
}

static const char *call_name(struct trace_summary *s, uint8_t abi, int32_t nr)
{
	const struct syscall_desc *desc = nr < 0 ? NULL : syscall_find(abi, (unsigned)nr);
	char number[32];

	if (desc)
		return desc->name;
	snprintf(number, sizeof(number), "syscall_%d", nr);
	return intern_text(&s->names, number);
}

static struct trace_summary_call *trace_summary_find_call(struct trace_summary *s,
							  struct trace_summary_group_entry *g,
							  uint8_t abi, int32_t nr)
{
	uint64_t key = (uint64_t)abi << 32 | (uint32_t)nr;
	struct trace_summary_call *c = u64_map_find(&g->calls, key);

	if (c)
		return c;
	c = arena_alloc(&s->arena, sizeof(*c));
	c->abi = abi;
	c->nr = nr;
	c->name = call_name(s, abi, nr);
	u64_map_put(&g->calls, key, c);
	g->shown.calls = array_reserve(g->shown.calls, &g->room, g->shown.n_calls + 1,
				       sizeof(g->shown.calls[0]));
	g->shown.calls[g->shown.n_calls++] = c;
	return c;
}

static void add_errno(struct trace_summary_call *c, int error, uint64_t count)
{
	size_t i = 0;

	while (i < c->errnos.n && c->errnos.items[i].error < error)
		i++;
	if (i == c->errnos.n || c->errnos.items[i].error != error) {
		ARRAY_ADD(&c->errnos);
		memmove(&c->errnos.items[i + 1], &c->errnos.items[i],
			(c->errnos.n - 1 - i) * sizeof(c->errnos.items[0]));
		c->errnos.items[i] = (struct trace_summary_errno){ .error = error };
	}
	c->errnos.items[i].count += count;
}

/*
 * Extends the range of durations. It must be called before the calls are counted, because the
 * minimum of the first ones is taken unconditionally.
 */
static void trace_summary_widen(struct trace_summary_call *c, uint64_t min_ns, uint64_t max_ns)
{
	if (!c->calls || min_ns < c->min_ns)
		c->min_ns = min_ns;
	if (max_ns > c->max_ns)
		c->max_ns = max_ns;
}

static unsigned trace_summary_row_of(uint64_t ns)
{
	unsigned row = ns ? 63 - (unsigned)__builtin_clzll(ns) : 0;

	return row < TRACE_SUMMARY_ROWS ? row : TRACE_SUMMARY_ROWS - 1;
}

static void trace_summary_add_duration(struct trace_summary_call *c, uint64_t ns)
{
	trace_summary_widen(c, ns, ns);
	c->calls++;
	c->total_ns += ns;
	moments_add(&c->duration_ns, (double)ns);
	c->rows[trace_summary_row_of(ns)]++;
}

static uint64_t trace_summary_duration_of(const struct trace_call *c)
{
	return c->has_enter && c->exit_ns > c->enter_ns ? c->exit_ns - c->enter_ns : 0;
}

static struct trace_summary_group_entry *trace_summary_group_of(struct trace_summary *s,
								const struct trace_task *task)
{
	bool by_thread = s->mode == TRACE_SUMMARY_THREAD;
	struct trace_summary_group_entry *g = find_group(s, by_thread ? task->tid : task->cgroup);

	if (by_thread)
		trace_summary_set_name(s, g, task->comm);
	return g;
}

void trace_summary_add(struct trace_summary *s, const struct trace_call *c)
{
	struct trace_summary_group_entry *g = trace_summary_group_of(s, c->task);
	struct trace_summary_call *to;

	/* A call in two parts is reported twice. */
	if (c->part == TRACE_CALL_BEGUN)
		return;
	g->shown.events += c->has_enter + (c->exit_ns != 0);
	if (!c->exit_ns)
		return;
	to = trace_summary_find_call(s, g, c->abi, c->nr);
	trace_summary_add_duration(to, trace_summary_duration_of(c));
	if (trace_call_failed(c)) {
		to->errors++;
		add_errno(to, (int)-c->result, 1);
	}
}

void trace_summary_merge(struct trace_summary *s, uint64_t id, const char *name,
			 const struct trace_summary_call *c)
{
	struct trace_summary_group_entry *g = find_group(s, id);
	struct trace_summary_call *to;

	trace_summary_set_name(s, g, name);
	if (!c->calls)
		return;
	to = trace_summary_find_call(s, g, c->abi, c->nr);
	trace_summary_widen(to, c->min_ns, c->max_ns);
	to->calls += c->calls;
	to->errors += c->errors;
	to->total_ns += c->total_ns;
	moments_merge(&to->duration_ns, &c->duration_ns);
	for (size_t i = 0; i < TRACE_SUMMARY_ROWS; i++)
		to->rows[i] += c->rows[i];
	for (size_t i = 0; i < c->errnos.n; i++)
		add_errno(to, c->errnos.items[i].error, c->errnos.items[i].count);
}

void trace_summary_sample(struct trace_summary *s, const struct session_sample *sample,
			  const struct trace_task *task)
{
	static const struct trace_task nobody = { 0 };
	const struct attr *attr = &sample->event->attr;
	struct trace_summary_group *g;

	if (!task && s->mode != TRACE_SUMMARY_TOTAL)
		return;
	g = &trace_summary_group_of(s, task ? task : &nobody)->shown;
	g->events++;
	if (attr->type != PERF_TYPE_SOFTWARE)
		return;
	g->major_faults += attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	/* Most faults whose kind is not reported are minor. */
	g->minor_faults += attr->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
			   attr->config == PERF_COUNT_SW_PAGE_FAULTS;
}

static int add_runtime(void *arg, struct trace_task *task)
{
	if (task->runtime_ns)
		trace_summary_group_of(arg, task)->shown.runtime_ns += task->runtime_ns;
	return 0;
}

void trace_summary_runtimes(struct trace_summary *s, struct trace_tasks *tasks)
{
	trace_tasks_each(tasks, add_runtime, s);
}

/*
 * Returns the time as computed in Linux's perf, which decides the order of calls with the same
 * time.
 */
static double trace_summary_time_of(const struct trace_summary_call *c)
{
	return c->duration_ns.mean / 1e6 * (double)c->calls;
}

static int trace_summary_by_time(const struct trace_summary_call *a,
				 const struct trace_summary_call *b)
{
	double x = trace_summary_time_of(a), y = trace_summary_time_of(b);

	if (x != y)
		return x < y ? 1 : -1;
	if (a->abi != b->abi)
		return a->abi < b->abi ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

static int compare_calls(const void *a, const void *b)
{
	return trace_summary_by_time(*(struct trace_summary_call *const *)a,
				     *(struct trace_summary_call *const *)b);
}

static int compare_groups(const void *a, const void *b)
{
	const struct trace_summary_group *x = *(struct trace_summary_group *const *)a;
	const struct trace_summary_group *y = *(struct trace_summary_group *const *)b;

	if (x->events != y->events)
		return x->events < y->events ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

struct trace_summary_group **trace_summary_groups(struct trace_summary *s, size_t *ret_n)
{
	uint64_t events = 0;

	for (size_t i = 0; i < s->groups.n; i++)
		events += s->groups.items[i]->events;
	for (size_t i = 0; i < s->groups.n; i++) {
		struct trace_summary_group *g = s->groups.items[i];

		g->share = events ? (double)g->events / (double)events : 0;
		if (g->n_calls)
			qsort(g->calls, g->n_calls, sizeof(g->calls[0]), compare_calls);
	}
	if (s->groups.n)
		qsort(s->groups.items, s->groups.n, sizeof(s->groups.items[0]), compare_groups);
	*ret_n = s->groups.n;
	return s->groups.items;
}

static int by_time_and_group(const struct trace_summary_line *a, const struct trace_summary_line *b)
{
	int order = trace_summary_by_time(a->call, b->call);

	return order ? order : a->group->id < b->group->id ? -1 : a->group->id > b->group->id;
}

/* Inserts @line at its position among the first @max, of which there are @n. */
static size_t insert_line(struct trace_summary_line *lines, size_t n, size_t max,
			  struct trace_summary_line line)
{
	size_t i = n < max ? n : max;

	if (n >= max && (!max || by_time_and_group(&line, &lines[max - 1]) > 0))
		return n;
	if (n >= max)
		i = max - 1;
	for (; i > 0 && by_time_and_group(&line, &lines[i - 1]) < 0; i--)
		lines[i] = lines[i - 1];
	lines[i] = line;
	return n < max ? n + 1 : n;
}

size_t trace_summary_top(struct trace_summary *s, struct trace_summary_line *ret, size_t max)
{
	size_t n = 0, all = 0;

	for (size_t i = 0; i < s->groups.n; i++) {
		const struct trace_summary_group *g = s->groups.items[i];

		all += g->n_calls;
		for (size_t k = 0; k < g->n_calls; k++)
			n = insert_line(
				ret, n, max,
				(struct trace_summary_line){ .group = g, .call = g->calls[k] });
	}
	return all;
}

/* Returns the range of durations of a row, limited to those that occurred. */
static void row_range(const struct trace_summary_call *c, unsigned row, double *first, double *last)
{
	*first = row ? (double)(1ULL << row) : 0;
	*last = row + 1 < TRACE_SUMMARY_ROWS ? (double)((2ULL << row) - 1) : (double)c->max_ns;
	if (*first < (double)c->min_ns)
		*first = (double)c->min_ns;
	if (*last > (double)c->max_ns)
		*last = (double)c->max_ns;
}

uint64_t trace_summary_quantile(const struct trace_summary_call *c, double share)
{
	double wanted = share * (double)c->calls, before = 0, first, last;

	for (unsigned i = 0; i < TRACE_SUMMARY_ROWS; i++) {
		double in_row = (double)c->rows[i];

		if (in_row > 0 && before + in_row >= wanted) {
			row_range(c, i, &first, &last);
			return (uint64_t)(first + (last - first) * (wanted - before) / in_row);
		}
		before += in_row;
	}
	return c->max_ns;
}
