/* SPDX-License-Identifier: MIT */
#pragma once
/* Existing threads to measure, found in /proc. A thread that is named twice counts once. */
#include <stddef.h>
#include <sys/types.h>

struct diag;

struct target_task {
	pid_t tid;
	pid_t process; /* its process, if all threads of it are in the list; or 0 */
	char comm[32]; /* /proc/TID/comm, "" if it could not be read */
};

struct task_list {
	struct target_task *items;
	size_t n, room;
};

void task_list_done(struct task_list *l);

/* Adds @tid itself. -ESRCH with @diag set: there is no such thread. */
int task_list_add(struct task_list *l, pid_t tid, struct diag *diag);

/* Adds every thread of the process @pid. -ESRCH with @diag set: there is no such process. */
int task_list_add_process(struct task_list *l, pid_t pid, struct diag *diag);

/* Adds every thread of the system. -ESRCH with @diag set: /proc shows none. */
int task_list_add_all(struct task_list *l, struct diag *diag);

/* Adds every thread of every process that runs as @uid. -ESRCH with @diag set: there is none. */
int task_list_add_user(struct task_list *l, uid_t uid, struct diag *diag);
