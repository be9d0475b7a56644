/* SPDX-License-Identifier: MIT */
#include "session/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/intern.h"
#include "base/memory.h"
#include "session/lineage.h"
#include "session/machine.h"
#include "session/space.h"
#include "session/span.h"

/* The values of a task over time: a name, an address space, or namespaces. */
struct session_tasks_history {
	struct session_tasks_entry {
		struct moment since;
		void *value;
	} * items; /* in order of time */
	size_t n, room;
};

static void history_release(void *arg, uint64_t id, void *value)
{
	struct session_tasks_history *h = value;

	(void)arg, (void)id;
	free(h->items);
}

void tasks_done(struct tasks *t)
{
	u64_map_for_each(&t->threads, history_release, NULL);
	u64_map_for_each(&t->processes, history_release, NULL);
	u64_map_for_each(&t->namespaces, history_release, NULL);
	for (size_t i = 0; i < t->spaces.n; i++)
		space_done(t->spaces.items[i]);
	free(t->spaces.items);
	u64_map_done(&t->threads);
	u64_map_done(&t->processes);
	u64_map_done(&t->namespaces);
	arena_done(&t->arena);
}

/* Returns how many entries are valid at @at. */
static size_t tasks_held(const struct session_tasks_history *h, struct moment at)
{
	return BISECT(i, h->n, moment_holds(h->items[i].since, at));
}

/*
 * Returns the value of @id at @at, or NULL; @span, if any, is narrowed to the times for which that
 * is valid.
 */
static void *history_at(const struct u64_map *m, uint32_t id, struct moment at, struct span *span)
{
	const struct session_tasks_history *h = u64_map_find(m, id);
	size_t i = h ? tasks_held(h, at) : 0;

	if (span && i)
		span_since(span, h->items[i - 1].since.time);
	if (span && h && i < h->n)
		span_before(span, h->items[i].since.time);
	return i ? h->items[i - 1].value : NULL;
}

static void history_add(struct tasks *t, struct u64_map *m, uint32_t id, void *value,
			struct moment at)
{
	struct session_tasks_history *h = u64_map_find(m, id);
	size_t i;

	if (!h) {
		h = arena_alloc(&t->arena, sizeof(*h));
		u64_map_put(m, id, h);
	}
	i = tasks_held(h, at);
	ARRAY_ADD(h);
	memmove(&h->items[i + 1], &h->items[i], (h->n - 1 - i) * sizeof(h->items[0]));
	h->items[i] = (struct session_tasks_entry){ .since = at, .value = value };
}

void tasks_name(struct tasks *t, uint32_t tid, const char *comm, struct moment at)
{
	history_add(t, &t->threads, tid, (void *)comm, at);
}

const char *tasks_comm(const struct tasks *t, uint32_t tid, struct moment at, struct span *span)
{
	return history_at(&t->threads, tid, at, span);
}

static void add_space(struct tasks *t, uint32_t pid, struct space *sp, struct moment at)
{
	*ARRAY_ADD(&t->spaces) = sp;
	history_add(t, &t->processes, pid, sp, at);
}

void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, bool shares, struct moment at)
{
	const struct space *parent = shares ? tasks_space(t, ppid, at, NULL) : NULL;

	add_space(t, pid, parent ? space_fork(&t->arena, parent, at) : space_new(&t->arena), at);
}

struct space *tasks_space(const struct tasks *t, uint32_t pid, struct moment at, struct span *span)
{
	return history_at(&t->processes, pid, at, span);
}

struct space *tasks_space_make(struct tasks *t, uint32_t pid, struct moment at)
{
	struct space *sp = tasks_space(t, pid, at, NULL);

	if (!sp) {
		sp = space_new(&t->arena);
		add_space(t, pid, sp, at);
	}
	return sp;
}

void tasks_set_namespaces(struct tasks *t, uint32_t pid, const struct namespaces *ns,
			  struct moment at)
{
	struct namespaces *kept = arena_alloc(&t->arena, sizeof(*kept));

	*kept = *ns;
	history_add(t, &t->namespaces, pid, kept, at);
}

const struct namespaces *tasks_namespaces(const struct tasks *t, uint32_t pid, struct moment at)
{
	return history_at(&t->namespaces, pid, at, NULL);
}

struct session_tasks_copying {
	struct tasks *to;
	struct u64_map *table; /* a table of @to */
	const struct lineage *living;
	struct moment at;
	struct intern *names;
	struct space_copying *spaces;
	void *(*copy)(const struct session_tasks_copying *c, void *value);
};

static void *tasks_copy_name(const struct session_tasks_copying *c, void *value)
{
	return value ? (void *)intern_text(c->names, value) : NULL;
}

static void *copy_space(const struct session_tasks_copying *c, void *value)
{
	return space_copy(c->spaces, value);
}

static void *copy_namespaces(const struct session_tasks_copying *c, void *value)
{
	struct namespaces *ns = arena_alloc(&c->to->arena, sizeof(*ns));

	*ns = *(const struct namespaces *)value;
	return ns;
}

static void copy_history(void *arg, uint64_t id, void *value)
{
	const struct session_tasks_copying *c = arg;
	const struct session_tasks_history *h = value;
	size_t old = tasks_held(h, c->at);

	if (!lineage_has(c->living, (uint32_t)id))
		return;
	for (size_t i = old ? old - 1 : 0; i < h->n; i++)
		history_add(c->to, c->table, (uint32_t)id, c->copy(c, h->items[i].value),
			    i < old ? (struct moment){ 0 } : h->items[i].since);
}

static void own_space(void *arg, uint64_t original, void *copy)
{
	struct tasks *t = arg;

	(void)original;
	*ARRAY_ADD(&t->spaces) = copy;
}

void tasks_copy(struct tasks *to, const struct tasks *from, const struct lineage *living,
		struct moment at, struct intern *names, struct space_copying *c)
{
	struct session_tasks_copying of_names = { to, &to->threads,   living, at, names,
						  c,  tasks_copy_name };
	struct session_tasks_copying of_spaces = { to, &to->processes, living, at, names,
						   c,  copy_space };
	struct session_tasks_copying of_namespaces = { to, &to->namespaces, living, at, names,
						       c,  copy_namespaces };

	u64_map_for_each(&from->threads, copy_history, &of_names);
	u64_map_for_each(&from->processes, copy_history, &of_spaces);
	u64_map_for_each(&from->namespaces, copy_history, &of_namespaces);
	u64_map_for_each(&c->done, own_space, to);
}
