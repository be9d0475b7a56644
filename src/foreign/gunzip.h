/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files packed by gzip, unpacked in memory.
 */
#include <stdbool.h>
#include <stddef.h>

/* Whether a file that begins with these bytes is packed. */
bool gunzip_is_packed(const char *begin, size_t n);

/*
 * Unpacks; the caller frees *@ret. -EBADMSG: damaged, cut short, or larger than any packed profile
 * may be.
 */
int gunzip(const char *packed, size_t n, char **ret, size_t *ret_n);
