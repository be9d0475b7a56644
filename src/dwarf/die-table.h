/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The abbreviations of a unit, compiled: the fewest steps that skip each kind of entry, and the
 * kinds that matter. A table can be compiled again for another unit and keeps its memory.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/die-file.h"

/* Roles of an entry. */
enum {
	DIE_UNIT = 1 << 0,
	DIE_FUNCTION = 1 << 1,
	DIE_INLINED = 1 << 2,
	DIE_INLINED_CROSS = 1 << 3, /* an inlined copy whose origin may be in another unit */
	DIE_DECLARATION = 1 << 4, /* a declaration of a function and nothing else; there are many */
	DIE_VARIABLE = 1 << 5,
};

/*
 * Entries whose children can be skipped, because DW_AT_sibling gives the place of the next entry.
 */
enum {
	DIE_JUMP_TYPE = 1 << 0,     /* types that contain no functions in any language */
	DIE_JUMP_RECORD = 1 << 1,   /* structures, which in C contain no functions */
	DIE_JUMP_FUNCTION = 1 << 2, /* functions */
};

/* The kind of data that follows some bytes of fixed size. */
enum die_step_kind {
	STEP_END,
	STEP_LEB,
	STEP_TEXT,
	STEP_BLOCK1,
	STEP_BLOCK2,
	STEP_BLOCK4,
	STEP_BLOCK_LEB,
	STEP_INDIRECT,
	STEP_SIBLING, /* DW_AT_sibling, of four bytes */
};

struct die_step {
	uint32_t fixed;
	enum die_step_kind kind;
};

struct die_attribute {
	uint16_t name, form;
	struct die_step step; /* the step that skips the form */
	int64_t constant;     /* value of DW_FORM_implicit_const */
};

struct die_abbrev {
	bool is_there;
	uint8_t roles, jump;
	uint32_t steps;                    /* number of the first */
	uint32_t attributes, n_attributes; /* only for entries that have a role */
};

struct die_table {
	const struct die_unit *unit; /* the unit for which it was compiled */
	const struct die_file
		*file;        /* the file of the abbreviations; NULL: none, or they are damaged */
	struct die_unit like; /* a unit with equal abbreviations and sizes can use the table, too */
	uint64_t work;        /* bytes of abbreviations compiled so far, for all units */
	struct {
		struct die_abbrev *items; /* indexed by code */
		size_t n, room;
	} abbrevs;
	struct {
		struct die_step *items;
		size_t n, room;
	} steps;
	struct {
		struct die_attribute *items;
		size_t n, room;
	} attributes;
};

/*
 * Compiles the abbreviations of @u, unless @t has them already. False: they are damaged, or of an
 * unknown kind.
 */
bool die_table_compile(struct die_table *t, const struct die_file *f, const struct die_unit *u);

/* Does the same only up to the abbreviation for @code. False also if there is none. */
bool die_table_compile_until(struct die_table *t, const struct die_file *f,
			     const struct die_unit *u, uint64_t code);
void die_table_done(struct die_table *t);

/* Returns the memory of the table in bytes. */
size_t die_table_memory(const struct die_table *t);

/* Returns the abbreviation for @code, or NULL. */
static inline const struct die_abbrev *die_table_find(const struct die_table *t, uint64_t code)
{
	return code < t->abbrevs.n && t->abbrevs.items[code].is_there ? &t->abbrevs.items[code]
								      : NULL;
}

/*
 * Gives the step that skips a form in @u: a fixed number of bytes, then a step. False: the form is
 * unknown.
 */
bool die_form_step(uint64_t form, const struct die_unit *u, struct die_step *ret);
