/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's constant strings by address: what tracefs's printk_formats lists, and a perf.data
 * file has a copy of. Tracepoints that record a pointer to such a string are printed with its text.
 *
 * The text is hostile; lines that are not `0xADDR : "text"` are left out. Strings are as the kernel
 * escaped them, without the quotes and without a line's end at theirs.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct printk_formats;

/* Reads @n bytes of @text, which need not outlive the result. */
struct printk_formats *printk_formats_new(const char *text, size_t n);
void printk_formats_free(struct printk_formats *p);
DEFINE_FREEP(printk_formats)

/* The string at exactly @addr, or NULL. Belongs to @p. O(log n). */
const char *printk_formats_find(const struct printk_formats *p, uint64_t addr);
