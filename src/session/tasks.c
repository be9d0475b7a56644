/* SPDX-License-Identifier: MIT */
#include "session/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/space.h"

struct name {
	struct moment since;
	const char *comm;
};

struct thread {
	struct name *items; /* in order of time */
	size_t n, room;
};

struct era {
	struct moment since;
	struct space *space;
};

struct process {
	struct era *items; /* in order of time */
	size_t n, room;
};

static void thread_release(void *arg, uint64_t tid, void *value)
{
	struct thread *th = value;

	(void)arg, (void)tid;
	free(th->items);
}

static void process_release(void *arg, uint64_t pid, void *value)
{
	struct process *p = value;

	(void)arg, (void)pid;
	for (size_t i = 0; i < p->n; i++)
		space_done(p->items[i].space);
	free(p->items);
}

void tasks_done(struct tasks *t)
{
	u64_map_for_each(&t->threads, thread_release, NULL);
	u64_map_for_each(&t->processes, process_release, NULL);
	u64_map_done(&t->threads);
	u64_map_done(&t->processes);
	arena_done(&t->arena);
}

/*
 * Both kinds of history are arrays of items that begin with their moment, in order of it. How many
 * of the @n items of @size bytes hold at @at: mostly all or none but the last few are asked for.
 */
static size_t held(const void *items, size_t n, size_t size, struct moment at)
{
	size_t low = 0;

	while (n) {
		size_t half = n / 2;
		struct moment since;

		memcpy(&since, (const char *)items + (low + half) * size, sizeof(since));
		if (moment_holds(since, at)) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

static void *found_or_added(struct tasks *t, struct u64_map *m, uint32_t id, size_t size)
{
	void *v = u64_map_find(m, id);

	if (!v) {
		v = arena_alloc(&t->arena, size);
		u64_map_put(m, id, v);
	}
	return v;
}

void tasks_name(struct tasks *t, uint32_t tid, const char *comm, struct moment at)
{
	struct thread *th = found_or_added(t, &t->threads, tid, sizeof(*th));
	size_t i = held(th->items, th->n, sizeof(th->items[0]), at);

	ARRAY_ADD(th);
	memmove(&th->items[i + 1], &th->items[i], (th->n - 1 - i) * sizeof(th->items[0]));
	th->items[i] = (struct name){ .since = at, .comm = comm };
}

const char *tasks_comm(const struct tasks *t, uint32_t tid, struct moment at)
{
	const struct thread *th = u64_map_find(&t->threads, tid);
	size_t i = th ? held(th->items, th->n, sizeof(th->items[0]), at) : 0;

	return i ? th->items[i - 1].comm : NULL;
}

bool tasks_knows(const struct tasks *t, uint32_t tid)
{
	return u64_map_find(&t->threads, tid);
}

static void process_begin(struct process *p, struct space *sp, struct moment at)
{
	size_t i = held(p->items, p->n, sizeof(p->items[0]), at);

	ARRAY_ADD(p);
	memmove(&p->items[i + 1], &p->items[i], (p->n - 1 - i) * sizeof(p->items[0]));
	p->items[i] = (struct era){ .since = at, .space = sp };
}

void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, bool shares, struct moment at)
{
	struct process *p = found_or_added(t, &t->processes, pid, sizeof(*p));
	const struct space *parent = shares ? tasks_space(t, ppid, at) : NULL;

	process_begin(p, parent ? space_fork(&t->arena, parent, at) : space_new(&t->arena), at);
}

struct space *tasks_space(const struct tasks *t, uint32_t pid, struct moment at)
{
	const struct process *p = u64_map_find(&t->processes, pid);
	size_t i = p ? held(p->items, p->n, sizeof(p->items[0]), at) : 0;

	return i ? p->items[i - 1].space : NULL;
}

struct space *tasks_space_make(struct tasks *t, uint32_t pid, struct moment at)
{
	struct space *sp = tasks_space(t, pid, at);

	if (!sp) {
		struct process *p = found_or_added(t, &t->processes, pid, sizeof(*p));

		sp = space_new(&t->arena);
		process_begin(p, sp, at);
	}
	return sp;
}
