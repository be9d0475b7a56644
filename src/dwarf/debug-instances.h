/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the code of a function is: its own, and the copies of it that were inlined. For the files
 * of this layer that place probes.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_info;

struct debug_instance {
	uint64_t entry;
	Dwarf_Die die; /* a function, or a copy that was inlined */
};

/* All that come from one function of the source, in the order of .debug_info; never none. */
struct debug_instances {
	struct debug_instance *items;
	size_t n, room;
};

struct debug_name {
	const char *function; /* may be a glob */
	const char *file;     /* end of the path of the file that declares it; NULL: any */
	bool only_real;       /* without what was inlined */
};

/*
 * Calls @each for every function of the source that is called so and has code, until it returns
 * non-zero, which is returned.
 */
int debug_instances_each(struct debug_info *d, const struct debug_name *name,
			 int (*each)(void *arg, struct debug_instances *l), void *arg);

/* The real function that @die is in, or is; false: none. */
bool debug_function_around(Dwarf_Die *die, Dwarf_Die *ret);
#endif
