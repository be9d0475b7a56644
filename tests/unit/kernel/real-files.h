/* SPDX-License-Identifier: MIT */
#pragma once
/* Files in a test's directory, and processes that have them mapped. */
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file-id.h"
#include "base/memory.h"
#include "fake-tree.h"

/* Writes @text to DIR/NAME, as a new file. */
static inline char *real_file(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f;

	unlink(path);
	f = fopen(path, "w");
	if (!f || fputs(text, f) == EOF || fclose(f) == EOF)
		abort();
	return path;
}

static inline struct file_id real_id(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		abort();
	return (struct file_id){ major(st.st_dev), minor(st.st_dev), st.st_ino, 0 };
}

/* True if the file @fd begins with @text. Closes @fd. */
static inline bool real_begins(int fd, const char *text)
{
	char got[64] = "";
	ssize_t n = fd < 0 ? -1 : pread(fd, got, sizeof(got) - 1, 0);

	if (fd >= 0)
		close(fd);
	return n >= 0 && !strncmp(got, text, strlen(text));
}

/* A process that lives until its input ends. */
struct real_process {
	pid_t pid;
	int input;
	void *map; /* the mapped file, at this address in the process */
};

/*
 * Starts a process that has @path mapped. If @inside is given, the process has a mount namespace of
 * its own, in which @over shows @inside. The map is NULL if that is not allowed here.
 */
static inline struct real_process real_process_begin(const char *path, const char *inside,
						     const char *over)
{
	struct real_process p = { 0 };
	int in[2], out[2];

	if (pipe(in) < 0 || pipe(out) < 0)
		abort();
	p.pid = fork();
	if (p.pid == 0) {
		char end;
		void *map = NULL;
		int fd;

		close(in[1]);
		if (!inside || (unshare(CLONE_NEWNS) == 0 &&
				mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
				mount(inside, over, NULL, MS_BIND, NULL) == 0)) {
			fd = open(path, O_RDONLY);
			map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
			close(fd);
			map = map == MAP_FAILED ? NULL : map;
		}
		if (write(out[1], &map, sizeof(map)) < 0 || read(in[0], &end, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(in[0]);
	close(out[1]);
	p.input = in[1];
	if (read(out[0], &p.map, sizeof(p.map)) != sizeof(p.map))
		p.map = NULL;
	close(out[0]);
	return p;
}

static inline void real_process_end(struct real_process *p)
{
	close(p->input);
	waitpid(p->pid, NULL, 0);
}
