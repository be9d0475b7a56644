/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Existing tasks, watched until all of them have ended.
 *
 * They are not our children, so their end is seen by pidfds: of processes since 5.3, of single
 * threads since 6.9. Tasks without a pidfd are counted by `blind`: the caller has to call
 * task_watch_update() now and then. A process with all its threads in the list is watched as one,
 * and lives as long as any of its threads.
 */
#include <stddef.h>

struct task_list;
struct watched;

struct task_watch {
	int fd;       /* readable when one has ended: call task_watch_update(); -1: not open */
	size_t left;  /* that still run */
	size_t blind; /* of them: those that only task_watch_update() can notice */
	struct watched *items;
	size_t n, room;
};

#define TASK_WATCH_NONE                                                                            \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Begins to watch @tasks, which is needed no longer then. A negative errno. */
int task_watch_open(const struct task_list *tasks, struct task_watch *ret);
void task_watch_close(struct task_watch *w);

/* Counts again how many are left. */
void task_watch_update(struct task_watch *w);
