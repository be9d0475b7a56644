/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes bytes into a file in gzip's format. Without zlib they are written unpacked, which readers
 * of such files accept as well.
 */
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"

struct packed_file;

/* Makes a packed file that writes to @out, which is borrowed. */
struct packed_file *packed_file_new(FILE *out);
void packed_file_free(struct packed_file *f);
DEFINE_FREEP(packed_file)

void packed_file_add(struct packed_file *f, const void *data, size_t n);

/* Ends the file, when everything was added. Errors of writing are those of the stream. */
void packed_file_end(struct packed_file *f);
