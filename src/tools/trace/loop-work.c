/* SPDX-License-Identifier: MIT */
#include "tools/trace/loop-work.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/id-list.h"
#include "base/memory.h"
#include "kernel/proc-task.h"

/* An fdinfo file has a few lines, and the relevant links are short. */
#define FDINFO_MAX 4096
#define LINK_CHARS 64

/* A channel for bytes, which another process reads at its other end. */
enum channel_kind {
	CHANNEL_NONE,
	CHANNEL_PIPE, /* number: its inode */
	CHANNEL_PTY,  /* number: its index, as in /dev/pts/N */
};

struct channel {
	enum channel_kind kind;
	uint64_t number;
};

/* A descriptor of a process that is an end of a channel. */
struct end {
	int pid;
	struct channel channel;
	bool writes; /* the end for writing; else the end for reading */
};

struct ends {
	struct end *items;
	size_t n, room;
};

static bool trace_loop_same(struct channel a, struct channel b)
{
	return a.kind == b.kind && a.number == b.number;
}

static uint64_t number_behind(const char *text, const char *word)
{
	return strtoull(text + strlen(word), NULL, 10);
}

/* Returns the terminal of which the descriptor @fd is the master: "tty-index:\t3" in its fdinfo. */
static struct channel master_of(int process, const char *fd)
{
	_cleanup_(freep) char *path = xasprintf("fdinfo/%s", fd), *text = NULL;
	const char *at = file_read(process, path, FDINFO_MAX, &text, NULL) < 0
				 ? NULL
				 : strstr(text, "tty-index:");

	return at ? (struct channel){ CHANNEL_PTY, number_behind(at, "tty-index:") }
		  : (struct channel){ 0 };
}

/* Returns the channel that the link of a descriptor names: "pipe:[123]", "/dev/pts/3". */
static struct channel trace_loop_channel_of(const char *link)
{
	if (!strncmp(link, "pipe:[", 6))
		return (struct channel){ CHANNEL_PIPE, number_behind(link, "pipe:[") };
	if (!strncmp(link, "/dev/pts/", 9) && link[9] >= '0' && link[9] <= '9')
		return (struct channel){ CHANNEL_PTY, number_behind(link, "/dev/pts/") };
	return (struct channel){ 0 };
}

static bool is_master(const char *link)
{
	return !strcmp(link, "/dev/ptmx") || !strcmp(link, "/dev/pts/ptmx");
}

/* Adds an end. The mode of the link in /proc shows how the descriptor was opened. */
static void trace_loop_add_end(struct ends *l, int pid, int process, int dir, const char *fd)
{
	char link[LINK_CHARS] = "";
	struct channel c;
	struct stat st;
	bool master;

	if (readlinkat(dir, fd, link, sizeof(link) - 1) < 0 ||
	    fstatat(dir, fd, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	master = is_master(link);
	c = master ? master_of(process, fd) : trace_loop_channel_of(link);
	if (c.kind == CHANNEL_NONE)
		return;
	if (master || (c.kind == CHANNEL_PIPE && st.st_mode & S_IRUSR))
		*ARRAY_ADD(l) = (struct end){ .pid = pid, .channel = c };
	if (!master && st.st_mode & S_IWUSR)
		*ARRAY_ADD(l) = (struct end){ .pid = pid, .channel = c, .writes = true };
}

static void trace_loop_add_process(struct ends *l, struct proc *p, int pid)
{
	_cleanup_(freep) char *name = xasprintf("%d", pid);
	_cleanup_(closep) int process = openat(p->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = process < 0 ? -1 : openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			trace_loop_add_end(l, pid, process, fd, e->d_name);
}

static void trace_loop_find_ends(struct ends *l, const char *root)
{
	struct proc_ids processes = { 0 };
	struct proc p;

	proc_init(&p, root);
	if (proc_processes(&p, &processes) >= 0)
		for (size_t i = 0; i < processes.n; i++)
			trace_loop_add_process(l, &p, processes.items[i]);
	proc_ids_done(&processes);
	proc_done(&p);
}

static bool trace_loop_has(const struct id_list *l, int pid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i] == pid)
			return true;
	return false;
}

/* Adds the processes that read the data written into @c. */
static void add_takers(struct id_list *l, const struct ends *ends, struct channel c)
{
	for (size_t i = 0; i < ends->n; i++) {
		const struct end *e = &ends->items[i];

		if (!e->writes && trace_loop_same(e->channel, c) && !trace_loop_has(l, e->pid))
			*ARRAY_ADD(l) = e->pid;
	}
}

static struct channel channel_of_fd(int fd)
{
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	char link[LINK_CHARS] = "";

	if (readlink(path, link, sizeof(link) - 1) < 0)
		return (struct channel){ 0 };
	return trace_loop_channel_of(link);
}

void trace_loop_find(const char *root, const int *fds, size_t n, struct id_list *ret)
{
	struct ends ends = { 0 };
	size_t next = ret->n + 1;

	trace_loop_find_ends(&ends, root);
	*ARRAY_ADD(ret) = getpid();
	for (size_t i = 0; i < n; i++)
		add_takers(ret, &ends, channel_of_fd(fds[i]));
	/*
	 * Our other descriptors are not relevant, but the other processes may pass the data on with
	 * any of theirs.
	 */
	for (; next < ret->n; next++)
		for (size_t i = 0; i < ends.n; i++)
			if (ends.items[i].pid == ret->items[next] && ends.items[i].writes)
				add_takers(ret, &ends, ends.items[i].channel);
	free(ends.items);
}
