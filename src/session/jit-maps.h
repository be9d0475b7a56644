/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of a jit-PID.dump as maps in the address space of the process that made it: one for each
 * function, versioned by the dump's times. They are visible where the process has memory without a
 * file.
 */
#include <stdint.h>

struct arena;
struct jit_code;
struct jit_maps;
struct map;
struct span;

/* Makes the maps. @name is the dump's, and is borrowed with @c permanently. */
const struct jit_maps *jit_maps_new(struct arena *a, const struct jit_code *c, const char *name);

/* Return the code of the maps, and their name. */
const struct jit_code *jit_maps_code(const struct jit_maps *j);
const char *jit_maps_name(const struct jit_maps *j);

/*
 * Returns the map at @addr at @time, or NULL; *@span is narrowed to that address, and to the times
 * for which the answer holds.
 */
const struct map *jit_maps_find(const struct jit_maps *j, uint64_t addr, uint64_t time,
				struct span *span);
