/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Compressed files, as distributions ship kernel modules: .gz, .xz and .zst, recognised by their
 * first bytes. Each needs its library; without it reading fails with -ENOTSUP.
 */
#include <stdbool.h>
#include <stddef.h>

/* The limit for a module: the largest have some ten megabytes. */
#define COMPRESSED_MODULE_MAX ((size_t)512 << 20)

/* True if the file open at @fd begins like a compressed one. The file position does not change. */
bool compressed_is(int fd);

/*
 * Decompresses the file open at @fd into a new buffer. -EFBIG: the result would be too large;
 * -EBADMSG: it is damaged.
 */
int compressed_read(int fd, char **ret, size_t *ret_size);

/* True if a file that begins with the @size bytes is compressed by gzip. */
bool compressed_is_gzip(const void *bytes, size_t size);

/*
 * Does the same for a compressed file in memory. -EINVAL: it does not begin like one; -EFBIG: the
 * result is larger than @limit.
 */
int compressed_unpack(const void *bytes, size_t size, size_t limit, char **ret, size_t *ret_size);
