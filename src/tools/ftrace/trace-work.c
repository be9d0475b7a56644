/* SPDX-License-Identifier: MIT */
/* Reads the text of a tracer from trace_pipe. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/ftrace/ftrace-work.h"
#include "tools/ftrace/run-work.h"
#include "tools/ftrace/trace-dir-work.h"

/* The size of a read. The kernel gives a page at a time. */
#define CHUNK 65536

/* The number of chunks that are taken before signals are checked. */
#define CHUNKS_AT_ONCE 64

struct ftrace_trace_reading {
	int (*text)(void *arg, const char *bytes, size_t n);
	void *arg;
	int fd;
	char chunk[CHUNK];
};

/*
 * Prints the header. While nothing is traced, the file `trace` contains only the header of the
 * tracer.
 */
static int ftrace_trace_begin(void *arg, const struct trace_dir *dir, int *ret_fd,
			      struct diag *diag)
{
	struct ftrace_trace_reading *r = arg;
	_cleanup_(freep) char *header = NULL;
	int error = trace_dir_read(dir, "trace", &header);

	if (error >= 0)
		error = r->fd = trace_dir_open_reader(dir, "trace_pipe");
	if (error < 0)
		return diag_set(diag, error, "cannot read the trace in %s: %s", dir->path,
				strerror(-error));
	*ret_fd = r->fd;
	return r->text(r->arg, header, strlen(header));
}

static int ftrace_trace_take(void *arg)
{
	struct ftrace_trace_reading *r = arg;

	for (int i = 0; i < CHUNKS_AT_ONCE; i++) {
		ssize_t n = read(r->fd, r->chunk, sizeof(r->chunk));
		int error = n > 0 ? r->text(r->arg, r->chunk, (size_t)n) : 0;

		if (error < 0)
			return error;
		if (n <= 0)
			return n == 0 || errno == EAGAIN || errno == EINTR ? 0 : -errno;
	}
	return 1;
}

static void ftrace_trace_end(void *arg)
{
	struct ftrace_trace_reading *r = arg;

	closep(&r->fd);
	r->fd = -1;
}

int ftrace_trace(const struct ftrace_request *rq,
		 int (*text)(void *arg, const char *bytes, size_t n), void *arg,
		 struct notes *notes, struct diag *diag)
{
	struct ftrace_trace_reading reading = { .text = text, .arg = arg, .fd = -1 };
	const struct ftrace_reader reader = { ftrace_trace_begin, ftrace_trace_take,
					      ftrace_trace_end, &reading };

	return ftrace_run(rq, &reader, notes, diag);
}
