/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The types of the data that instructions access, by image and address.
 *
 * A function is followed once, when one of its instructions is first queried (code/types/follow.h).
 * The answers for all of its instructions are kept, also for the next run
 * (code/types/type-answers.h). Any thread may query. Types, and everything that is returned, live
 * as long as the store, which must not outlive the images.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "code/types/type-answers.h"

struct access_types;
struct c_type;
struct code_store;
struct image;
struct image_types;
struct symbol;
struct text;

/* A type, stored once for each image, name and layout: units of an image repeat the same types. */
struct data_type {
	struct image_types *home; /* its lock guards @type; NULL: none is needed */
	struct image *image;      /* NULL for data_type_unknown and data_type_stack */
	const char *name;         /* "struct sock", "int", "char*" */
	uint64_t size;            /* in bytes */
	const struct c_type *type;
};

/* The types "(unknown)" and "(stack operation)". */
extern const struct data_type data_type_unknown, data_type_stack;

struct access_type {
	const struct data_type *type; /* never NULL */
	uint64_t offset;              /* offset in the type */
	uint8_t size;                 /* size of the access, in bytes; 0: not known */
	enum access_status status;
	bool is_followed; /* found by following instructions, not only from a variable */
	/* The size of the instruction that always runs before this one; 0: there is none. */
	uint8_t preceding;
};

struct access_types *access_types_new(void);
void access_types_free(struct access_types *a);
DEFINE_FREEP(access_types)

/*
 * Returns the access of the instruction of @im at @addr; @sym is the function that contains it, or
 * NULL. Addresses are those of the image's symbols.
 */
struct access_type access_types_find(struct access_types *a, struct image *im,
				     const struct symbol *sym, uint64_t addr);

/*
 * Returns the access that a sample at @addr is about if it came from an interrupt, which finds the
 * CPU after the instruction for which it waited. That is the access of the instruction at @addr, or
 * if that has no memory operand, the access of the instruction before it.
 */
struct access_type access_types_find_skidded(struct access_types *a, struct image *im,
					     const struct symbol *sym, uint64_t addr);

/* Appends the names of the members that @a accesses, "in.a"; nothing, if there are none. */
void access_type_field(const struct access_type *a, struct text *out);
