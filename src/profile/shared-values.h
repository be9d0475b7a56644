/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Values of sort keys that are more than a number (texts, small structs), as numbers: equal bytes,
 * same number. Any number of threads may add and look; only who adds takes a lock. Values never
 * move.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct shared_values;

struct shared_values *shared_values_new(void);
/* Another one with the same values, also those that are added later, but with notes of its own. */
struct shared_values *shared_values_share(struct shared_values *v);
void shared_values_free(struct shared_values *v);
DEFINE_FREEP(shared_values)

/* The number of the @n bytes at @bytes; never 0. */
uint64_t shared_values_add(struct shared_values *v, const void *bytes, size_t n);

/* The same for a text. */
uint64_t shared_values_add_text(struct shared_values *v, const char *text);

/*
 * The bytes that @number, which is not 0, stands for: aligned for every type, followed by a NUL, so
 * that a text can be read as one.
 */
const void *shared_value(uint64_t number, size_t *ret_n);
const char *shared_value_text(uint64_t number);

/* About how many bytes all values take. */
size_t shared_values_bytes(const struct shared_values *v);

/*
 * What was noted under the bytes (@bytes, @n, @salt); 0: nothing yet. For values that are costly to
 * make, and for things that stand for others.
 */
uint64_t shared_values_noted(const struct shared_values *v, const void *bytes, size_t n,
			     uint64_t salt);

/* Notes @value, not 0, unless somebody was first; returns what stands there. */
uint64_t shared_values_note(struct shared_values *v, const void *bytes, size_t n, uint64_t salt,
			    uint64_t value);
