/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The text of /proc/kallsyms, or of a copy of it, line by line: "ADDR TYPE NAME[\t[MODULE]]".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Distributions' kernels with all modules loaded have some 20 MB. */
#define KALLSYMS_SIZE_MAX (64u << 20)

/* A line; names are borrowed from the text. */
struct kallsyms_line {
	uint64_t addr;
	char type;
	const char *name, *module; /* @module is NULL for the kernel itself */
	size_t name_length, module_length;
};

/* Takes the next valid line from *@at, and moves past it. False at @end. */
bool kallsyms_next(const char **at, const char *end, struct kallsyms_line *ret);

/* True if symbols of this type have an address that a profile can contain. */
bool kallsyms_type_counts(char type);
