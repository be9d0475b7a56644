/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The maps of JIT code (/tmp/perf-PID.map) of processes in containers, kept open while they are
 * recorded.
 *
 * A process with mounts of its own writes its map to a /tmp that goes with the container, and one
 * in a pid namespace names it by a number that nobody knows once it has ended. So the folder is
 * opened when the process is first seen with JIT code, and the map as soon as it is there: often
 * that is later, with some runtimes only at the very end. Maps of processes that have neither are
 * where readers look for them, and are not kept.
 *
 * Only a regular file is kept that belongs to root, to us or to the user of the process; links are
 * followed inside the root of the process only, and the map itself must not be one. Not for
 * several threads: kept_files has the lock.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct kept_jit_maps;

struct kept_jit_maps *kept_jit_maps_new(void);
void kept_jit_maps_free(struct kept_jit_maps *m);
DEFINE_FREEP(kept_jit_maps)

/* Process @pid has JIT code. @now_ns is any clock that does not go back. */
void kept_jit_maps_see(struct kept_jit_maps *m, int pid, uint64_t now_ns);

/* There is a new process @pid: what was known of an older one with that number does not hold. */
void kept_jit_maps_forked(struct kept_jit_maps *m, int pid);

/* Process @pid has ended, or is about to: looks for its map for the last time. */
void kept_jit_maps_exited(struct kept_jit_maps *m, int pid);

/* Looks for the maps that were not there yet, for each of them in intervals that grow. */
void kept_jit_maps_look(struct kept_jit_maps *m, uint64_t now_ns);

/*
 * The map of @pid, looked for once more if it was not there yet: a descriptor that stays that of
 * @m. -ENOENT: none is kept.
 */
int kept_jit_maps_find(struct kept_jit_maps *m, int pid);

/* The number of processes whose map was let go to make room for those of others. */
size_t kept_jit_maps_let_go(const struct kept_jit_maps *m);
