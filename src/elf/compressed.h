/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that were packed whole, as distributions do with kernel modules: .gz, .xz and .zst, known
 * by their first bytes. Each needs its library; without it reading fails with -ENOTSUP.
 */
#include <stdbool.h>
#include <stddef.h>

/* Does the file open at @fd begin like a packed one? The file position does not change. */
bool compressed_is(int fd);

/*
 * Unpacks the file @path into a fresh buffer. -EFBIG: it would become unreasonably large; -EBADMSG:
 * it is damaged.
 */
int compressed_read(const char *path, char **ret, size_t *ret_size);

/* The same of a packed file that is in memory. -EINVAL: it does not begin like one. */
int compressed_unpack(const void *bytes, size_t size, char **ret, size_t *ret_size);
