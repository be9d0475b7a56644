/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Opens the files in which JIT compilers name their code: /tmp/perf-PID.map and jit-PID.dump.
 *
 * They are often in directories to which every user may write, so any user could invent names for
 * the code of others. A file is read if it belongs to root, to the reading user (the effective
 * one), or to the user of the process, which is known only while the process runs. A symbolic link
 * is followed if the link itself belongs to one of them. Anything but a regular file is refused,
 * and opening a FIFO does not wait for its other end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The owners whose files are read. */
struct jit_trust {
	int32_t pid;    /* the process of the code; 0: not of this machine */
	bool any_owner; /* read files of all users */
};

/* An open file; or, with @fd below 0, none. */
struct jit_file {
	int fd;
	size_t size;   /* when it was opened */
	char *path;    /* the path at which it was found */
	char *refusal; /* why its owner is not trusted: "it belongs to ..."; or NULL */
};

#define JIT_FILE_NONE ((struct jit_file){ .fd = -1 })

/*
 * Opens @path for reading. -EPERM: its owner is not trusted, and only @ret->refusal is set.
 * -EINVAL: it is no regular file. Otherwise the error of open().
 */
int jit_file_open(const char *path, const struct jit_trust *trust, struct jit_file *ret);

/*
 * Does the same for the file that has the path @path for the process of @trust: if the process is
 * in a container, this is the file in the container, if there is one. With @symfs, it is the file
 * below that.
 */
int jit_file_find(const char *path, const char *symfs, const struct jit_trust *trust,
		  struct jit_file *ret);

void jit_file_done(struct jit_file *f);
