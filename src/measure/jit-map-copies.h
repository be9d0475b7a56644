/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Copies of the maps of JIT code of processes in containers, at the path where every reader looks
 * for a map after the process has ended: /tmp/perf-PID.map, with the number of the process here.
 */
#include <stddef.h>
#include <stdint.h>

struct kept_files;
struct notes;

/*
 * The total size of the maps that are copied for one recording; readers accept no larger map,
 * either.
 */
#define JIT_MAP_COPIES_BYTES ((uint64_t)128 << 20)

struct jit_map_copy {
	int pid;
	int error; /* 0: it was copied */
	uint64_t size;
};

/* The copies. All zero: none yet. */
struct jit_map_copies {
	struct jit_map_copy *items; /* each process once */
	size_t n, room;
};

void jit_map_copies_done(struct jit_map_copies *c);

/* Copies the map of @pid from @kept, if there is one; again, if that was done before. */
void jit_map_copies_add(struct jit_map_copies *c, struct kept_files *kept, int pid);

/*
 * Copies the file @from to @path, and its size to *@ret. An existing regular file of ours is
 * replaced. -EEXIST: something else exists there; -EFBIG: it has more than @bytes_max bytes; else
 * the errors of reading and writing.
 */
int jit_map_copy(int from, const char *path, uint64_t bytes_max, uint64_t *ret);

/*
 * Adds notes on the maps that were copied, and on those that could not be, to @n. @kept may be
 * NULL.
 */
void jit_map_copies_tell(const struct jit_map_copies *c, struct kept_files *kept, struct notes *n);
