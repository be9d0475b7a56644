/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which file a build-id is of, where several have the same path: 32 bytes behind the name in an
 * entry of BUILD_ID, where other readers see the padding of the name.
 *
 *	u8 "file-id\0"; u32 maj, min; u64 ino, generation
 */
#include <stddef.h>
#include <stdint.h>

#include "base/file-id.h"

struct bytes;
struct cursor;

/* Appends it; nothing if @id is not known. */
void file_id_tail_put(const struct file_id *id, struct bytes *out);

/* The one at the end of @name, which is all that an entry has from its name on; or not known. */
struct file_id file_id_tail_get(const struct cursor *name);
