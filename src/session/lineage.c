/* SPDX-License-Identifier: MIT */
#include "session/lineage.h"

#include "session/machine.h"

struct entry {
	struct task task;
	struct moment since; /* of its fork, or the beginning */
};

void lineage_done(struct lineage *l)
{
	u64_map_done(&l->tasks);
	arena_done(&l->arena);
}

static struct entry *found_or_added(struct lineage *l, uint32_t pid, uint32_t tid)
{
	struct entry *e = u64_map_find(&l->tasks, tid);

	if (!e) {
		e = arena_alloc(&l->arena, sizeof(*e));
		e->task = (struct task){ .pid = pid, .tid = tid, .ptid = TASK_NOBODY };
		u64_map_put(&l->tasks, tid, e);
	}
	return e;
}

void lineage_saw(struct lineage *l, uint32_t pid, uint32_t tid, struct moment at)
{
	struct entry *e = found_or_added(l, pid, tid);

	if (moment_holds(e->since, at))
		e->task.pid = pid;
	if (pid != tid)
		found_or_added(l, pid, pid);
}

void lineage_forked(struct lineage *l, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
		    struct moment at)
{
	struct entry *e = found_or_added(l, pid, tid);

	found_or_added(l, ppid, ptid);
	if (!moment_holds(e->since, at))
		return;
	e->since = at;
	e->task.pid = pid;
	e->task.ptid = ptid;
}

struct walk {
	void (*each)(void *arg, const struct task *t);
	void *arg;
};

static void visit(void *arg, uint64_t tid, void *value)
{
	const struct walk *w = arg;
	const struct entry *e = value;

	(void)tid;
	w->each(w->arg, &e->task);
}

void lineage_for_each(const struct lineage *l, void (*each)(void *arg, const struct task *t),
		      void *arg)
{
	u64_map_for_each(&l->tasks, visit, &(struct walk){ each, arg });
}
