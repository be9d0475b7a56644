/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the fields of a protobuf message, one after the other, in their order. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

struct proto_field {
	uint32_t number;
	uint64_t value;    /* value of a number */
	const char *bytes; /* @length bytes of a text or a message; else NULL */
	size_t length;
};

/*
 * Reads the next field; false: there are no more, or c->bad is set, because the rest is not a
 * message. Groups, which are no longer used, are errors.
 */
bool proto_next(struct cursor *c, struct proto_field *ret);

/*
 * Reads the next number of a repeated field, which may be packed: @values is a cursor from
 * proto_list() over it. False: there are no more.
 */
struct cursor proto_list(const struct proto_field *f);
bool proto_list_next(struct cursor *values, const struct proto_field *f, uint64_t *ret);
