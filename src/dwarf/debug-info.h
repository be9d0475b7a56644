/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The debug information of a program by name: which entries describe a function called so, and
 * which compile units have code of a source file.
 *
 * One pass over .debug_info (all CPUs, entries skipped by compiled abbreviations) makes an index;
 * it is kept in a file, if a place for it is named, so that the next question costs a few page
 * reads. Entries are named by their offset in .debug_info. Addresses are link addresses. One thread
 * at a time. Without libdw everything fails with -ENOTSUP.
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
 * Takes @file over, also where it fails. @index: where to keep the index ("DIR/.../probe-index"),
 * NULL: nowhere. -ENODATA: it has none; -EBADMSG: it cannot be read.
 */
int debug_info_open(struct elf_file *file, const char *index, struct debug_info **ret);
void debug_info_free(struct debug_info *d);
DEFINE_FREEP(debug_info)

struct dwarf_file *debug_info_file(struct debug_info *d);

/*
 * The program itself, where the debug information is in a file of its own: what is said about stack
 * frames (.eh_frame) is only there. It must outlive @d.
 */
void debug_info_set_program(struct debug_info *d, struct elf_file *program);

/* Who is told how far the making of the index is. It must outlive @d. */
void debug_info_set_progress(struct debug_info *d, struct progress *p);

/* A function's entry. */
enum debug_function_kind {
	DEBUG_FUNCTION_CODE,     /* has code of its own */
	DEBUG_FUNCTION_ABSTRACT, /* is the description of one that was inlined, or is a declaration
				  */
};

struct debug_function {
	const char *name; /* as DWARF has it (DW_AT_name), or of the linkage (C++, Rust) */
	uint64_t entry;   /* offset in .debug_info */
	uint64_t unit;    /* that of its compile unit's entry */
	enum debug_function_kind kind;
};

/*
 * Calls @each for the functions called @name (DW_AT_name or DW_AT_linkage_name; a glob if it has
 * one of its characters), in the order of .debug_info, until it returns non-zero, which is
 * returned.
 */
int debug_info_functions(struct debug_info *d, const char *name,
			 int (*each)(void *arg, const struct debug_function *f), void *arg);

/* Calls @each for the copies of the abstract function @entry that were inlined, in order. */
int debug_info_inlined(struct debug_info *d, uint64_t entry,
		       int (*each)(void *arg, uint64_t copy, uint64_t unit), void *arg);

/*
 * Calls @each for the units whose line table names a file of which @tail is the end ("tcp.c",
 * "net/ipv4/tcp.c", "/usr/src/x.c": whole components) with the file's path, until non-zero.
 */
int debug_info_files(struct debug_info *d, const char *tail,
		     int (*each)(void *arg, uint64_t unit, const char *path), void *arg);

/*
 * The same, for those units only in which line @line of such a file has code; the path is that of
 * the first that does. Reading the others would take long for a header.
 */
int debug_info_line_units(struct debug_info *d, const char *tail, uint32_t line,
			  int (*each)(void *arg, uint64_t unit, const char *path), void *arg);
