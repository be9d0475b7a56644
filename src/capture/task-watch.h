/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Existing tasks, watched until all of them have ended.
 *
 * They are not our children, so their end is seen through pidfds: of processes since 5.3, of single
 * threads since 6.9. Tasks without a pidfd are counted in `blind`: the caller has to call
 * task_watch_update() now and then. A process with all its threads in the list is watched as one,
 * and lives as long as any of its threads.
 */
#include <stddef.h>

struct task_list;
struct watched;

struct task_watch {
	int fd;       /* readable when a task has ended: call task_watch_update(); -1: not open */
	size_t left;  /* number of tasks that still run */
	size_t blind; /* those of them whose end only task_watch_update() notices */
	struct watched *items;
	size_t n, room;
};

#define TASK_WATCH_NONE                                                                            \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Begins to watch @tasks, which is not needed afterwards. Returns 0 or a negative errno. */
int task_watch_open(const struct task_list *tasks, struct task_watch *ret);
void task_watch_close(struct task_watch *w);

/* Counts again how many tasks are left. */
void task_watch_update(struct task_watch *w);
