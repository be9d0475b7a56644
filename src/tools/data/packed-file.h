/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes on their way into a file, packed as gzip does. Without zlib they are written as they are,
 * which readers of such files take as well.
 */
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"

struct packed_file;

/* Writes to @out, which is borrowed. */
struct packed_file *packed_file_new(FILE *out);
void packed_file_free(struct packed_file *f);
DEFINE_FREEP(packed_file)

void packed_file_add(struct packed_file *f, const void *data, size_t n);

/* Everything was added. Errors of writing are those of the stream. */
void packed_file_end(struct packed_file *f);
