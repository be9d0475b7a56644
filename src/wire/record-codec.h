/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The interface of wire/record.c to a family of records, and the common parts of the families.
 * Private to wire/.
 *
 * A decoder takes the payload from a cursor that ends before the trailer; r->header is already
 * filled in. It does not check lengths: the cursor remembers if data did not fit, and a decoder
 * sets cursor.bad itself for other errors. An encoder only appends the payload; a type without an
 * encoder cannot be encoded.
 */
#include "base/bytes.h"
#include "base/cursor.h"
#include "wire/record.h"

typedef void record_take_fn(struct cursor *c, const struct attr *attr, struct record *r);
typedef void record_put_fn(const struct record *r, struct bytes *out);

#define RECORD(type, payload)                                                                      \
	record_take_fn record_take_##payload;                                                      \
	record_put_fn record_put_##payload;
#define RECORD_NAMED(type)
#include "wire/record-types.def"
#undef RECORD
#undef RECORD_NAMED

/* Takes the next @n words, borrowed. Returns none (and sets cursor.bad) if there are fewer. */
struct words words_take(struct cursor *c, uint64_t n);

/* Appends the words in our byte order. */
void words_put(const struct words *w, struct bytes *out);

/* Take and put a count in the layout of @read_format, for READ records and samples. */
void read_take(struct cursor *c, uint64_t read_format, struct record_read *ret);
void read_put(const struct record_read *r, struct bytes *out);
