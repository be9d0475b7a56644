/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source files of a line table, read from its header alone; DWARF 2 to 5. Strings belong to the
 * sections.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct die_file;
struct die_unit;

struct line_file {
	const char *directory; /* as written in the table; NULL: the compiler's */
	const char *name;
	uint64_t name_at; /* offset of @name in .debug_line_str; DIE_NONE: it is not there */
};

/* `{ 0 }` is empty; it can be filled again. */
struct line_files {
	struct line_file *items;
	size_t n, room;
	unsigned first; /* the number of the first file, as used in rows */
	const char **directories;
	size_t n_directories, directories_room;
};

/*
 * Reads the files of @u; false: it has no line table, or that is damaged. Files before the damage
 * are filled in.
 */
bool line_files_read(struct line_files *l, const struct die_file *f, const struct die_unit *u);
void line_files_done(struct line_files *l);
