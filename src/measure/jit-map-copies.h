/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Copies of the maps of JIT code of processes in containers, in the place where every reader looks
 * for a map once the process has ended: /tmp/perf-PID.map, with the number that the process has
 * here.
 */
#include <stddef.h>
#include <stdint.h>

struct kept_files;
struct notes;

/* Maps of one recording are copied up to this size in all; readers take no larger one either. */
#define JIT_MAP_COPIES_BYTES ((uint64_t)128 << 20)

struct jit_map_copy {
	int pid;
	int error; /* 0: it was copied */
	uint64_t size;
};

/* All zero: none yet. */
struct jit_map_copies {
	struct jit_map_copy *items; /* each process once */
	size_t n, room;
};

void jit_map_copies_done(struct jit_map_copies *c);

/* Copies the map of @pid that @kept has, if it has one; again, if that was done before. */
void jit_map_copies_add(struct jit_map_copies *c, struct kept_files *kept, int pid);

/*
 * Copies the file @from to @path, and its size to *@ret. A regular file of ours that is there is
 * replaced. -EEXIST: something else is there; -EFBIG: it has more than @bytes_max bytes; else the
 * errors of reading and writing.
 */
int jit_map_copy(int from, const char *path, uint64_t bytes_max, uint64_t *ret);

/* Adds what was copied, and what could not be, to @n. @kept may be NULL. */
void jit_map_copies_tell(const struct jit_map_copies *c, struct kept_files *kept, struct notes *n);
