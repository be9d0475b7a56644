/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Location expressions, as far as the kernel can follow them: computed with the registers left as
 * they are, for the files of this layer.
 */
#include <config.h>

#if HAVE_LIBELF && HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

struct debug_info;
struct debug_variable;

/* Where the code is whose variables are asked for. */
struct location_context {
	struct debug_info *info;
	Dwarf_Die function; /* the real one around it */
	uint64_t addr;
	bool at_entry; /* no instruction of the function was executed yet */
};

/* Sets places and pieces of @v after @die. */
void debug_location_read(const struct location_context *c, Dwarf_Die *die,
			 struct debug_variable *v);
#endif
