/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The accesses of the instructions of a file, kept in a file (base/sealed-file.h) for the next run:
 * an instruction that was followed before is answered without opening the DWARF.
 *
 * Addresses are link addresses, so they are the same wherever an image is loaded. One thread at a
 * time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sealed-file.h"
#include "code/types/kept-types.h"

struct type_row;

/*
 * The last byte is the version of the layout, and of the way in which types are followed
 * (code/types/follow*.c).
 */
#define TYPE_ANSWERS_KIND UINT64_C(0x7479706561736b08)

/* The result of the search for a type: found, or the reason why not. */
enum access_status {
	ACCESS_TYPED,
	ACCESS_IS_STACK,
	ACCESS_NO_SYMBOL,
	ACCESS_NO_CODE,      /* the bytes of the function are not available */
	ACCESS_NO_MEMORY,    /* the instruction has no memory operand */
	ACCESS_NO_DEBUGINFO, /* the image has no debug information */
	ACCESS_NO_UNIT,      /* the debug information does not describe the function */
	ACCESS_NO_VARIABLE,  /* no variable leads to the target of the register */
	ACCESS_NO_TYPEINFO,  /* it points to void, or to an incomplete type */
	ACCESS_BAD_OFFSET,   /* the type is smaller than the offset */
	N_ACCESS_STATUS
};

struct type_answer {
	uint64_t link;
	enum access_status status;
	bool is_followed;          /* as in struct access_type */
	const struct c_type *type; /* only for ACCESS_TYPED */
	uint64_t offset;
	uint8_t preceding;
	uint8_t size; /* size of the access, in bytes; 0: not known */
};

/* Kept answers. `{ 0 }` has none. */
struct type_answers {
	struct sealed_file file;
	const struct type_row *rows; /* rows of the file, by address */
	size_t n;
	struct kept_types types;
	struct {
		struct type_answer *items;
		size_t n, room;
	} added;
};

/* Opens the answers at @path that were made for @identity. If there are none, @a stays empty. */
void type_answers_open(struct type_answers *a, const char *path, uint64_t identity);
void type_answers_done(struct type_answers *a);

/* Finds the answer for @link in the file; its type lives as long as @a. */
bool type_answers_find(struct type_answers *a, uint64_t link, struct type_answer *ret);

/* Adds a new answer. Its type must live until the answers are written. */
void type_answers_add(struct type_answers *a, const struct type_answer *answer);

/* Writes all answers to @path, if any were added. */
int type_answers_write(struct type_answers *a, const char *path, uint64_t identity);
