/* SPDX-License-Identifier: MIT */
#include "kernel/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernel/mounts.h"

#define TRACEFS_DEFAULT "/sys/kernel/tracing"

/* The longest formats (of system calls with many flags) have some 20 KiB. */
#define FORMAT_SIZE_MAX (1 << 20)

/* Enough for some thousand probes. */
#define PROBES_SIZE_MAX (16 << 20)

struct tracefs {
	char *path;
	int events_fd; /* descriptor of PATH/events */
	int refused;   /* error for which no directory can be opened: a negative errno, or 0 */
};

void tracefs_free(struct tracefs *t)
{
	if (!t)
		return;
	closep(&t->events_fd);
	free(t->path);
	free(t);
}

const char *tracefs_path(const struct tracefs *t)
{
	return t->path;
}

/* Returns the descriptor of @path/events, or a negative errno. */
static int tracefs_open_events(const char *path)
{
	_cleanup_(freep) char *events = xasprintf("%s/events", path);
	int fd = open(events, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* True for errors that do not depend on the place: another place would fail in the same way. */
static bool is_shortage(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOMEM;
}

/*
 * Tries @path, and takes ownership of it, unless an earlier place was already found. A place that
 * exists but is closed to us is remembered in @t, because it is a better explanation than a missing
 * one.
 */
static void try_place(struct tracefs *t, char *path)
{
	_cleanup_(freep) char *place = path;

	if (!place || t->events_fd >= 0)
		return;

	int fd = tracefs_open_events(place);

	if (is_shortage(fd))
		t->refused = fd;
	if (fd < 0 && (fd != -EACCES || t->path))
		return;
	free(t->path);
	t->path = TAKE(place);
	t->events_fd = fd < 0 ? -1 : fd;
}

static void try_below(struct tracefs *t, const char *debugfs)
{
	if (debugfs)
		try_place(t, xasprintf("%s/tracing", debugfs));
}

static void try_mounts(struct tracefs *t)
{
	_cleanup_(freep) char *mounts = mounts_read();
	_cleanup_(freep) char *debugfs = mounts_find(mounts, "debugfs", NULL);

	try_place(t, mounts_find(mounts, "tracefs", NULL));
	try_below(t, debugfs);
}

static void tracefs_find_place(struct tracefs *t)
{
	const char *own = getenv("PERF_DEBUGFS_DIR");

	if (own && *own) {
		try_place(t, xstrdup(own));
		try_below(t, own);
	}
	try_place(t, xstrdup(TRACEFS_DEFAULT));
	try_below(t, "/sys/kernel/debug");
	if (t->events_fd < 0 && !t->path)
		try_mounts(t);
	if (t->events_fd < 0 && !t->path && !t->refused && geteuid() == 0 &&
	    mount("tracefs", TRACEFS_DEFAULT, "tracefs", 0, NULL) == 0)
		try_place(t, xstrdup(TRACEFS_DEFAULT));
}

static int explain_closed(const char *path, struct diag *diag)
{
	diag_set(diag, -EACCES, "tracepoints in %s are readable by root only", path);
	/*
	 * Not mode=755: newer kernels restrict the files inside to root and their group even then.
	 */
	diag_hint(diag,
		  "run as root, or let your group in: "
		  "sudo mount -o remount,mode=750,gid=$(id -g) %s",
		  path);
	return -EACCES;
}

static int tracefs_explain_missing(struct diag *diag)
{
	if (access(TRACEFS_DEFAULT, F_OK) == 0) {
		diag_set(diag, -ENOENT, "tracefs is not mounted, so there are no tracepoints");
		diag_hint(diag, "mount it: sudo mount -t tracefs tracefs " TRACEFS_DEFAULT);
	} else {
		diag_set(diag, -ENOENT,
			 "this kernel has no tracepoints (it has no " TRACEFS_DEFAULT ")");
		diag_hint(diag,
			  "tracepoints need a kernel with CONFIG_TRACING and "
			  "CONFIG_EVENT_TRACING; in a container, mount tracefs from the host");
	}
	return -ENOENT;
}

int tracefs_open(const char *path, struct tracefs **ret, struct diag *diag)
{
	_cleanup_(tracefs_freep) struct tracefs *t = xcalloc(1, sizeof(*t));

	t->events_fd = -1;
	if (path)
		try_place(t, xstrdup(path));
	else
		tracefs_find_place(t);
	if (t->events_fd < 0 && t->refused)
		return diag_set(diag, t->refused, "cannot look for tracepoints: %s",
				strerror(-t->refused));
	if (t->events_fd < 0 && t->path)
		return explain_closed(t->path, diag);
	if (t->events_fd < 0 && path)
		return diag_set(diag, -ENOENT, "%s is not a tracing directory", path);
	if (t->events_fd < 0)
		return tracefs_explain_missing(diag);
	*ret = TAKE(t);
	return 0;
}

int tracefs_explain_denied(const struct tracefs *t, struct diag *diag)
{
	return explain_closed(t->path, diag);
}

int tracefs_systems(const struct tracefs *t, struct name_list *ret)
{
	return name_list_read(t->events_fd, ".", true, ret);
}

/* True if @s is a name. Names come from the user: none may lead out of the directory. */
static bool is_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

/*
 * Drops events without an id. The internal events of ftrace/ have a format but no id, and
 * perf_event_open() does not support them. All other events have one, and checking would cost a
 * call for each of two thousand.
 */
static void drop_without_id(const struct tracefs *t, const char *system, struct name_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s/id", system, l->items[i]);

		if (faccessat(t->events_fd, path, F_OK, 0) == 0)
			l->items[kept++] = l->items[i];
		else
			free(l->items[i]);
	}
	l->n = kept;
}

int tracefs_events(const struct tracefs *t, const char *system, struct name_list *ret)
{
	if (!is_name(system))
		return -ENOENT;

	int r = name_list_read(t->events_fd, system, true, ret);

	if (r == -ENOTDIR)
		return -ENOENT;
	if (r >= 0 && strcmp(system, "ftrace") == 0)
		drop_without_id(t, system, ret);
	return r;
}

static char *event_path(const char *system, const char *name, const char *file)
{
	if (!is_name(system) || !is_name(name))
		return NULL;
	return xasprintf("%s/%s/%s", system, name, file);
}

int tracefs_event_id(const struct tracefs *t, const char *system, const char *name, uint64_t *ret)
{
	_cleanup_(freep) char *path = event_path(system, name, "id");
	_cleanup_(freep) char *line = NULL;

	if (!path)
		return -ENOENT;

	int r = file_read_line(t->events_fd, path, &line);

	if (r < 0)
		return r == -ENOTDIR ? -ENOENT : r;
	return number_parse(line, ret);
}

int tracefs_event_format(const struct tracefs *t, const char *system, const char *name, char **ret)
{
	_cleanup_(freep) char *path = event_path(system, name, "format");

	if (!path)
		return -ENOENT;

	int r = file_read(t->events_fd, path, FORMAT_SIZE_MAX, ret, NULL);

	return r == -ENOTDIR ? -ENOENT : r;
}

/* Adds the probe of a line: "p:SYSTEM/NAME WHERE ..." or "r16:SYSTEM/NAME WHERE ...". */
static void tracefs_add_probe(struct name_list *l, const char *line)
{
	size_t n = strcspn(line, " "), colon = strcspn(line, ":");

	if (colon >= n)
		return;

	_cleanup_(freep) char *name = xstrndup(line + colon + 1, n - colon - 1);
	char *slash = strchr(name, '/');

	if (!slash)
		return;
	*slash = ':';
	name_list_add(l, name);
}

int tracefs_probes(const struct tracefs *t, struct name_list *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/dynamic_events", t->path), *text = NULL;
	int r = file_read(AT_FDCWD, path, PROBES_SIZE_MAX, &text, NULL);
	char *rest = text;

	if (r < 0)
		return r;
	*ret = (struct name_list){ 0 };
	for (char *line; (line = strsep(&rest, "\n"));)
		tracefs_add_probe(ret, line);
	name_list_sort(ret);
	return 0;
}
