/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file in which a program keeps, for its next run, data that it has derived from other files.
 *
 * It is written whole or not at all. It can be opened only if its kind (a number that also changes
 * with the layout), its identity (of the data it was made from) and a checksum match. Its bytes are
 * in this machine's byte order, begin at a multiple of 8, and are mapped. The reader still has to
 * check them: a checksum protects against accidents, not against malice.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct guarded_map;

/* An open sealed file; `{ 0 }` is none. */
struct sealed_file {
	struct guarded_map *map;
	const void *bytes;
	size_t size;
};

/*
 * Opens @path. -ESTALE: made from something else; -EBADMSG: damaged, or of another kind; -EPERM: it
 * belongs to another user; other errors are those of open().
 */
int sealed_file_open(const char *path, uint64_t kind, uint64_t identity, struct sealed_file *ret);
void sealed_file_done(struct sealed_file *f);

/*
 * Writes @path, and makes missing directories. Files beside it that are older than a month are
 * removed: most belong to builds that no longer exist, and the others are soon made again.
 */
int sealed_file_write(const char *path, uint64_t kind, uint64_t identity, const void *bytes,
		      size_t size);

/*
 * Returns an identity made from a number, or from an identity so far and the next number. Never 0.
 */
uint64_t sealed_identity(uint64_t so_far, uint64_t next);

/*
 * Puts the header for contents of @size bytes at @header, SEALED_HEADER_SIZE bytes before them.
 * This makes a file in memory, for tests.
 */
#define SEALED_HEADER_SIZE 40
void sealed_file_seal(void *header, uint64_t kind, uint64_t identity, size_t size);
