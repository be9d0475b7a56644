/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's constant strings by address: the list in tracefs's printk_formats, of which a
 * perf.data file has a copy. Tracepoints that record a pointer to such a string are printed with
 * its text.
 *
 * The text is not trusted; lines that are not `0xADDR : "text"` are ignored. Strings are as the
 * kernel escaped them, without the quotes and without a newline at the end.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct printk_formats;

/* Reads @n bytes of @text, which need not outlive the result. */
struct printk_formats *printk_formats_new(const char *text, size_t n);
void printk_formats_free(struct printk_formats *p);
DEFINE_FREEP(printk_formats)

/* Returns the string at exactly @addr, or NULL. It belongs to @p. O(log n). */
const char *printk_formats_find(const struct printk_formats *p, uint64_t addr);
