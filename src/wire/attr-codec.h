/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts struct attr to and from the bytes of a file: any size from 64 bytes up, either byte
 * order.
 */
#include <stdbool.h>
#include <stddef.h>

#include "wire/attr.h"

#define ATTR_SIZE_MIN 64

/*
 * Decodes @size bytes (attr.size of them count, or 64 if that is 0). Missing fields are 0. Bytes
 * beyond our struct are ignored, and *@ret_unknown is true if any of them was not zero. Returns
 * -EBADMSG if there are fewer than 64 bytes, or if attr.size is larger than @size or not a multiple
 * of 8.
 */
int attr_decode(const void *bytes, size_t size, bool swap, struct attr *ret, bool *ret_unknown);

/*
 * Returns the smallest size known to an older tool (64, 72, 80, 96, 104, 112, 120, 128, 136, 144)
 * that contains all fields of @attr that are not zero. 6.1 writes 128 and reads no more.
 */
uint32_t attr_size_needed(const struct attr *attr);
