/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The debug information of a program by name: the entries that describe a function of a name, and
 * the compilation units that have code of a source file.
 *
 * One pass over .debug_info makes an index, on all CPUs, with abbreviations compiled so that most
 * entries are skipped in one or two steps. The index is cached in a file, if a path is given, so
 * the next query costs a few page reads. Entries are identified by their offset in .debug_info.
 * Addresses are link addresses. One thread at a time. Without libdw everything fails with -ENOTSUP.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct debug_info;
struct dwarf_file;
struct elf_file;
struct progress;

/*
 * Opens debug information and takes ownership of @file, also on failure. @index is the path of the
 * cached index ("DIR/.../probe-index"); NULL: it is not cached. -ENODATA: there is no debug
 * information; -EBADMSG: it cannot be read.
 */
int debug_info_open(struct elf_file *file, const char *index, struct debug_info **ret);
void debug_info_free(struct debug_info *d);
DEFINE_FREEP(debug_info)

struct dwarf_file *debug_info_file(struct debug_info *d);

/*
 * Sets the program itself, if the debug information is in a separate file, because only the program
 * has .eh_frame. It must outlive @d.
 */
void debug_info_set_program(struct debug_info *d, struct elf_file *program);

/* Reports the progress of making the index to @p, which must outlive @d. */
void debug_info_set_progress(struct debug_info *d, struct progress *p);

/* True if entries are in other files, so that results depend on those, too. */
bool debug_info_is_split(struct debug_info *d);

/* The kind of a function's entry. */
enum debug_function_kind {
	DEBUG_FUNCTION_CODE,     /* has code of its own */
	DEBUG_FUNCTION_ABSTRACT, /* describes an inlined function, or is a declaration */
};

struct debug_function {
	const char *name; /* DW_AT_name, or DW_AT_linkage_name (C++, Rust) */
	uint64_t entry;   /* offset in .debug_info */
	uint64_t unit;    /* offset of its unit's entry */
	enum debug_function_kind kind;
};

/*
 * Calls @each for the functions called @name (DW_AT_name or DW_AT_linkage_name; a glob if it has
 * one of its characters), in the order of .debug_info, until it returns non-zero, which is
 * returned.
 */
int debug_info_functions(struct debug_info *d, const char *name,
			 int (*each)(void *arg, const struct debug_function *f), void *arg);

/* Calls @each for the inlined copies of the abstract function @entry, in order. */
int debug_info_inlined(struct debug_info *d, uint64_t entry,
		       int (*each)(void *arg, uint64_t copy, uint64_t unit), void *arg);

/*
 * Calls @each for the units whose line table has a file whose path ends in @tail (whole components:
 * "tcp.c", "net/ipv4/tcp.c", "/usr/src/x.c"), with that path, until it returns non-zero, which is
 * returned.
 */
int debug_info_files(struct debug_info *d, const char *tail,
		     int (*each)(void *arg, uint64_t unit, const char *path), void *arg);

/*
 * Does the same for only those units in which line @line of such a file has code; the path is that
 * of the first such file. It is faster than querying each unit that includes a header.
 */
int debug_info_line_units(struct debug_info *d, const char *tail, uint32_t line,
			  int (*each)(void *arg, uint64_t unit, const char *path), void *arg);
