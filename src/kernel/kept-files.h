/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files that recorded processes have mapped, kept open while they are recorded.
 *
 * When a recording ends, and already when a stack is unwound, the process may be gone, its
 * container with it, and its program may have been built anew. So each file is opened when a
 * mapping of it is first seen. Files are known by device and inode, or by the build-id that the
 * kernel read. Their number and total size are bounded, as an open file keeps its space on the
 * disk. Any thread may call.
 */
#include <stdint.h>

#include "base/cleanup.h"
#include "base/file-id.h"

struct build_id;
struct kept_files;
struct mapping;

struct kept_files *kept_files_new(void);
void kept_files_free(struct kept_files *k);
DEFINE_FREEP(kept_files)

/* A process forked another, which may be gone when its maps are seen: they share their files. */
void kept_files_forked(struct kept_files *k, int pid, int ppid);

/* Opens the file of @m, unless it is kept already, through its process or one that forked it. */
void kept_files_see(struct kept_files *k, const struct mapping *m);

/*
 * Keeps the BPF program @id loaded, so that its code can be read when the recording ends, though
 * nobody else may use it any more then.
 */
void kept_files_see_program(struct kept_files *k, uint32_t id);

/*
 * The descriptor of the file @id, which stays that of @k. -ENOENT: it is not kept; -ESTALE: it was
 * written to since it was first seen, so its contents are not what ran.
 */
int kept_files_find(struct kept_files *k, const struct file_id *id);

/* The same of the file that was mapped with the build-id @id. Its contents are not checked. */
int kept_files_find_build(struct kept_files *k, const struct build_id *id);
