/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The file behind a mapping of a process: not whatever has its path here, but the one with its
 * device and inode.
 *
 * A process in a container (another mount namespace or root directory) has files of its own, and a
 * file that was deleted or replaced can be reached through the processes that have it mapped. Both
 * only while such a process is there.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/build-id.h"
#include "base/file-id.h"

struct mapping {
	int pid;             /* who has it mapped; 0: nobody who can be asked */
	const char *path;    /* as that process sees it; " (deleted)" may stand behind */
	uint64_t start, end; /* where it is mapped; 0, 0: not known */
	struct file_id file;
	struct build_id build_id; /* of a map that has it instead; size 0: not known */
};

/*
 * Whether the name of a mapping says that there is no file behind it, so that code in it is JIT
 * code. A memfd is counted among these, though it may hold a program.
 */
bool mapping_is_anonymous(const char *name);

enum file_match {
	FILE_MATCH_OTHER,
	FILE_MATCH_UNKNOWN, /* the file system shows other numbers than the kernel records */
	FILE_MATCH_SAME,
};

/* Whether the open file @fd is @id. Without a device in @id it may be on any. */
enum file_match file_match(int fd, const struct file_id *id);

/*
 * Opens the file of @m for reading: at its path, or through the process. The path by which it was
 * found goes to *@ret_path, for the caller to free, unless that is NULL. -ESTALE: its path leads
 * to another file; -ENOENT: to none; or another error of open().
 */
int mapped_file_open(const struct mapping *m, char **ret_path);
