/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of a Go program, from the table that its runtime needs for stack traces, which is
 * also in stripped programs (.gopclntab). The layouts are those of Go 1.2, 1.16, 1.18 and 1.20,
 * which Go's package debug/gosym documents.
 *
 * A pure reader: everything is borrowed, and nothing in the table is trusted.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;
struct elf_symbol;

struct go_table {
	const uint8_t *bytes;
	size_t size;
	bool swap;     /* in the other byte order */
	uint64_t text; /* start of the code, for tables without it; 0: unknown */
};

struct go_function {
	uint64_t addr, size;
	const char *name; /* "main.(*T).Work"; in the table */
};

typedef void go_function_fn(const struct go_function *f, void *arg);

/*
 * Calls @fn for each function, by address. Damaged parts are left out. -EBADMSG: it is not such a
 * table, or has a later layout.
 */
int go_functions_read(const struct go_table *t, go_function_fn *fn, void *arg);

/* Does the same for the program @f, as symbols. -ENODATA: it has no such table. */
int elf_go_functions_read(struct elf_file *f, void (*fn)(const struct elf_symbol *s, void *arg),
			  void *arg);
