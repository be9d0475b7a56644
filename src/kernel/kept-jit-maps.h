/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The maps of JIT code (/tmp/perf-PID.map) of processes in containers, kept open during the
 * recording.
 *
 * A process with its own mounts writes its map to a /tmp that disappears with the container, and
 * one in a pid namespace names it by a number that is unknown once it has ended. The folder is
 * therefore opened when the process is first seen with JIT code, and the map as soon as it exists:
 * often that is later, with some runtimes only at the very end. Maps of processes that have neither
 * are where readers look for them, and are not kept.
 *
 * Only a regular file is kept that belongs to root, to us or to the user of the process. Links are
 * followed only inside the root of the process, and the map itself must not be one. Not for several
 * threads: kept_files has the lock.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct kept_jit_maps;

struct kept_jit_maps *kept_jit_maps_new(void);
void kept_jit_maps_free(struct kept_jit_maps *m);
DEFINE_FREEP(kept_jit_maps)

/* Notes that process @pid has JIT code. @now_ns is any clock that does not go back. */
void kept_jit_maps_see(struct kept_jit_maps *m, int pid, uint64_t now_ns);

/*
 * Notes that there is a new process @pid: data on an older one with that number is no longer valid.
 */
void kept_jit_maps_forked(struct kept_jit_maps *m, int pid);

/* Notes that process @pid has ended, or is about to: searches for its map for the last time. */
void kept_jit_maps_exited(struct kept_jit_maps *m, int pid);

/* Searches for the maps that did not exist yet, for each of them at growing intervals. */
void kept_jit_maps_look(struct kept_jit_maps *m, uint64_t now_ns);

/*
 * Returns the map of @pid, after searching once more if it did not exist yet: a descriptor that @m
 * owns. -ENOENT: none is kept.
 */
int kept_jit_maps_find(struct kept_jit_maps *m, int pid);

/* Returns the number of processes whose map was closed to make space for those of others. */
size_t kept_jit_maps_let_go(const struct kept_jit_maps *m);
