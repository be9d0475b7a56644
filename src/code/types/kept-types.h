/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Types of C programs in a file that is kept for the next run (code/types/type-answers.h): names,
 * sizes and members, as far as reports show them. For targets of pointers and elements of arrays
 * only the name and the size are kept.
 *
 * A type has a number, from 1; 0 is none. A type refers only to types with a smaller number, so no
 * type contains itself.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/c-type.h"
#include "base/u64-map.h"

struct kept_type;
struct kept_field;
struct text_block;

/* The size of a type and of a member in the file. */
#define KEPT_TYPE_SIZE  40
#define KEPT_FIELD_SIZE 32

/* The types of a file; the bytes they are made from belong to the caller. One thread at a time. */
struct kept_types {
	struct c_type_source source;
	const struct kept_type *types;
	const struct kept_field *fields;
	const char *text; /* ends with a NUL */
	uint64_t n_types, n_fields, text_size;
	struct c_type **made; /* types that were requested */
	struct arena arena;
};

void kept_types_init(struct kept_types *k, const void *types, uint64_t n_types, const void *fields,
		     uint64_t n_fields, const char *text, uint64_t text_size);
void kept_types_done(struct kept_types *k);

/* Returns the type @number, which lives as long as @k; NULL: there is none, or it is invalid. */
const struct c_type *kept_types_get(struct kept_types *k, uint32_t number);

/* The types of a file that is being written; `{ .text = ... }` has none. */
struct types_draft {
	struct bytes types, fields;
	struct text_block *text;        /* borrowed */
	struct u64_map with_members;    /* numbers by struct c_type */
	struct u64_map without_members; /* the same for those that need only a name */
	bool is_refused;                /* the type that is being added is refused */
};

void types_draft_done(struct types_draft *d);

/*
 * Adds @t and the types to which it refers, and returns its number. 0: refused, because types of
 * damaged files may contain themselves.
 */
uint32_t types_draft_add(struct types_draft *d, const struct c_type *t);
