/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of protocol buffers: fields one after the other, in the order in which they are added.
 *
 * `struct protobuf p = { 0 };` is empty; protobuf_done() releases it. A field is a number that the
 * schema gives it. A message inside another is added between protobuf_begin() and protobuf_end();
 * these nest. A value of 0 is written. Where the schema has 0 as the default and permits leaving it
 * out, protobuf_known() does so. The module knows no schema.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text.h"

#define PROTOBUF_DEPTH_MAX 8

struct protobuf {
	struct bytes out;
	/* private: */
	size_t begins[PROTOBUF_DEPTH_MAX]; /* starts of the messages that are not complete */
	unsigned depth;
};

void protobuf_done(struct protobuf *p);

/* Removes everything that was added, and keeps the memory. No message may be open. */
void protobuf_clear(struct protobuf *p);

/* Adds int32, int64, uint32, uint64 or enum; negative numbers as their two's complement. */
void protobuf_number(struct protobuf *p, unsigned field, uint64_t v);

/* Adds the same, unless it is 0. */
void protobuf_known(struct protobuf *p, unsigned field, uint64_t v);

void protobuf_bool(struct protobuf *p, unsigned field, bool v);

/* Adds a field of type fixed64 or sfixed64. */
void protobuf_fixed64(struct protobuf *p, unsigned field, uint64_t v);

void protobuf_bytes(struct protobuf *p, unsigned field, const void *data, size_t n);

/* Adds a string, which has to be valid UTF-8: invalid bytes become \xNN. */
void protobuf_text(struct protobuf *p, unsigned field, const char *s);

/* Adds a repeated field of numbers, packed. Adds nothing if there are none. */
void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *v, size_t n);

void protobuf_begin(struct protobuf *p, unsigned field);
void protobuf_end(struct protobuf *p);
