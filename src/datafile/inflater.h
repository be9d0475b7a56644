/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decompresses the zstd stream that the COMPRESSED records of a part form. Private to datafile/.
 *
 * Each payload is fed once; the output is peeked at and taken like input. A record may straddle two
 * payloads: its first part waits for the next payload.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct inflater;

/* Makes a decompressor. NULL: built without zstd. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *z);
DEFINE_FREEP(inflater)

/*
 * Continues with @size bytes at @data, which must stay valid until everything is taken from them.
 */
void inflater_feed(struct inflater *z, const uint8_t *data, size_t size);

/*
 * Decompresses until @n bytes are available or the payload is used up. Returns the number of
 * available bytes, at *@ret, which the next call may move. -EBADMSG: not a zstd stream, or a
 * damaged one.
 */
int64_t inflater_peek(struct inflater *z, size_t n, const uint8_t **ret);

/* Work as chunks_take() and chunks_release(). */
const uint8_t *inflater_take(struct inflater *z, size_t n, uint64_t position);
void inflater_release(struct inflater *z, uint64_t position);
