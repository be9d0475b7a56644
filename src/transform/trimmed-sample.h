/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples without what their copy of the stack has no use for.
 *
 * The kernel makes room for as many bytes as were asked for, and fills only those up to the end of
 * the stack, mostly a few KiB. What is not copied out of a ring buffer costs neither time nor room
 * in the caches.
 */
#include <stddef.h>
#include <stdint.h>

struct attr;
struct bytes;

/*
 * Appends the sample record of @attr at @record, @size bytes long: with its stack cut a word behind
 * what is used of it, or as it is where that saves nothing.
 */
void trimmed_sample_add(const uint8_t *record, size_t size, const struct attr *attr,
			struct bytes *out);
