/* SPDX-License-Identifier: MIT */
#include "capture/task-list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/name-list.h"

void task_list_done(struct task_list *l)
{
	free(l->items);
	*l = (struct task_list){ 0 };
}

static bool task_list_contains(const struct task_list *l, pid_t tid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].tid == tid)
			return true;
	return false;
}

static void capture_task_list_add(struct task_list *l, pid_t tid, pid_t process)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/comm", (int)tid);
	_cleanup_(freep) char *comm = NULL;
	struct target_task *t = ARRAY_ADD(l);

	t->tid = tid;
	t->process = process;
	if (file_read_line(AT_FDCWD, path, &comm) >= 0)
		snprintf(t->comm, sizeof(t->comm), "%s", comm);
}

int task_list_add(struct task_list *l, pid_t tid, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d", (int)tid);
	struct stat st;

	if (stat(path, &st) < 0)
		return diag_set(diag, -ESRCH, "there is no thread %d", (int)tid);
	if (!task_list_contains(l, tid))
		capture_task_list_add(l, tid, 0);
	return 0;
}

/* Returns the number that is the name of a directory in /proc, or -1. */
static pid_t task_list_id_of(const char *name)
{
	uint64_t id;

	return number_parse(name, &id) == 0 && id > 0 && id <= INT32_MAX ? (pid_t)id : -1;
}

static int task_list_add_threads(struct task_list *l, pid_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task", (int)pid);
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = name_list_read(AT_FDCWD, path, true, &names);

	for (size_t i = 0; i < names.n; i++)
		if (task_list_id_of(names.items[i]) > 0)
			capture_task_list_add(l, task_list_id_of(names.items[i]), pid);
	return r;
}

int task_list_add_process(struct task_list *l, pid_t pid, struct diag *diag)
{
	if (task_list_contains(l, pid) || task_list_add_threads(l, pid) >= 0)
		return 0;
	diag_set(diag, -ESRCH, "there is no process %d", (int)pid);
	diag_hint(diag,
		  "List the processes with 'ps -e'; a program that ended leaves nothing to count.");
	return -ESRCH;
}

/*
 * Adds the processes of @uid, or with NULL all processes. One that ends in the meantime is left
 * out.
 */
static void add_processes(struct task_list *l, const uid_t *uid)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };

	name_list_read(AT_FDCWD, "/proc", true, &names);
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(freep) char *path = xasprintf("/proc/%s", names.items[i]);
		struct stat st;

		if (task_list_id_of(names.items[i]) > 0 && stat(path, &st) == 0 &&
		    (!uid || st.st_uid == *uid))
			task_list_add_threads(l, task_list_id_of(names.items[i]));
	}
}

int task_list_add_all(struct task_list *l, struct diag *diag)
{
	add_processes(l, NULL);
	return l->n ? 0 : diag_set(diag, -ESRCH, "/proc shows no processes: is it mounted?");
}

int task_list_add_user(struct task_list *l, uid_t uid, struct diag *diag)
{
	size_t before = l->n;

	add_processes(l, &uid);
	if (l->n > before)
		return 0;
	return diag_set(diag, -ESRCH, "user %u runs no process", (unsigned)uid);
}
