/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Identifies the file of a build-id if several files have the same path: 32 bytes after the name in
 * an entry of BUILD_ID, which other readers treat as padding of the name.
 *
 *	u8 "file-id\0"; u32 maj, min; u64 ino, generation
 */
#include <stddef.h>
#include <stdint.h>

#include "base/file-id.h"

struct bytes;
struct cursor;

/* Appends it, and nothing if @id is unknown. */
void file_id_tail_put(const struct file_id *id, struct bytes *out);

/*
 * Returns the id at the end of @name, which is the rest of an entry from its name on; or an unknown
 * id.
 */
struct file_id file_id_tail_get(const struct cursor *name);
