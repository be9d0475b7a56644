/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What wire/record.c asks of a family of records, and what the families share. Private to wire/.
 *
 * A decoder takes the payload from a cursor that ends before the trailer; r->header is already
 * filled. It asks nothing of lengths: the cursor remembers what did not fit, and a decoder sets
 * cursor.bad itself for other nonsense. An encoder appends the payload alone; a type without one
 * cannot be encoded.
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

/* The next @n words, borrowed; none (and cursor.bad) if there are fewer. */
struct words words_take(struct cursor *c, uint64_t n);

/* Appends the words in our byte order. */
void words_put(const struct words *w, struct bytes *out);

/* A count laid out by @read_format: of READ records and of samples. */
void read_take(struct cursor *c, uint64_t read_format, struct record_read *ret);
void read_put(const struct record_read *r, struct bytes *out);
