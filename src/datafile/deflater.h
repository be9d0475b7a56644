/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compresses records into COMPRESSED ones: one zstd stream for all records of a part. Private to
 * datafile/.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct bytes;
struct deflater;

/* True if this build can compress. */
bool deflater_is_there(void);

/*
 * Makes a compressor; @aligned: into COMPRESSED2 records. NULL: it cannot compress, or the level
 * does not exist.
 */
struct deflater *deflater_new(int level, bool aligned);
void deflater_free(struct deflater *z);
DEFINE_FREEP(deflater)

/*
 * Appends @size bytes of records as COMPRESSED or COMPRESSED2 records, flushed, so that all of them
 * can be read back. -EIO: the library failed.
 */
int deflater_add(struct deflater *z, const void *records, size_t size, struct bytes *out);
