/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The file behind a mapping of a process: the one with the mapping's device and inode, not any file
 * at that path here.
 *
 * A process in a container (another mount namespace or root directory) has files of its own, and a
 * file that was deleted or replaced can be reached through the processes that have it mapped. Both
 * are possible only while such a process exists.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/build-id.h"
#include "base/file-id.h"

struct mapping {
	int pid;             /* a process that has it mapped; 0: none that can be used */
	const char *path;    /* the path that this process sees; " (deleted)" may follow */
	uint64_t start, end; /* addresses of the mapping; 0, 0: not known */
	struct file_id file;
	struct build_id build_id; /* for a map that has a build-id instead; size 0: not known */
};

/*
 * True if the name of a mapping shows that there is no file behind it, so that code in it is JIT
 * code. A memfd is included, though it may contain a program.
 */
bool mapping_is_anonymous(const char *name);

enum file_match {
	FILE_MATCH_OTHER,
	FILE_MATCH_UNKNOWN, /* the file system shows other numbers than the kernel records */
	FILE_MATCH_SAME,
};

/* Compares the open file @fd with @id. Without a device in @id any device matches. */
enum file_match file_match(int fd, const struct file_id *id);

/*
 * Opens the file of @m for reading: at its path, or through the process. The path by which it was
 * found goes to *@ret_path, for the caller to free, unless that is NULL. -ESTALE: its path leads
 * to another file; -ENOENT: to none; or another error of open().
 */
int mapped_file_open(const struct mapping *m, char **ret_path);
