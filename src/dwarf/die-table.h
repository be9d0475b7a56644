/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The abbreviations of a unit, compiled: how to get over each kind of entry in the fewest steps,
 * and which kinds are of interest. A table can be compiled again for another unit; that keeps its
 * memory.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/die-file.h"

/* What an entry is. */
enum {
	DIE_UNIT = 1 << 0,
	DIE_FUNCTION = 1 << 1,
	DIE_INLINED = 1 << 2,
	DIE_INLINED_FAR = 1 << 3, /* its origin may be in another unit */
	DIE_DECLARATION =
		1 << 4, /* of a function, and nothing else: there are more than functions */
};

/* Entries whose children can be passed over, as they say where their sibling is. */
enum {
	DIE_JUMP_TYPE = 1 << 0,     /* types that have no functions in any language */
	DIE_JUMP_RECORD = 1 << 1,   /* structures, which in C have none */
	DIE_JUMP_FUNCTION = 1 << 2, /* functions */
};

/* How the attributes go on behind some bytes of fixed size. */
enum die_step_kind {
	STEP_END,
	STEP_LEB,
	STEP_TEXT,
	STEP_BLOCK1,
	STEP_BLOCK2,
	STEP_BLOCK4,
	STEP_BLOCK_LEB,
	STEP_INDIRECT,
	STEP_SIBLING, /* four bytes: where the next entry beside this one is */
};

struct die_step {
	uint32_t fixed;
	enum die_step_kind kind;
};

struct die_attribute {
	uint16_t name, form;
	struct die_step step; /* how the form is passed over */
	int64_t constant;     /* of DW_FORM_implicit_const */
};

struct die_abbrev {
	bool is_there;
	uint8_t roles, jump;
	uint32_t steps;                    /* number of the first */
	uint32_t attributes, n_attributes; /* of what has a role */
};

struct die_table {
	const struct die_unit *unit; /* that it was compiled for */
	const struct die_file *file; /* whose abbreviations it has; NULL: none, or damaged ones */
	struct die_unit like;        /* units like this one have the same */
	uint64_t work;               /* bytes of abbreviations compiled so far, of all units */
	struct {
		struct die_abbrev *items; /* by code */
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
 * Compiles the abbreviations of @u, unless it has them already. False: they are damaged, or of a
 * kind not known.
 */
bool die_table_compile(struct die_table *t, const struct die_file *f, const struct die_unit *u);

/* The same up to the abbreviation for @code, which may be enough. False: there is none, too. */
bool die_table_compile_until(struct die_table *t, const struct die_file *f,
			     const struct die_unit *u, uint64_t code);
void die_table_done(struct die_table *t);

/* The bytes that the table takes. */
size_t die_table_memory(const struct die_table *t);

/* The one for @code, or NULL. */
static inline const struct die_abbrev *die_table_find(const struct die_table *t, uint64_t code)
{
	return code < t->abbrevs.n && t->abbrevs.items[code].is_there ? &t->abbrevs.items[code]
								      : NULL;
}

/* How a form of @u is passed over, a fixed number of bytes first. False: it is not known. */
bool die_form_step(uint64_t form, const struct die_unit *u, struct die_step *ret);
