/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call paths of an export: a tree of stacks from the outermost frame on, with a row for each
 * node. Private to tools/script.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"

struct export_path;
struct export_rows;

/* `{ 0 }` is empty. */
struct export_paths {
	struct arena arena;
	/* struct export_path by a hash; those with the same hash are a list */
	struct u64_map nodes;
	uint64_t last; /* id of the last node */
	struct {
		struct export_path **items;
		size_t n, room;
	} fresh; /* nodes that have no rows yet, in order */
};

void export_paths_done(struct export_paths *p);

/* Returns the node that all stacks begin with. */
uint64_t export_paths_root(struct export_paths *p);

/* Returns the node below @parent for the symbol, or, if that is 0, for the address. O(1). */
uint64_t export_paths_step(struct export_paths *p, uint64_t parent, uint64_t symbol, uint64_t addr);

/* Adds the missing rows. Returns 0, or the result of the row's taker. */
int export_paths_rows(struct export_paths *p, struct export_rows *rows);
