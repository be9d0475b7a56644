/* SPDX-License-Identifier: MIT */
#include "kernel/proc-task.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/number.h"

/*
 * Enough for a process with 65,530 maps (vm.max_map_count), each with a long name. A longer text is
 * cut off after the last whole line.
 */
#define MAPS_MAX (32U << 20)

#define PATH_ROOM 64

void proc_init(struct proc *p, const char *root)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc", root);

	*p = (struct proc){ .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
}

void proc_done(struct proc *p)
{
	closep(&p->fd);
	free(p->buffer);
	*p = (struct proc){ .fd = -1 };
}

void proc_ids_done(struct proc_ids *ids)
{
	free(ids->items);
	*ids = (struct proc_ids){ 0 };
}

static int proc_task_read_file(struct proc *p, const char *path, size_t *ret_length)
{
	_cleanup_(closep) int fd = openat(p->fd, path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;

	if (fd < 0)
		return -errno;
	for (;;) {
		p->buffer = array_reserve(p->buffer, &p->room, length + (64U << 10), 1);
		ssize_t n = read(fd, p->buffer + length, p->room - length - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		length += (size_t)n;
		if (n == 0 || length > MAPS_MAX)
			break;
	}
	p->buffer[length] = '\0';
	*ret_length = length;
	return 0;
}

/* Returns the rest of the line that begins with @key, or NULL. */
static const char *proc_task_field(const char *status, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = status; line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (!strncmp(line, key, n))
			return line + n + strspn(line + n, "\t ");
	return NULL;
}

/*
 * Copies a name. The kernel writes a newline and a backslash as \n and \\ here (proc_task_name()).
 */
static void copy_comm(char *to, size_t room, const char *from)
{
	size_t n = 0;

	for (; *from && *from != '\n' && n + 1 < room; from++) {
		if (from[0] == '\\' && (from[1] == '\\' || from[1] == 'n'))
			to[n++] = *++from == 'n' ? '\n' : '\\';
		else
			to[n++] = *from;
	}
	to[n] = '\0';
}

int proc_task_read(struct proc *p, pid_t tid, struct proc_task *ret)
{
	const char *name, *tgid, *ppid, *threads;
	char path[PATH_ROOM];
	size_t length;

	snprintf(path, sizeof(path), "%d/status", (int)tid);
	int r = proc_task_read_file(p, path, &length);
	if (r < 0)
		return r;
	name = proc_task_field(p->buffer, "Name:");
	tgid = proc_task_field(p->buffer, "Tgid:");
	ppid = proc_task_field(p->buffer, "PPid:");
	threads = proc_task_field(p->buffer, "Threads:");
	if (!name || !tgid || !ppid)
		return -EBADMSG;
	ret->tgid = (pid_t)strtol(tgid, NULL, 10);
	ret->ppid = (pid_t)strtol(ppid, NULL, 10);
	ret->n_threads = threads ? strtoul(threads, NULL, 10) : 0;
	copy_comm(ret->comm, sizeof(ret->comm), name);
	return 0;
}

static int proc_task_ascending(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static int list_ids(struct proc *p, const char *path, struct proc_ids *ret)
{
	int fd = openat(p->fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct proc_ids ids = { 0 };
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		uint64_t id;

		if (number_parse(entry->d_name, &id) == 0 && id > 0 && id <= INT32_MAX)
			*ARRAY_ADD(&ids) = (pid_t)id;
	}
	if (ids.n)
		qsort(ids.items, ids.n, sizeof(ids.items[0]), proc_task_ascending);
	*ret = ids;
	return 0;
}

bool proc_task_is_gone(uint32_t pid)
{
	return pid && pid <= INT32_MAX && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

int proc_processes(struct proc *p, struct proc_ids *ret)
{
	return list_ids(p, ".", ret);
}

int proc_threads(struct proc *p, pid_t pid, struct proc_ids *ret)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%d/task", (int)pid);
	return list_ids(p, path, ret);
}

int proc_maps_read(struct proc *p, pid_t pid, const char **ret, size_t *ret_length)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "%d/maps", (int)pid);
	int r = proc_task_read_file(p, path, ret_length);
	if (r < 0)
		return r;
	while (*ret_length && p->buffer[*ret_length - 1] != '\n')
		--*ret_length;
	*ret = p->buffer;
	return 0;
}

int proc_namespaces_read(struct proc *p, pid_t tid, struct proc_namespace ret[PROC_NAMESPACES])
{
	static const char *const names[PROC_NAMESPACES] = {
		"net", "uts", "ipc", "pid", "user", "mnt", "cgroup",
	};
	char path[PATH_ROOM];
	struct stat st;

	snprintf(path, sizeof(path), "%d/ns", (int)tid);
	if (fstatat(p->fd, path, &st, 0) < 0)
		return -errno;
	for (size_t i = 0; i < PROC_NAMESPACES; i++) {
		ret[i] = (struct proc_namespace){ 0 };
		snprintf(path, sizeof(path), "%d/ns/%s", (int)tid, names[i]);
		if (fstatat(p->fd, path, &st, 0) == 0)
			ret[i] = (struct proc_namespace){ .dev = st.st_dev, .ino = st.st_ino };
	}
	return 0;
}
