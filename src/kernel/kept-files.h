/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The files that recorded processes have mapped, kept open during the recording.
 *
 * When a recording ends, and already when a stack is unwound, the process may have ended, its
 * container may have been removed, and its program may have been rebuilt. Each file is therefore
 * opened when a mapping of it is first seen. Files are identified by device and inode, or by the
 * build-id that the kernel read. Their number and total size are limited, because an open file
 * keeps its space on the disk: files that were not seen for long are closed, unless they were given
 * to a caller a moment ago. May be called from any thread.
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

/* Limits the number of open files to @most, if that is less than usual. */
void kept_files_limit(struct kept_files *k, size_t most);

/* Keeps maps of JIT code of processes in containers, too: see kernel/kept-jit-maps.h. */
void kept_files_keep_jit_maps(struct kept_files *k);

/*
 * Notes a fork of a process. The child may have ended when its maps are seen: parent and child
 * share their files.
 */
void kept_files_forked(struct kept_files *k, int pid, int ppid);

/* Notes that process @pid has ended. */
void kept_files_exited(struct kept_files *k, int pid);

/* Searches for maps of JIT code that did not exist when the code was seen. To be called often. */
void kept_files_look_for_jit_maps(struct kept_files *k);

/*
 * Returns the map of JIT code of process @pid, which is or was in a container: a descriptor that @k
 * owns. -ENOENT: none is kept.
 */
int kept_files_find_jit_map(struct kept_files *k, int pid);

/* Returns the number of maps of JIT code that were closed to make space for others. */
size_t kept_files_jit_maps_let_go(struct kept_files *k);

/*
 * Opens the file of @m, unless it is kept already, through its process or through a process that
 * forked it.
 */
void kept_files_see(struct kept_files *k, const struct mapping *m);

/*
 * Copies the data to be recorded about the BPF program @id, which may be unloaded when the
 * recording ends. The program itself is not kept.
 */
void kept_files_see_program(struct kept_files *k, uint32_t id);
bool kept_files_has_programs(struct kept_files *k);

/*
 * Calls @fn for all programs that were seen; their BTF may be empty. Program and BTF are borrowed.
 */
void kept_files_for_each_program(struct kept_files *k,
				 void (*fn)(void *arg, const struct bpf_program *p,
					    const struct btf_blob *btf),
				 void *arg);

/*
 * The time for which a descriptor that was given to a caller stays open: a caller that needs it for
 * longer opens it anew.
 */
#define KEPT_FILES_GIVEN_S 60

/*
 * Returns the descriptor of the file @id, which @k owns and which stays open for a while. -ENOENT:
 * it is not kept; -ESTALE: it was written to since it was first seen, so its contents are not those
 * that ran.
 */
int kept_files_find(struct kept_files *k, const struct file_id *id);

/*
 * Returns the same for the file that was mapped with the build-id @id. Its contents are not
 * checked.
 */
int kept_files_find_build(struct kept_files *k, const struct build_id *id);
