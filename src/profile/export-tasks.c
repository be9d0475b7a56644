/* SPDX-License-Identifier: MIT */
#include "profile/export-tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void export_tasks_name_thread(struct export_tasks *t, struct export_thread *th,
				     const char *text, uint64_t time, bool is_exec)
{
	struct export_comm *c = th->comm;

	/* A name replaces ":TID", also in the tables that have it already. */
	if (!c || c->is_known) {
		c = arena_alloc(&t->arena, sizeof(*c));
		c->before = th->comm;
		th->comm = c;
	}
	c->text = arena_strndup(&t->arena, text, strlen(text));
	c->start = time;
	c->is_exec = is_exec;
	c->is_known = true;
}

static struct export_thread *export_tasks_add_thread(struct export_tasks *t, uint32_t pid,
						     uint32_t tid)
{
	struct export_thread *th = arena_alloc(&t->arena, sizeof(*th));
	char text[16];

	th->pid = pid;
	th->tid = tid;
	snprintf(text, sizeof(text), ":%" PRId32, (int32_t)tid);
	export_tasks_name_thread(t, th, text, 0, false);
	th->comm->is_known = false;
	u64_map_put(&t->threads, (uint64_t)tid + 1, th);
	return th;
}

void export_tasks_init(struct export_tasks *t)
{
	*t = (struct export_tasks){ 0 };
	export_tasks_name_thread(t, export_tasks_add_thread(t, 0, 0), "swapper", 0, false);
}

void export_tasks_done(struct export_tasks *t)
{
	u64_map_done(&t->threads);
	arena_done(&t->arena);
}

struct export_thread *export_tasks_find(const struct export_tasks *t, uint32_t tid)
{
	return u64_map_find(&t->threads, (uint64_t)tid + 1);
}

struct export_thread *export_tasks_get(struct export_tasks *t, uint32_t pid, uint32_t tid)
{
	struct export_thread *th = export_tasks_find(t, tid);

	return th ? th : export_tasks_add_thread(t, pid, tid);
}

void export_tasks_name(struct export_tasks *t, uint32_t pid, uint32_t tid, const char *comm,
		       uint64_t time, bool is_exec)
{
	export_tasks_name_thread(t, export_tasks_get(t, pid, tid), comm, time, is_exec);
}

void export_tasks_fork(struct export_tasks *t, uint32_t pid, uint32_t tid, uint32_t ppid,
		       uint32_t ptid, uint64_t time)
{
	const struct export_thread *parent = export_tasks_get(t, ppid, ptid);
	struct export_thread *th;

	/* Records for threads that existed before have the threads themselves as parents. */
	if (tid == ptid)
		return;
	th = export_tasks_add_thread(t, pid, tid);
	if (parent->comm->is_known)
		export_tasks_name_thread(t, th, parent->comm->text, time, false);
}

struct export_comm *export_process_comm(const struct export_thread *main)
{
	struct export_comm *first = main->comm, *second = NULL;

	for (struct export_comm *c = main->comm; c; c = c->before) {
		if (c->is_exec)
			return c;
		if (c != first)
			second = first;
		first = c;
	}
	/* The first name rarely came from a fork before the recording: it was reported before. */
	return second && !first->start && main->pid == main->tid ? second : first;
}
