/* SPDX-License-Identifier: MIT */
#include "capture/release.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "capture/counters.h"
#include "event/event.h"

/* So many may be waited for. */
#define SLOW_MAX 1

static size_t count_slow(const struct counters *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->items[i].state == COUNTER_OPEN &&
		     c->items[i].event->attr.type == PERF_TYPE_TRACEPOINT;
	return n;
}

static int highest_fd(const struct counters *c, int fd)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t place = 0; place < c->items[i].n_cpus * c->items[i].n_tasks; place++)
			fd = c->items[i].fds[place] > fd ? c->items[i].fds[place] : fd;
	return fd;
}

/*
 * Closes all but @pipe_fd and the counters: whoever reads our output from a pipe must not have to
 * wait for its end.
 */
static void close_others(const struct counters *c, int pipe_fd)
{
	int top = highest_fd(c, pipe_fd);
	bool *keep = xcalloc((size_t)top + 1, sizeof(*keep));

	keep[pipe_fd] = true;
	for (size_t i = 0; i < c->n; i++)
		for (size_t place = 0; place < c->items[i].n_cpus * c->items[i].n_tasks; place++)
			if (c->items[i].fds[place] >= 0)
				keep[c->items[i].fds[place]] = true;
	for (int fd = 0; fd <= top; fd++)
		if (!keep[fd])
			close(fd);
	close_range((unsigned)top + 1, UINT_MAX, 0);
	free(keep);
}

/*
 * The grandchild holds its copies of the descriptors until ours are closed (the pipe tells), so
 * that the last ones are its own. It is no child of ours for long: init reaps it.
 */
static void hold(const struct counters *c, int pipe_fd)
{
	char byte;

	if (fork() != 0)
		_exit(0);
	setsid();
	close_others(c, pipe_fd);
	while (read(pipe_fd, &byte, 1) > 0)
		;
	_exit(0);
}

void release_counters(struct counters *c)
{
	int ends[2];

	if (count_slow(c) <= SLOW_MAX || pipe2(ends, O_CLOEXEC) < 0) {
		counters_close(c);
		return;
	}

	pid_t pid = fork();

	if (pid == 0)
		hold(c, ends[0]);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	counters_close(c);
	close(ends[1]);
}
