/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The zstd stream that the COMPRESSED records of a part form, turned back into records. Private to
 * datafile/.
 *
 * Each payload is fed once; what comes out is peeked at and taken like input. A record may straddle
 * two payloads: what is there of it waits for the next.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct inflater;

/* NULL: built without zstd. */
struct inflater *inflater_new(void);
void inflater_free(struct inflater *z);
DEFINE_FREEP(inflater)

/* Goes on with @size bytes at @data, which must stay until all is taken from them. */
void inflater_feed(struct inflater *z, const uint8_t *data, size_t size);

/*
 * Decompresses until @n bytes are there or the payload is used up, and returns how many are, at
 * *@ret, which the next call may move. -EBADMSG: no zstd stream, or a damaged one.
 */
int64_t inflater_peek(struct inflater *z, size_t n, const uint8_t **ret);

/* As chunks_take() and chunks_release(). */
const uint8_t *inflater_take(struct inflater *z, size_t n, uint64_t position);
void inflater_release(struct inflater *z, uint64_t position);
