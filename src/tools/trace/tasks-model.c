/* SPDX-License-Identifier: MIT */
#include "tools/trace/tasks-model.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "tools/trace/file-effects-model.h"
#include "tools/trace/files-model.h"

/* The time for which an answer of /proc is valid if descriptors change without notice. */
#define ANSWER_HOLDS_NS 50000000

/*
 * The maximum length of names. The kernel's names have up to 15 characters, those of its own
 * threads up to 63.
 */
#define COMM_SIZE 64

struct trace_tasks_entry {
	struct trace_task task;    /* comm points to comm_text */
	struct trace_files *files; /* its process's files; NULL: not needed yet */
	uint64_t asked_ns;         /* with has_gaps: the time at which /proc was read */
	uint32_t pins;
	struct trace_tasks_entry *older, *newer; /* links between tasks that have ended */
	char comm_text[COMM_SIZE];
};

struct trace_tasks {
	bool asks_proc;
	struct trace_tasks_counts counts;
	bool keeps_ended;
	bool has_gaps;
	struct u64_map by_tid;
	struct file_effects effects;
	/* The tasks that have ended, the oldest first. */
	struct trace_tasks_entry *oldest, *newest;
	size_t n_ended;
	struct trace_tasks_entry *unused; /* a list linked by newer */
};

static struct trace_tasks_entry *trace_tasks_entry_of(struct trace_task *task)
{
	return (struct trace_tasks_entry *)task;
}

struct trace_tasks *trace_tasks_new(bool asks_proc)
{
	struct trace_tasks *t = xcalloc(1, sizeof(*t));

	t->asks_proc = asks_proc;
	file_effects_init(&t->effects);
	return t;
}

void trace_tasks_keep_ended(struct trace_tasks *t)
{
	t->keeps_ended = true;
}

void trace_tasks_expect_gaps(struct trace_tasks *t)
{
	t->has_gaps = true;
}

static void trace_tasks_free_entry(void *arg, uint64_t tid, void *value)
{
	struct trace_tasks_entry *e = value;

	(void)arg;
	(void)tid;
	trace_files_unref(e->files);
	free(e);
}

void trace_tasks_free(struct trace_tasks *t)
{
	if (!t)
		return;
	u64_map_for_each(&t->by_tid, trace_tasks_free_entry, NULL);
	u64_map_done(&t->by_tid);
	while (t->unused) {
		struct trace_tasks_entry *e = t->unused;

		t->unused = e->newer;
		free(e);
	}
	file_effects_done(&t->effects);
	free(t);
}

static void set_comm(struct trace_tasks_entry *e, const char *comm)
{
	size_t n = strnlen(comm, COMM_SIZE - 1);

	memmove(e->comm_text, comm, n);
	e->comm_text[n] = '\0';
}

static void ask_comm(struct trace_tasks_entry *e)
{
	char path[64];
	_cleanup_(freep) char *comm = NULL;

	snprintf(path, sizeof(path), "/proc/%u/comm", e->task.tid);
	if (file_read_line(AT_FDCWD, path, &comm) >= 0)
		set_comm(e, comm);
}

static struct trace_tasks_entry *trace_tasks_add(struct trace_tasks *t, uint32_t pid, uint32_t tid)
{
	struct trace_tasks_entry *e = t->unused;

	if (e)
		t->unused = e->newer;
	else
		e = xmalloc(sizeof(*e));
	*e = (struct trace_tasks_entry){ .task = { .pid = pid, .tid = tid } };
	e->task.comm = e->comm_text;
	u64_map_put(&t->by_tid, tid, e);
	return e;
}

static void unlink_ended(struct trace_tasks *t, struct trace_tasks_entry *e)
{
	*(e->older ? &e->older->newer : &t->oldest) = e->newer;
	*(e->newer ? &e->newer->older : &t->newest) = e->older;
	e->older = e->newer = NULL;
	t->n_ended--;
}

static void append_ended(struct trace_tasks *t, struct trace_tasks_entry *e)
{
	e->older = t->newest;
	*(t->newest ? &t->newest->newer : &t->oldest) = e;
	t->newest = e;
	t->n_ended++;
}

static void drop_oldest(struct trace_tasks *t)
{
	struct trace_tasks_entry *e = t->oldest;

	unlink_ended(t, e);
	if (e->pins) {
		append_ended(t, e);
		return;
	}
	u64_map_remove(&t->by_tid, e->task.tid);
	trace_files_unref(e->files);
	e->newer = t->unused;
	t->unused = e;
}

/* Marks a task as living again: its number is given to a new task. */
void trace_tasks_revive(struct trace_tasks *t, struct trace_task *task)
{
	if (!task->has_ended)
		return;
	unlink_ended(t, trace_tasks_entry_of(task));
	task->has_ended = false;
}

static struct trace_tasks_entry *trace_tasks_model_get(struct trace_tasks *t, uint32_t pid,
						       uint32_t tid, bool *ret_is_new)
{
	struct trace_tasks_entry *e = u64_map_find(&t->by_tid, tid);

	*ret_is_new = !e;
	if (!e)
		return trace_tasks_add(t, pid, tid);
	if (pid && pid != e->task.pid) {
		e->task.pid = pid;
		trace_files_unref(TAKE(e->files));
	}
	return e;
}

struct trace_task *trace_tasks_get(struct trace_tasks *t, uint32_t pid, uint32_t tid)
{
	bool is_new;
	struct trace_tasks_entry *e = trace_tasks_model_get(t, pid, tid, &is_new);

	if (is_new && t->asks_proc)
		ask_comm(e);
	return &e->task;
}

const char *trace_tasks_comm(struct trace_tasks *t, uint32_t tid)
{
	const struct trace_tasks_entry *e = u64_map_find(&t->by_tid, tid);

	return e && *e->comm_text ? e->comm_text : NULL;
}

struct trace_task *trace_tasks_named(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				     const char *comm)
{
	bool is_new;
	struct trace_tasks_entry *e = trace_tasks_model_get(t, pid, tid, &is_new);

	trace_tasks_revive(t, &e->task);
	set_comm(e, comm);
	return &e->task;
}

/*
 * Returns the descriptors of the task's process. They are those of its leader, which all threads
 * share.
 */
static struct trace_files *trace_tasks_files_of(struct trace_tasks *t, struct trace_tasks_entry *e)
{
	uint32_t pid = e->task.pid;
	struct trace_tasks_entry *leader;
	bool is_new;

	if (e->files)
		return e->files;
	leader = !pid || pid == e->task.tid ? e : trace_tasks_model_get(t, pid, pid, &is_new);
	if (!leader->files)
		leader->files = trace_files_new();
	if (leader != e)
		e->files = trace_files_ref(leader->files);
	return e->files;
}

struct trace_task *trace_tasks_forked(struct trace_tasks *t, uint32_t pid, uint32_t tid,
				      uint32_t parent_tid)
{
	struct trace_tasks_entry *parent = u64_map_find(&t->by_tid, parent_tid);
	bool is_new;
	struct trace_tasks_entry *e = trace_tasks_model_get(t, pid, tid, &is_new);
	struct trace_files *files = NULL;

	trace_tasks_revive(t, &e->task);
	if (!parent || parent == e)
		return &e->task;
	set_comm(e, parent->comm_text);
	if (parent->task.pid == pid)
		files = trace_files_ref(trace_tasks_files_of(t, parent));
	else if (parent->files)
		files = trace_files_copy(parent->files);
	if (files && t->has_gaps && parent->task.pid != pid)
		trace_files_forget_looked_up(files);
	trace_files_unref(e->files);
	e->files = files;
	return &e->task;
}

void trace_tasks_ended(struct trace_tasks *t, struct trace_task *task)
{
	struct trace_tasks_entry *e = trace_tasks_entry_of(task);

	if (task->has_ended)
		return;
	task->has_ended = true;
	trace_files_unref(TAKE(e->files));
	append_ended(t, e);
	if (t->n_ended > TRACE_TASKS_ENDED_MAX && !t->keeps_ended)
		drop_oldest(t);
}

void trace_task_pin(struct trace_task *task)
{
	trace_tasks_entry_of(task)->pins++;
}

void trace_task_unpin(struct trace_task *task)
{
	trace_tasks_entry_of(task)->pins--;
}

static bool ask_file(const struct trace_tasks_entry *e, int32_t fd, char *ret, size_t room)
{
	uint32_t pid = e->task.pid ? e->task.pid : e->task.tid;
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%u/fd/%d", pid, fd);
	n = readlink(link, ret, room - 1);
	if (n <= 0)
		return false;
	ret[n] = '\0';
	return true;
}

static void forget_old_answers(struct trace_tasks_entry *e)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC_COARSE);

	if (now_ns - e->asked_ns <= ANSWER_HOLDS_NS)
		return;
	e->asked_ns = now_ns;
	trace_files_forget_looked_up(e->files);
}

const char *trace_task_file(struct trace_tasks *t, struct trace_task *task, int32_t fd)
{
	struct trace_tasks_entry *e = trace_tasks_entry_of(task);
	const char *path = NULL;
	char text[PATH_MAX];

	if (fd < 0 || (task->has_ended && !e->files))
		return NULL;
	trace_tasks_files_of(t, e);
	if (t->has_gaps && t->asks_proc)
		forget_old_answers(e);
	if (trace_files_find(e->files, fd, &path) != TRACE_FILE_UNKNOWN || !t->asks_proc)
		return path;
	t->counts.asked++;
	trace_files_set(e->files, fd, ask_file(e, fd, text, sizeof(text)) ? text : NULL, 0);
	trace_files_find(e->files, fd, &path);
	return path;
}

void trace_task_opened(struct trace_tasks *t, struct trace_task *task, int32_t fd, const char *path,
		       uint64_t time_ns)
{
	if (fd < 0 || task->has_ended)
		return;
	t->counts.told++;
	trace_files_set(trace_tasks_files_of(t, trace_tasks_entry_of(task)), fd, path, time_ns);
}

struct trace_tasks_counts trace_tasks_counts(const struct trace_tasks *t)
{
	return t->counts;
}

/*
 * Forgets descriptors at exec. The threads that shared them are gone, and so are the descriptors
 * with close-on-exec. It is not reported which ones these were, but they are hardly ever the
 * standard ones.
 */
static void forget_at_exec(struct trace_tasks *t, struct trace_tasks_entry *e)
{
	struct trace_files *files = e->files ? trace_files_after_exec(e->files) : NULL;

	if (files && t->has_gaps)
		trace_files_forget_looked_up(files);
	trace_files_unref(e->files);
	e->files = files;
}

void trace_task_called(struct trace_tasks *t, struct trace_task *task, const struct trace_call *c)
{
	struct trace_tasks_entry *e = trace_tasks_entry_of(task);

	if (task->has_ended || !file_effects_has(&t->effects, c))
		return;
	if (file_effects_is_exec(&t->effects, c))
		forget_at_exec(t, e);
	else
		file_effects_apply(&t->effects, c, trace_tasks_files_of(t, e));
}

static int trace_tasks_compare_tids(const void *a, const void *b)
{
	const struct trace_tasks_entry *x = *(struct trace_tasks_entry *const *)a,
				       *y = *(struct trace_tasks_entry *const *)b;

	return (x->task.tid > y->task.tid) - (x->task.tid < y->task.tid);
}

struct entry_list {
	struct trace_tasks_entry **items;
	size_t n;
};

static void list_entry(void *arg, uint64_t tid, void *value)
{
	struct entry_list *l = arg;

	(void)tid;
	l->items[l->n++] = value;
}

int trace_tasks_each(struct trace_tasks *t, int (*take)(void *arg, struct trace_task *task),
		     void *arg)
{
	_cleanup_(freep) struct trace_tasks_entry **items = xcalloc(t->by_tid.n + 1,
								    sizeof(*items));
	struct entry_list l = { .items = items };
	int r = 0;

	u64_map_for_each(&t->by_tid, list_entry, &l);
	qsort(items, l.n, sizeof(*items), trace_tasks_compare_tids);
	for (size_t i = 0; i < l.n && !r; i++)
		r = take(arg, &items[i]->task);
	return r;
}
