/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decompresses zlib data in one call: with libdeflate, which takes less than half of zlib's time,
 * if it is installed, else with zlib. Any number of threads may use it at once.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct unzip;

struct unzip *unzip_new(void);
void unzip_free(struct unzip *u);
DEFINE_FREEP(unzip)

/* Decompresses @n bytes into exactly @size bytes. False: they are damaged, or the size differs. */
bool unzip(const struct unzip *u, const void *bytes, size_t n, void *to, size_t size);
