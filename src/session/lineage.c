/* SPDX-License-Identifier: MIT */
#include "session/lineage.h"

#include "session/machine.h"

struct lineage_entry {
	struct task task;
	struct moment since; /* the time of its fork, or the beginning */
	bool has_ended;
	struct moment ended;
};

void lineage_done(struct lineage *l)
{
	u64_map_done(&l->tasks);
	arena_done(&l->arena);
}

static struct lineage_entry *found_or_added(struct lineage *l, uint32_t pid, uint32_t tid)
{
	struct lineage_entry *e = u64_map_find(&l->tasks, tid);

	if (!e) {
		e = arena_alloc(&l->arena, sizeof(*e));
		e->task = (struct task){ .pid = pid, .tid = tid, .ptid = TASK_NOBODY };
		u64_map_put(&l->tasks, tid, e);
	}
	return e;
}

void lineage_saw(struct lineage *l, uint32_t pid, uint32_t tid, struct moment at)
{
	struct lineage_entry *e = found_or_added(l, pid, tid);

	if (moment_holds(e->since, at))
		e->task.pid = pid;
	if (pid != tid)
		found_or_added(l, pid, pid);
}

void lineage_forked(struct lineage *l, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
		    struct moment at)
{
	struct lineage_entry *e = found_or_added(l, pid, tid);

	found_or_added(l, ppid, ptid);
	if (!moment_holds(e->since, at))
		return;
	e->since = at;
	e->has_ended = false;
	e->task.pid = pid;
	e->task.ptid = ptid;
}

void lineage_ended(struct lineage *l, uint32_t tid, struct moment at)
{
	struct lineage_entry *e = u64_map_find(&l->tasks, tid);

	if (!e || !moment_holds(e->since, at))
		return;
	e->has_ended = true;
	e->ended = at;
}

struct ending {
	bool (*is_gone)(uint32_t pid);
	struct moment at;
};

static void end_gone(void *arg, uint64_t tid, void *value)
{
	const struct ending *x = arg;
	struct lineage_entry *e = value;

	(void)tid;
	if (e->has_ended || !x->is_gone(e->task.pid))
		return;
	e->has_ended = true;
	e->ended = x->at;
}

void lineage_end_gone(struct lineage *l, bool (*is_gone)(uint32_t pid), struct moment at)
{
	u64_map_for_each(&l->tasks, end_gone, &(struct ending){ is_gone, at });
}

void lineage_executed(struct lineage *l, uint32_t tid, struct moment at)
{
	struct lineage_entry *e = u64_map_find(&l->tasks, tid);

	if (e && e->has_ended && moment_holds(e->ended, at))
		e->has_ended = false;
}

bool lineage_process(const struct lineage *l, uint32_t tid, uint32_t *ret_pid)
{
	const struct lineage_entry *e = u64_map_find(&l->tasks, tid);

	if (e)
		*ret_pid = e->task.pid;
	return e;
}

bool lineage_has(const struct lineage *l, uint32_t tid)
{
	return u64_map_find(&l->tasks, tid);
}

struct lineage_copying {
	struct lineage *to;
	const struct lineage *from;
	struct moment at;
};

static void put_copy(struct lineage *to, const struct lineage_entry *e)
{
	struct lineage_entry *copy;

	if (lineage_has(to, e->task.tid))
		return;
	copy = arena_alloc(&to->arena, sizeof(*copy));
	*copy = *e;
	u64_map_put(&to->tasks, e->task.tid, copy);
}

static void copy_living(void *arg, uint64_t tid, void *value)
{
	const struct lineage_copying *c = arg;
	const struct lineage_entry *e = value, *first;

	(void)tid;
	if (e->has_ended && moment_holds(e->ended, c->at))
		return;
	put_copy(c->to, e);
	first = u64_map_find(&c->from->tasks, e->task.pid);
	if (first)
		put_copy(c->to, first);
}

void lineage_copy_living(struct lineage *to, const struct lineage *from, struct moment at)
{
	u64_map_for_each(&from->tasks, copy_living, &(struct lineage_copying){ to, from, at });
}

struct lineage_walk {
	void (*each)(void *arg, const struct task *t);
	void *arg;
};

static void lineage_visit(void *arg, uint64_t tid, void *value)
{
	const struct lineage_walk *w = arg;
	const struct lineage_entry *e = value;

	(void)tid;
	w->each(w->arg, &e->task);
}

void lineage_for_each(const struct lineage *l, void (*each)(void *arg, const struct task *t),
		      void *arg)
{
	u64_map_for_each(&l->tasks, lineage_visit, &(struct lineage_walk){ each, arg });
}
