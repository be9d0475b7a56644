/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Types of C programs in a file that is kept for the next run (code/types/type-answers.h): names,
 * sizes and members, as far as reports show them. Of what pointers lead to and arrays are made of
 * only the name and the size are kept.
 *
 * A type has a number, from 1; 0 is none. What a type refers to has a smaller number, so that no
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

/* Those of a file: what they are made of belongs to the caller. One thread at a time. */
struct kept_types {
	struct c_type_source source;
	const struct kept_type *types;
	const struct kept_field *fields;
	const char *text; /* ends with a NUL */
	uint64_t n_types, n_fields, text_size;
	struct c_type **made; /* those that were asked for */
	struct arena arena;
};

void kept_types_init(struct kept_types *k, const void *types, uint64_t n_types, const void *fields,
		     uint64_t n_fields, const char *text, uint64_t text_size);
void kept_types_done(struct kept_types *k);

/* The type @number, which lives as long as @k; NULL: there is none, or it makes no sense. */
const struct c_type *kept_types_get(struct kept_types *k, uint32_t number);

/* Those of a file that is being written; `{ .text = ... }` has none. */
struct types_draft {
	struct bytes types, fields;
	struct text_block *text;        /* borrowed */
	struct u64_map with_members;    /* numbers by struct c_type */
	struct u64_map without_members; /* the same of those that need only a name */
	bool is_refused;                /* of the type that is being added */
};

void types_draft_done(struct types_draft *d);

/* Adds @t and what it refers to. 0: types of damaged files may contain themselves. */
uint32_t types_draft_add(struct types_draft *d, const struct c_type *t);
