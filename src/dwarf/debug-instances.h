/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The places of a function's code: out of line, and in inlined copies. For the files of this layer
 * that search for places (dwarf/debug-places.h).
 */
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;

struct debug_instance {
	uint64_t entry;
	Dwarf_Die die; /* a function with code, or an inlined copy */
};

/* The instances of one source function, in the order of .debug_info; at least one. */
struct debug_instances {
	struct debug_instance *items;
	size_t n, room;
};

struct debug_name {
	const char *function; /* may be a glob */
	const char *file;     /* end of the path of the declaring file; NULL: any */
	bool only_real;       /* without inlined copies */
};

/*
 * Calls @each for every source function that has the name and code, until it returns non-zero,
 * which is returned.
 */
int debug_instances_each(struct debug_info *d, const struct debug_name *name,
			 int (*each)(void *arg, struct debug_instances *l), void *arg);

/* Finds the function with code that contains, or is, @die; false: none. */
bool debug_function_around(Dwarf_Die *die, Dwarf_Die *ret);
