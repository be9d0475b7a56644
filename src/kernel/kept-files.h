/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files that recorded processes have mapped, kept open while they are recorded.
 *
 * When a recording ends, and already when a stack is unwound, the process may be gone, its
 * container with it, and its program may have been built anew. So each file is opened when a
 * mapping of it is first seen. Files are known by device and inode, or by the build-id that the
 * kernel read. Their number and total size are bounded, as an open file keeps its space on the
 * disk: files that were not seen for long are let go, unless somebody was given them a moment
 * ago. Any thread may call.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/file-id.h"

struct bpf_program;
struct btf_blob;
struct build_id;
struct kept_files;
struct mapping;

struct kept_files *kept_files_new(void);
void kept_files_free(struct kept_files *k);
DEFINE_FREEP(kept_files)

/* At most @most files are open at a time, where that is less than usual. */
void kept_files_limit(struct kept_files *k, size_t most);

/* Keeps maps of JIT code of processes in containers, too: see kernel/kept-jit-maps.h. */
void kept_files_keep_jit_maps(struct kept_files *k);

/* A process forked another, which may be gone when its maps are seen: they share their files. */
void kept_files_forked(struct kept_files *k, int pid, int ppid);

/* Process @pid has ended. */
void kept_files_exited(struct kept_files *k, int pid);

/* Looks for maps of JIT code that were not there when the code was seen. To be called often. */
void kept_files_look_for_jit_maps(struct kept_files *k);

/*
 * The map of JIT code of process @pid, which is or was in a container: a descriptor that stays that
 * of @k. -ENOENT: none is kept.
 */
int kept_files_find_jit_map(struct kept_files *k, int pid);

/* The number of maps of JIT code that were let go to make room for others. */
size_t kept_files_jit_maps_let_go(struct kept_files *k);

/* Opens the file of @m, unless it is kept already, through its process or one that forked it. */
void kept_files_see(struct kept_files *k, const struct mapping *m);

/*
 * Copies what is to be recorded of the BPF program @id, which may be gone when the recording ends.
 * The program itself is not kept.
 */
void kept_files_see_program(struct kept_files *k, uint32_t id);
bool kept_files_has_programs(struct kept_files *k);

/* Calls @fn for all programs that were seen; their BTF may be empty. Both are borrowed. */
void kept_files_for_each_program(struct kept_files *k,
				 void (*fn)(void *arg, const struct bpf_program *p,
					    const struct btf_blob *btf),
				 void *arg);

/* For so long a descriptor that was given stays open: whoever wants it for longer opens it anew. */
#define KEPT_FILES_GIVEN_S 60

/*
 * The descriptor of the file @id, which stays that of @k, and open for a while. -ENOENT: it is
 * not kept; -ESTALE: it was written to since it was first seen, so its contents are not what ran.
 */
int kept_files_find(struct kept_files *k, const struct file_id *id);

/* The same of the file that was mapped with the build-id @id. Its contents are not checked. */
int kept_files_find_build(struct kept_files *k, const struct build_id *id);
