/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Unpacks what zlib has packed, whole: by libdeflate, which takes less than half of zlib's time, if
 * that is installed, and else by zlib. Any number of threads may at once.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct unzip;

/* NULL: this build has no zlib, and the machine no libdeflate. */
struct unzip *unzip_new(void);
void unzip_free(struct unzip *u);
DEFINE_FREEP(unzip)

/* Unpacks @n bytes into exactly @size. false: they are damaged, or become more or fewer. */
bool unzip(const struct unzip *u, const void *bytes, size_t n, void *to, size_t size);
