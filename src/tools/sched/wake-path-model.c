/* SPDX-License-Identifier: MIT */
#include "tools/sched/wake-path-model.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "tools/sched/wakes-model.h"

struct sched_wake_path_walk {
	const struct wakes *wakes;
	struct wake_path *path;
	bool with_steps;
	struct u64_map children; /* by parent and task */
};

void wake_path_done(struct wake_path *p)
{
	free(p->nodes.items);
	free(p->steps.items);
}

static uint32_t new_node(struct wake_path *p, uint32_t task)
{
	ARRAY_ADD(&p->nodes)->task = task;
	return (uint32_t)(p->nodes.n - 1);
}

/* Returns the child of @node for @task. */
static uint32_t wake_path_child_of(struct sched_wake_path_walk *k, uint32_t node, uint32_t task)
{
	uint64_t key = (uint64_t)node << 32 | task;
	struct wake_path *p = k->path;
	uint32_t child = (uint32_t)(uintptr_t)u64_map_find(&k->children, key);

	if (child)
		return child;
	child = new_node(p, task);
	p->nodes.items[child].next = p->nodes.items[node].child;
	p->nodes.items[node].child = child;
	u64_map_put(&k->children, key, (void *)(uintptr_t)child);
	return child;
}

static void wake_path_add_step(struct sched_wake_path_walk *k, uint32_t node, struct wake_step s)
{
	struct wake_path *p = k->path;

	p->nodes.items[node].doing_ns[s.doing] += s.to_ns - s.from_ns;
	if (k->with_steps)
		*ARRAY_ADD(&p->steps) = s;
}

static enum wake_doing doing_after(enum wake_kind kind)
{
	switch (kind) {
	case WAKE_ON:
		return WAKE_RUNS;
	case WAKE_PREEMPTED:
	case WAKE_WOKEN:
		return WAKE_WAITS_FOR_CPU;
	case WAKE_ASLEEP:
		return WAKE_SLEEPS;
	default:
		return WAKE_NOT_YET;
	}
}

static void walk_task(struct sched_wake_path_walk *k, uint32_t node, struct wake_step s,
		      unsigned left);

/*
 * Explains a sleep of the task of @s. If another task woke it, that task's activities explain the
 * time.
 */
static void walk_sleep(struct sched_wake_path_walk *k, uint32_t node, struct wake_step s,
		       unsigned left)
{
	bool by_task = s.waker != WAKER_INTERRUPT && s.waker != WAKER_UNKNOWN;
	struct wake_path *p = k->path;
	uint32_t child;

	if (!left) {
		wake_path_add_step(k, node, s);
		return;
	}
	child = wake_path_child_of(k, node, s.waker);
	p->nodes.items[child].count++;
	p->nodes.items[child].ns += s.to_ns - s.from_ns;
	if (!by_task) {
		wake_path_add_step(k, child, s);
		return;
	}
	s.task = s.waker;
	s.depth++;
	walk_task(k, child, s, left - 1);
}

/* Walks over the activities of the task of @s from its from_ns to its to_ns. */
static void walk_task(struct sched_wake_path_walk *k, uint32_t node, struct wake_step s,
		      unsigned left)
{
	const struct wake_task *t = &k->wakes->tasks.items[s.task];
	const struct wake_moment *m = t->moments.items;
	uint64_t end = s.to_ns;
	size_t i = BISECT(j, t->moments.n, m[j].time_ns <= s.from_ns);

	for (; s.from_ns < end; i++) {
		s.doing = i ? doing_after(m[i - 1].kind) : WAKE_NOT_YET;
		s.to_ns = i < t->moments.n && m[i].time_ns < end ? m[i].time_ns : end;
		s.waker = i < t->moments.n && m[i].kind == WAKE_WOKEN ? m[i].waker : WAKER_UNKNOWN;
		if (s.to_ns > s.from_ns && s.doing == WAKE_SLEEPS)
			walk_sleep(k, node, s, left);
		else if (s.to_ns > s.from_ns)
			wake_path_add_step(k, node, s);
		s.from_ns = s.to_ns;
	}
}

static int by_ns(const void *a, const void *b, void *nodes)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct wake_node *of_x = (struct wake_node *)nodes + x;
	const struct wake_node *of_y = (struct wake_node *)nodes + y;

	if (of_x->ns != of_y->ns)
		return of_x->ns > of_y->ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Sorts the children of @node. @scratch has space for all nodes. */
static void sort_children(struct wake_path *p, uint32_t node, uint32_t *scratch)
{
	struct wake_node *nodes = p->nodes.items;
	size_t n = 0;

	for (uint32_t child = nodes[node].child; child; child = nodes[child].next)
		scratch[n++] = child;
	if (!n)
		return;
	qsort_r(scratch, n, sizeof(*scratch), by_ns, nodes);
	nodes[node].child = scratch[0];
	for (size_t i = 0; i < n; i++)
		nodes[scratch[i]].next = i + 1 < n ? scratch[i + 1] : 0;
}

static void wake_path_sort_nodes(struct wake_path *p)
{
	_cleanup_(freep) uint32_t *scratch = xcalloc(p->nodes.n, sizeof(*scratch));

	for (size_t i = 0; i < p->nodes.n; i++)
		sort_children(p, (uint32_t)i, scratch);
}

void wake_path_make(const struct wakes *w, uint32_t task, uint64_t from_ns, uint64_t to_ns,
		    unsigned depth, bool with_steps, struct wake_path *ret)
{
	struct sched_wake_path_walk k = { .wakes = w, .path = ret, .with_steps = with_steps };

	*ret = (struct wake_path){ 0 };
	new_node(ret, task);
	if (to_ns > from_ns) {
		ret->nodes.items[0].count = 1;
		ret->nodes.items[0].ns = to_ns - from_ns;
		walk_task(&k, 0,
			  (struct wake_step){ .from_ns = from_ns, .to_ns = to_ns, .task = task },
			  depth);
	}
	u64_map_done(&k.children);
	wake_path_sort_nodes(ret);
}
