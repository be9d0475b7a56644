/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A writer of protocol buffers: fields one behind the other, in the order in which they are added.
 *
 * `struct protobuf p = { 0 };` is empty; protobuf_done() releases it. A field is a number that the
 * schema gives it. A message inside of another is added between protobuf_begin() and
 * protobuf_end(); these nest. A value of 0 is written: where the schema says that 0 is the default
 * and it may be left out, protobuf_known() does so. Knows no schema.
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
	size_t begins[PROTOBUF_DEPTH_MAX]; /* of the messages that are not complete */
	unsigned depth;
};

void protobuf_done(struct protobuf *p);

/* Forgets what was added; the memory is kept. No message is open. */
void protobuf_clear(struct protobuf *p);

/* int32, int64, uint32, uint64, enum; negative numbers as their two's complement. */
void protobuf_number(struct protobuf *p, unsigned field, uint64_t v);

/* The same, left out if it is 0. */
void protobuf_known(struct protobuf *p, unsigned field, uint64_t v);

void protobuf_bool(struct protobuf *p, unsigned field, bool v);

/* fixed64, sfixed64. */
void protobuf_fixed64(struct protobuf *p, unsigned field, uint64_t v);

void protobuf_bytes(struct protobuf *p, unsigned field, const void *data, size_t n);

/* A string, which has to be valid UTF-8: bytes that are none become \xNN. */
void protobuf_text(struct protobuf *p, unsigned field, const char *s);

/* A repeated field of numbers, packed. Nothing if there are none. */
void protobuf_packed(struct protobuf *p, unsigned field, const uint64_t *v, size_t n);

void protobuf_begin(struct protobuf *p, unsigned field);
void protobuf_end(struct protobuf *p);
