/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes in a zlib stream, which browsers can unpack.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* What the blocks of pages are packed with; false: this perf was built without zlib. */
bool page_packs(void);

/* Adds the @n bytes at @data to @out, packed; as they are if there is no zlib. */
void page_pack(const void *data, size_t n, struct bytes *out);
