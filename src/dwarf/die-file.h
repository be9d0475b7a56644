/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sections of DWARF as bytes, and the unit headers of .debug_info, for reading entries without
 * libdw (dwarf/die-scan.h). The bytes are borrowed from the open file. Nothing changes once it is
 * filled in, so any number of threads may read it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Dwarf;

struct die_bytes {
	const uint8_t *at; /* NULL: there is no such section */
	size_t size;
};

/* A unit. Cached index files have this format, too (dwarf/debug-index.h). */
struct die_unit {
	uint64_t start;       /* offset of its header */
	uint64_t entry;       /* offset of its first entry, which describes the unit */
	uint64_t end;         /* end of its last entry */
	uint64_t abbrevs;     /* offset in .debug_abbrev */
	uint64_t lines;       /* in .debug_line; DIE_NONE: it has none */
	uint64_t str_offsets; /* start of its part of .debug_str_offsets */
	uint16_t version;
	uint16_t language; /* DW_LANG_* */
	uint8_t type;      /* DW_UT_*; before version 5 DW_UT_compile */
	uint8_t address_size, offset_size;
	uint8_t is_split; /* it is a skeleton: the entries are in another file */
};

#define DIE_NONE UINT64_MAX

struct die_file {
	struct die_bytes info, abbrev, str, line_str, str_offsets, line;
	bool swap;                  /* numbers are in the other byte order */
	const struct die_file *alt; /* the file made by dwz; or NULL */
	const struct die_unit *units;
	size_t n_units;
};

/*
 * Finds the sections of a file that libdw has open, decompressed and relocated if necessary. Does
 * not read units.
 */
void die_file_init(struct die_file *f, struct Dwarf *dwarf);

/* Returns the headers of all units; the caller frees them. Damage ends the list. */
struct die_unit *die_file_read_units(const struct die_file *f, size_t *ret_n);

/* Returns the unit with the entry at @offset, or NULL. */
const struct die_unit *die_file_unit(const struct die_file *f, uint64_t offset);

/* Returns the string at @offset of a section; NULL if it is not terminated. */
const char *die_text_at(const struct die_bytes *section, uint64_t offset);
