/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A function (or object) of an image. A plain value; names belong to the image's table.
 */
#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end; /* in the image's address space; end is exclusive */
	const char *name;    /* demangled unless told otherwise */
	char binding;        /* 'g' global, 'l' local, 'w' weak, 'u' unique */
	bool is_inlined;     /* it has no place of its own: symbol/source.h */
	bool is_pretty;      /* of the table: @name is what users see */
	uint32_t number;     /* of the table: its place among all that were added */
};
