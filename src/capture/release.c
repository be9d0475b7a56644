/* SPDX-License-Identifier: MIT */
#include "capture/release.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "capture/opened-events.h"
#include "kernel/tracefs.h"

struct fds {
	int *items;
	size_t n, room;
	size_t slow; /* the number of events among them that are slow to close */
};

static void fds_done(struct fds *f)
{
	free(f->items);
}

static void add_fds(struct fds *f, const struct opened_event *e)
{
	size_t before = f->n;

	for (size_t i = 0; i < opened_event_places(e); i++)
		if (e->fds[i] >= 0)
			*ARRAY_ADD(f) = e->fds[i];
	f->slow += f->n > before && e->event->attr.type == PERF_TYPE_TRACEPOINT;
}

static int highest_fd(const struct fds *f, int fd)
{
	for (size_t i = 0; i < f->n; i++)
		fd = f->items[i] > fd ? f->items[i] : fd;
	return fd;
}

/*
 * Closes all descriptors except @pipe_fd and the events, so that a process that reads our output
 * from a pipe need not wait for the child.
 */
static void close_others(const struct fds *f, int pipe_fd)
{
	int top = highest_fd(f, pipe_fd);
	bool *keep = xcalloc((size_t)top + 1, sizeof(*keep));

	keep[pipe_fd] = true;
	for (size_t i = 0; i < f->n; i++)
		keep[f->items[i]] = true;
	for (int fd = 0; fd <= top; fd++)
		if (!keep[fd])
			close(fd);
	close_range((unsigned)top + 1, UINT_MAX, 0);
	free(keep);
}

/*
 * Holds the events in a grandchild. It keeps its copies of the descriptors until ours are closed
 * (the pipe shows it), so that its own are the last ones. Its parent exits, and init reaps it.
 */
static void release_hold(const struct fds *f, int pipe_fd)
{
	char byte;

	if (fork() != 0)
		_exit(0);
	setsid();
	close_others(f, pipe_fd);
	while (read(pipe_fd, &byte, 1) > 0)
		;
	_exit(0);
}

/* Passes copies of @f to a child, which keeps them until the returned descriptor is closed. */
static int release_hand_over(const struct fds *f)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;

	pid_t pid = fork();

	if (pid == 0)
		release_hold(f, ends[0]);
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return ends[1];
}

/* The names of all existing probes, read when first needed. */
struct capture_release_probes {
	struct name_list names;
	bool is_read;
};

static void release_probes_done(struct capture_release_probes *p)
{
	name_list_done(&p->names);
}

static void release_read_probes(struct capture_release_probes *p)
{
	_cleanup_(tracefs_freep) struct tracefs *fs = NULL;
	_cleanup_(diag_done) struct diag ignored = { 0 };

	p->is_read = true;
	if (tracefs_open(NULL, &fs, &ignored) >= 0)
		tracefs_probes(fs, &p->names);
}

static bool is_probe(struct capture_release_probes *p, const struct event *e)
{
	if (e->attr.type != PERF_TYPE_TRACEPOINT || !e->system || !e->tracepoint)
		return false;
	if (!p->is_read)
		release_read_probes(p);

	_cleanup_(freep) char *name = xasprintf("%s:%s", e->system, e->tracepoint);

	return name_list_contains(&p->names, name);
}

void release_events(struct opened_events *es, size_t slow_max)
{
	_cleanup_(release_probes_done) struct capture_release_probes probes = { 0 };
	_cleanup_(fds_done) struct fds f = { 0 };
	_cleanup_(closep) int keeper = -1;

	for (size_t i = 0; i < es->n; i++)
		if (is_probe(&probes, es->items[i].event))
			opened_event_close(&es->items[i]);
	for (size_t i = 0; i < es->n; i++)
		add_fds(&f, &es->items[i]);
	if (f.slow > slow_max)
		keeper = release_hand_over(&f);
	opened_events_close(es);
}
