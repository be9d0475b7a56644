/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of a jit-PID.dump as maps in the space of the process that made it: one for each
 * function, versioned by the dump's times. They show wherever the process has memory that no file
 * is behind.
 */
#include <stdint.h>

struct arena;
struct jit_code;
struct jit_maps;
struct map;
struct span;

/* @name is the dump's, and is borrowed with @c for good. */
const struct jit_maps *jit_maps_new(struct arena *a, const struct jit_code *c, const char *name);

/* The code that they are maps of, and the name that they have. */
const struct jit_code *jit_maps_code(const struct jit_maps *j);
const char *jit_maps_name(const struct jit_maps *j);

/* What lies at @addr at @time, or NULL; *@span is narrowed to that address, and to the times for
 * which the answer holds. */
const struct map *jit_maps_find(const struct jit_maps *j, uint64_t addr, uint64_t time,
				struct span *span);
