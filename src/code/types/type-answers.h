/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the instructions of a file access, kept in a file (base/sealed-file.h) for the next run: an
 * instruction that was followed before is answered without opening the DWARF.
 *
 * Addresses are link addresses, so that they are the same wherever an image is loaded. One thread
 * at a time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sealed-file.h"
#include "code/types/access-types.h"
#include "code/types/kept-types.h"

/* The last byte is the version of the layout, and of how types are followed (code/types/follow*.c).
 */
#define TYPE_ANSWERS_KIND UINT64_C(0x7479706561736b08)

struct type_answer {
	uint64_t link;
	enum access_status status;
	bool is_followed;          /* as in struct access_type, and so is: */
	const struct c_type *type; /* ACCESS_TYPED only */
	uint64_t offset;
	uint8_t preceding;
	uint8_t size; /* of the access, in bytes; 0: not known */
};

struct type_row;

/* `{ 0 }` has none. */
struct type_answers {
	struct sealed_file file;
	const struct type_row *rows; /* of the file, by address */
	size_t n;
	struct kept_types types;
	struct {
		struct type_answer *items;
		size_t n, room;
	} added;
};

/* Opens those at @path that were made from what @identity says. Without them @a stays empty. */
void type_answers_open(struct type_answers *a, const char *path, uint64_t identity);
void type_answers_done(struct type_answers *a);

/* Finds the answer for @link in the file; its type lives as long as @a. */
bool type_answers_find(struct type_answers *a, uint64_t link, struct type_answer *ret);

/* Adds a new one. Its type must outlive the writing. */
void type_answers_add(struct type_answers *a, const struct type_answer *answer);

/* Writes all of them to @path, if any were added. */
int type_answers_write(struct type_answers *a, const char *path, uint64_t identity);
