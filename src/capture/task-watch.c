/* SPDX-License-Identifier: MIT */
#include "capture/task-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "capture/task-list.h"

/* From linux/pidfd.h of 6.9; the call is number 434 everywhere. */
#define PIDFD_OF_THREAD O_EXCL
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

struct watched {
	pid_t id;
	int fd; /* pidfd; -1: there is none, or the task has ended */
	bool over;
};

/* Opens a pidfd of the process @id, or of the thread if @id is not a process. */
static int open_pidfd(pid_t id)
{
	int fd = (int)syscall(SYS_pidfd_open, id, 0);

	if (fd < 0 && errno != ESRCH)
		fd = (int)syscall(SYS_pidfd_open, id, PIDFD_OF_THREAD);
	return fd < 0 ? -errno : fd;
}

/*
 * True if a task has ended. Reads "PID (COMM) STATE ..." with the number of threads as 20th word. A
 * first thread that has ended remains as a zombie until the others end; if it is the only one, it
 * waits for its parent only.
 */
static bool has_ended(pid_t id)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/stat", (int)id);
	_cleanup_(freep) char *line = NULL;
	const char *rest;
	char state;
	int threads;

	if (file_read_line(AT_FDCWD, path, &line) < 0)
		return true;
	rest = strrchr(line, ')');
	if (!rest || sscanf(rest,
			    ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			    "%*s %*s %d",
			    &state, &threads) != 2)
		return true;
	return (state == 'Z' || state == 'X') && threads <= 1;
}

static void end_one(struct task_watch *w, struct watched *item)
{
	/* Closing removes it from the epoll set. */
	closep(&item->fd);
	item->fd = -1;
	item->over = true;
	w->left--;
}

static void task_watch_add(struct task_watch *w, pid_t id)
{
	int fd = open_pidfd(id);

	if (fd == -ESRCH)
		return;

	struct watched *item = ARRAY_ADD(w);
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = w->n - 1 };

	*item = (struct watched){ .id = id, .fd = -1 };
	w->left++;
	if (fd >= 0 && epoll_ctl(w->fd, EPOLL_CTL_ADD, fd, &event) == 0) {
		item->fd = fd;
		return;
	}
	closep(&fd);
	w->blind++;
}

int task_watch_open(const struct task_list *tasks, struct task_watch *ret)
{
	struct task_watch w = { .fd = epoll_create1(EPOLL_CLOEXEC) };
	pid_t process = 0;

	if (w.fd < 0)
		return -errno;
	for (size_t i = 0; i < tasks->n; i++) {
		const struct target_task *t = &tasks->items[i];

		/* The threads of a process are adjacent. */
		if (!t->process)
			task_watch_add(&w, t->tid);
		else if (t->process != process)
			task_watch_add(&w, t->process);
		process = t->process;
	}
	*ret = w;
	return 0;
}

void task_watch_close(struct task_watch *w)
{
	for (size_t i = 0; i < w->n; i++)
		closep(&w->items[i].fd);
	free(w->items);
	closep(&w->fd);
	*w = (struct task_watch)TASK_WATCH_NONE;
}

void task_watch_update(struct task_watch *w)
{
	struct epoll_event event;

	while (epoll_wait(w->fd, &event, 1, 0) == 1)
		end_one(w, &w->items[event.data.u64]);
	for (size_t i = 0; i < w->n && w->blind; i++) {
		if (w->items[i].fd >= 0 || w->items[i].over || !has_ended(w->items[i].id))
			continue;
		end_one(w, &w->items[i]);
		w->blind--;
	}
}
