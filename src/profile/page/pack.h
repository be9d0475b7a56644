/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes in a zlib stream, which browsers can unpack.
 */
#include <stddef.h>

#include "base/bytes.h"

/* Adds the @n bytes at @data to @out, packed. */
void page_pack(const void *data, size_t n, struct bytes *out);
