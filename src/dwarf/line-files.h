/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source files that a line table names, from its head alone; DWARF 2 to 5. Texts belong to the
 * sections.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct die_file;
struct die_unit;

struct line_file {
	const char *directory; /* as it is written; NULL: that of the compiler */
	const char *name;
	uint64_t name_at; /* where @name is in .debug_line_str; DIE_NONE: not there */
};

/* `{ 0 }` is empty; can be filled again and again. */
struct line_files {
	struct line_file *items;
	size_t n, room;
	unsigned first; /* the number that rows have for the first of them */
	const char **directories;
	size_t n_directories, directories_room;
};

/* Those of @u; false: it has no line table, or that is damaged. Fills in only as many as are sound.
 */
bool line_files_read(struct line_files *l, const struct die_file *f, const struct die_unit *u);
void line_files_done(struct line_files *l);
