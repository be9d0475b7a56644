/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The library that the kernel maps into every process: there is no file, but our own memory
 * contains a copy.
 */
#include <stddef.h>

/* Returns our own copy, which never moves. -ENOENT: this process has none. */
int vdso_get(const void **ret, size_t *ret_size);
