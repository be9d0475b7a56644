/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file in which a program keeps, for its next run, what it worked out of other files.
 *
 * It is written whole or not at all, and opened only as it was written: its kind (a number that
 * also changes with the layout), its identity (of what it was made from) and a checksum have to
 * match. Its bytes are in this machine's byte order, begin at a multiple of 8, and are mapped.
 * Whoever reads them still checks them: a checksum keeps accidents away, not malice.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct guarded_map;

/* `{ 0 }` is none. */
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
 * removed: most are of builds that are gone, and the others are soon made again.
 */
int sealed_file_write(const char *path, uint64_t kind, uint64_t identity, const void *bytes,
		      size_t size);

/* An identity: of a number, or of an identity so far and the next number. Never 0. */
uint64_t sealed_identity(uint64_t so_far, uint64_t next);

/*
 * Puts the header for contents of @size bytes at @header, SEALED_HEADER_SIZE bytes before them: a
 * file made in memory. For tests.
 */
#define SEALED_HEADER_SIZE 40
void sealed_file_seal(void *header, uint64_t kind, uint64_t identity, size_t size);
