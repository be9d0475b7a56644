/* SPDX-License-Identifier: MIT */
#pragma once
/* A place inside an object: the data at an offset of a type. */
#include <stdbool.h>
#include <stdint.h>

#include "code/types/held.h"

struct c_type;
struct text;

struct object_place {
	const struct c_type *type;
	int64_t offset;
};

enum object_result {
	OBJECT_FOUND,
	OBJECT_NO_TYPE,    /* void, a function, or an incomplete type */
	OBJECT_BAD_OFFSET, /* the type is smaller than the offset */
};

/*
 * Moves @p from arrays to their elements, and from a structure to the elements of an array without
 * a size at its end. @stride: any multiple of it may be added to the offset, so the place is an
 * element of an array; 1: nothing is known about the index; 0: there is none.
 */
enum object_result object_place_settle(struct object_place *p, uint64_t stride);

/* Returns the contents of the @size bytes at @p, once they are loaded. */
struct held object_held(const struct object_place *p, uint64_t size);

/*
 * Appends the names of the members that contain the @size bytes at @p, "in.a"; @size 0: not known.
 * In a union, or among bit fields, the first member is taken that begins there and has that size,
 * or else that begins there, or else the first. If members of several variants fit equally well,
 * none is named. Nothing is appended if there are no members.
 */
void object_field_text(const struct object_place *p, uint64_t size, struct text *out);
