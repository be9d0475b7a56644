/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the code of a function is: out of line, and in inlined copies. For the files of this layer
 * that look for places (dwarf/debug-places.h).
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

/* All instances of one function of the source, in the order of .debug_info; at least one. */
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
 * Calls @each for every function of the source that has the name and code, until it returns
 * non-zero, which is returned.
 */
int debug_instances_each(struct debug_info *d, const struct debug_name *name,
			 int (*each)(void *arg, struct debug_instances *l), void *arg);

/* The function with code that contains, or is, @die; false: none. */
bool debug_function_around(Dwarf_Die *die, Dwarf_Die *ret);
