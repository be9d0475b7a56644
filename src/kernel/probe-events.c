/* SPDX-License-Identifier: MIT */
#include "kernel/probe-events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/probe-refusal.h"
#include "kernel/tracefs.h"

/* Some ten thousand probes: more than a kernel accepts in an hour. */
#define EVENTS_SIZE_MAX (64 << 20)

/* WRITE_BUFSIZE of kernel/trace/trace.c: one command has to fit. */
#define LINE_MAX_BYTES 4096

struct probe_events {
	struct tracefs *tracefs;
	enum probe_events_kind kind;
	int fd; /* for writing, or -1 */
	char *path;
	struct refusal_texts texts;
};

void probe_events_free(struct probe_events *e)
{
	if (!e)
		return;
	closep(&e->fd);
	refusal_texts_done(&e->texts);
	free(e->path);
	free(e);
}

static const char *probe_events_file_name(enum probe_events_kind kind)
{
	return kind == PROBE_EVENTS_USER ? "uprobe_events" : "kprobe_events";
}

static int explain_open(const struct probe_events *e, int error, struct diag *diag)
{
	const char *name = probe_events_file_name(e->kind);

	if (error == ENOENT) {
		diag_set(diag, -ENOENT,
			 "%s file does not exist - please rebuild kernel with CONFIG_%s", name,
			 e->kind == PROBE_EVENTS_USER ? "UPROBE_EVENTS" : "KPROBE_EVENTS");
		diag_hint(diag, "this kernel cannot probe %s",
			  e->kind == PROBE_EVENTS_USER ? "programs" : "its own functions");
	} else if (error == EPERM) {
		diag_set(diag, -EPERM, "cannot open %s: the kernel is locked down", e->path);
		diag_hint(diag, "secure boot or lockdown= on its command line forbids tracing; "
				"see /sys/kernel/security/lockdown");
	} else if (error == EACCES) {
		diag_set(diag, -EACCES, "cannot open %s: only root may", e->path);
		diag_hint(diag, "run it as root (sudo perf probe ...)");
	} else {
		diag_set(diag, -error, "cannot open %s: %s", e->path, strerror(error));
	}
	return -error;
}

int probe_events_open(struct tracefs *t, enum probe_events_kind kind, bool writable,
		      struct probe_events **ret, struct diag *diag)
{
	_cleanup_(probe_events_freep) struct probe_events *e = xcalloc(1, sizeof(*e));

	*e = (struct probe_events){ .tracefs = t, .kind = kind, .fd = -1 };
	e->path = xasprintf("%s/%s", tracefs_path(t), probe_events_file_name(kind));
	if (access(e->path, writable ? W_OK : R_OK) < 0)
		return explain_open(e, errno, diag);
	/* Never O_TRUNC, because that removes all existing probes. */
	if (writable) {
		e->fd = open(e->path, O_WRONLY | O_APPEND | O_CLOEXEC);
		if (e->fd < 0)
			return explain_open(e, errno, diag);
	}
	*ret = TAKE(e);
	return 0;
}

int probe_events_read(struct probe_events *e, struct name_list *ret)
{
	_cleanup_(freep) char *all = NULL;
	_cleanup_(name_list_done) struct name_list lines = { 0 };
	int r = file_read(AT_FDCWD, e->path, EVENTS_SIZE_MAX, &all, NULL);
	char *rest = all;
	char *line;

	if (r < 0)
		return r;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			name_list_add(&lines, line);
	*ret = lines;
	lines = (struct name_list){ 0 };
	return 0;
}

static int explain_write(struct probe_events *e, const char *line, int error, struct diag *diag)
{
	_cleanup_(probe_refusal_done) struct probe_refusal r = {
		.error = error,
		.line = line,
		.is_user = e->kind == PROBE_EVENTS_USER,
	};

	probe_refusal_gather(e->tracefs, "", &e->texts, &r);
	return probe_refusal_explain(&r, diag);
}

int probe_events_try(struct probe_events *e, const char *line)
{
	_cleanup_(freep) char *command = xasprintf("%s\n", line);
	size_t n = strlen(command);

	/* The kernel would read the beginning as one command and the rest as another. */
	if (n >= LINE_MAX_BYTES)
		return -E2BIG;
	errno = EIO;
	return write(e->fd, command, n) == (ssize_t)n ? 0 : -errno;
}

int probe_events_write(struct probe_events *e, const char *line, struct diag *diag)
{
	int r = probe_events_try(e, line);

	if (r == -E2BIG && strlen(line) + 1 >= LINE_MAX_BYTES)
		return diag_set(diag, r,
				"the definition has %zu characters, and the kernel takes %d",
				strlen(line), LINE_MAX_BYTES - 2);
	return r < 0 ? explain_write(e, line, -r, diag) : 0;
}
