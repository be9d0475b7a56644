/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * struct attr to and from the bytes of a file: any size from 64 bytes up, either byte order.
 */
#include <stdbool.h>
#include <stddef.h>

#include "wire/attr.h"

#define ATTR_SIZE_MIN 64

/*
 * Decodes @size bytes (attr.size of them count, 64 if that is 0). What is missing is 0; what is
 * beyond our struct is left out, and *@ret_unknown tells whether any of it was not zero. -EBADMSG:
 * fewer than 64 bytes, or attr.size larger than @size or not a multiple of 8.
 */
int attr_decode(const void *bytes, size_t size, bool swap, struct attr *ret, bool *ret_unknown);

/*
 * The smallest size that an older tool knows (64, 72, 80, 96, 104, 112, 120, 128, 136, 144) which
 * holds all fields of @attr that are not zero. 6.1 writes 128 and reads no more.
 */
uint32_t attr_size_needed(const struct attr *attr);
