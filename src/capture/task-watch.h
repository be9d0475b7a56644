/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Existing tasks, watched until all of them have ended.
 *
 * They are no children of ours, so the kernel tells by pidfds: of processes since 5.3, of single
 * threads since 6.9. Where it cannot, somebody has to look now and then: `blind` says so. A process
 * of which every thread is in the list is watched as one, and lives as long as any thread of it.
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
