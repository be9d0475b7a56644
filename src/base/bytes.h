/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A byte buffer under construction, in our own byte order: the counterpart of base/cursor.h.
 *
 * `struct bytes b = { 0 };` owns nothing until something is added; bytes_done() releases it.
 */
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *data;
	size_t n, room;
};

void bytes_done(struct bytes *b);

void bytes_add(struct bytes *b, const void *data, size_t n);
void bytes_zero(struct bytes *b, size_t n);
void bytes_u8(struct bytes *b, uint8_t v);
void bytes_u16(struct bytes *b, uint16_t v);
void bytes_u32(struct bytes *b, uint32_t v);
void bytes_u64(struct bytes *b, uint64_t v);

/* Appends @v in LEB128: seven bits a byte, the lowest first. */
void bytes_uleb128(struct bytes *b, uint64_t v);

/* Appends @s, its NUL, and zeros until the number of bytes added is a multiple of @align. */
void bytes_string(struct bytes *b, const char *s, size_t align);

/* Appends zeros until the length since @from is a multiple of @align. */
void bytes_pad(struct bytes *b, size_t from, size_t align);
