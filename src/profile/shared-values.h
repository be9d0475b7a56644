/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Values of sort keys that are more than a number (texts, small structs), as numbers: equal bytes
 * have the same number. Any number of threads may add and look up; only adding takes a lock. Values
 * never move.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct shared_values;

struct shared_values *shared_values_new(void);
/*
 * Returns another object with the same values, including those that are added later, but with notes
 * of its own.
 */
struct shared_values *shared_values_share(struct shared_values *v);
void shared_values_free(struct shared_values *v);
DEFINE_FREEP(shared_values)

/* Returns the number of the @n bytes at @bytes; never 0. */
uint64_t shared_values_add(struct shared_values *v, const void *bytes, size_t n);

/* Does the same for a text. */
uint64_t shared_values_add_text(struct shared_values *v, const char *text);

/*
 * Return the bytes for @number, which is not 0. They are aligned for every type and followed by a
 * NUL, so that a text can be read as one.
 */
const void *shared_value(uint64_t number, size_t *ret_n);
const char *shared_value_text(uint64_t number);

/* Returns the approximate size of all values in bytes. */
size_t shared_values_bytes(const struct shared_values *v);

/*
 * Returns the note that is stored under the bytes (@bytes, @n, @salt); 0: none yet. Notes are for
 * values that are costly to compute, and for values that stand for others.
 */
uint64_t shared_values_noted(const struct shared_values *v, const void *bytes, size_t n,
			     uint64_t salt);

/* Stores the note @value, not 0, unless there is a note already. Returns the stored note. */
uint64_t shared_values_note(struct shared_values *v, const void *bytes, size_t n, uint64_t salt,
			    uint64_t value);
