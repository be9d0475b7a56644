/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The library that the kernel gives to every process: there is no file, but a copy of it is in our
 * own memory.
 */
#include <stddef.h>

/* Our own one, which stays where it is. -ENOENT: this process has none. */
int vdso_get(const void **ret, size_t *ret_size);
