/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Accesses to memory by class: the classes into which columns like `op` and `cache` of a report
 * break rows down.
 *
 * A class is a number below MEMORY_CLASSES_MAX, one for each breakdown. Classes are those of
 * Linux's perf 7: cache and memory go by the number of the level (mem_lvl_num) alone.
 */
#include <stddef.h>
#include <stdint.h>

enum memory_breakdown {
	MEMORY_BY_OP,
	MEMORY_BY_CACHE,
	MEMORY_BY_MEMORY,
	MEMORY_BY_SNOOP,
	MEMORY_BY_DTLB,
};
#define N_MEMORY_BREAKDOWNS (MEMORY_BY_DTLB + 1)
#define MEMORY_CLASSES_MAX  7

struct memory_class {
	const char *title; /* NULL: there is no class of this number */
	const char *name;  /* the name in JSON */
};

/* Returns the classes of @b, MEMORY_CLASSES_MAX of them. */
const struct memory_class *memory_classes(enum memory_breakdown b);

/* Returns the class of @data_src in each breakdown, as one number below 1 << 24. */
uint32_t memory_classes_of(uint64_t data_src);

/* Returns the class for breakdown @b in that number. */
unsigned memory_class_in(uint32_t classes, enum memory_breakdown b);
