/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/graph-work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "base/number.h"
#include "tools/ftrace/request-work.h"
#include "tools/ftrace/run-work.h"
#include "tools/ftrace/trace-dir-work.h"

/* 128 pages of 64 KB: the maximum of the kernel's buffer_subbuf_size_kb. */
#define PAGE_MAX (8 << 20)

/* This number of pages of each CPU is taken before signals are checked. */
#define PAGES_AT_ONCE 1024

struct ftrace_graph_reading {
	const char *tracing;
	struct graph_layout layout;
	const struct graph_listener *listener;
	struct graph_counts counts;
	int epoll;
	struct {
		int *items;
		size_t n, room;
	} fds; /* one for each CPU */
	size_t page_size;
	void *page;
};

/* Reads the formats from the tracing directory, because instances do not have them. */
static int read_layout(const char *tracing, struct graph_layout *ret, struct diag *diag)
{
	_cleanup_(freep) char *entry = NULL, *exit = NULL;
	struct trace_dir d = TRACE_DIR_NONE;
	int r = trace_dir_open(tracing, &d);

	if (r >= 0)
		r = trace_dir_read(&d, "events/ftrace/funcgraph_entry/format", &entry);
	if (r >= 0)
		r = trace_dir_read(&d, "events/ftrace/funcgraph_exit/format", &exit);
	trace_dir_close(&d);
	if (r < 0)
		return diag_set(diag, r,
				"cannot read the format of function_graph's records in %s: %s",
				tracing, strerror(-r));
	return graph_layout_parse(entry, exit, ret, diag);
}

/*
 * Returns the page size. The kernel returns one page of the buffer at a time, which may be larger
 * than the machine's pages.
 */
static size_t ftrace_graph_page_size(const struct trace_dir *dir)
{
	_cleanup_(freep) char *text = NULL;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t kb;

	if (trace_dir_read_line(dir, "buffer_subbuf_size_kb", &text) >= 0 &&
	    number_parse(text, &kb) >= 0 && kb <= PAGE_MAX / 1024 && kb * 1024 > size)
		size = (size_t)kb * 1024;
	return size;
}

static int open_cpu(struct ftrace_graph_reading *r, const struct trace_dir *dir, const char *cpu)
{
	_cleanup_(freep) char *file = xasprintf("per_cpu/%s/trace_pipe_raw", cpu);
	struct epoll_event event = { .events = EPOLLIN };
	int fd = trace_dir_open_reader(dir, file);

	if (fd < 0)
		return fd;
	*ARRAY_ADD(&r->fds) = fd;
	return epoll_ctl(r->epoll, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int ftrace_graph_begin(void *arg, const struct trace_dir *dir, int *ret_fd,
			      struct diag *diag)
{
	struct ftrace_graph_reading *r = arg;
	struct name_list cpus = { 0 };
	int error = read_layout(r->tracing, &r->layout, diag);

	if (error < 0)
		return error;
	error = name_list_read(dir->fd, "per_cpu", true, &cpus);
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll < 0)
		error = -errno;
	for (size_t i = 0; i < cpus.n && error >= 0; i++)
		error = open_cpu(r, dir, cpus.items[i]);
	name_list_done(&cpus);
	if (error < 0)
		return diag_set(diag, error, "cannot read the trace in %s: %s", dir->path,
				strerror(-error));
	r->page_size = ftrace_graph_page_size(dir);
	r->page = xmalloc(r->page_size);
	*ret_fd = r->epoll;
	return 0;
}

/* Takes pages of one CPU. Returns > 0 if there may be more. */
static int ftrace_graph_take_cpu(struct ftrace_graph_reading *r, int fd)
{
	for (int i = 0; i < PAGES_AT_ONCE; i++) {
		ssize_t n = read(fd, r->page, r->page_size);

		if (n <= 0)
			return n == 0 || errno == EAGAIN || errno == EINTR ? 0 : -errno;
		graph_page_take(&r->layout, r->page, (size_t)n, r->listener, &r->counts);
	}
	return 1;
}

static int ftrace_graph_take(void *arg)
{
	struct ftrace_graph_reading *r = arg;
	int more = 0, error = 0;

	for (size_t i = 0; i < r->fds.n && error >= 0; i++) {
		error = ftrace_graph_take_cpu(r, r->fds.items[i]);
		more |= error > 0;
	}
	return error < 0 ? error : more;
}

static void ftrace_graph_end(void *arg)
{
	struct ftrace_graph_reading *r = arg;

	for (size_t i = 0; i < r->fds.n; i++)
		close(r->fds.items[i]);
	free(r->fds.items);
	free(r->page);
	closep(&r->epoll);
}

static void ftrace_graph_note_counts(const struct graph_counts *c, bool verbose,
				     struct notes *notes)
{
	if (c->lost || c->lost_gaps) {
		struct diag d = { 0 };

		diag_set(&d, 0,
			 "%s%" PRIu64 " records were lost: the calls they were of are missing",
			 c->lost_gaps ? "more than " : "", c->lost);
		diag_hint(&d, "A larger buffer (-m 16M), or fewer functions (-T, -G, --graph-opts "
			      "depth=3), may help.");
		notes_take(notes, NOTE_WARNING, &d);
	}
	if (c->damaged)
		notes_add(notes, NOTE_WARNING, "%" PRIu64 " pages of the kernel make no sense",
			  c->damaged);
	if (verbose && c->entries > c->calls)
		notes_add(notes, NOTE_DETAIL, "%" PRIu64 " calls had not returned at the end",
			  c->entries - c->calls);
}

int ftrace_graph_run(const struct ftrace_request *rq, const struct graph_listener *listener,
		     struct notes *notes, struct diag *diag)
{
	struct ftrace_graph_reading reading = { .tracing = rq->tracing,
						.listener = listener,
						.epoll = -1 };
	const struct ftrace_reader reader = { ftrace_graph_begin, ftrace_graph_take,
					      ftrace_graph_end, &reading };
	int r = ftrace_run(rq, &reader, notes, diag);

	if (r >= 0)
		ftrace_graph_note_counts(&reading.counts, rq->verbose, notes);
	return r;
}
