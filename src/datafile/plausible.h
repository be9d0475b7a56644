/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds where records continue after damage: the bytes that look like headers of records. Private
 * to datafile/.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

/* Bytes that are searched for records. */
struct search {
	const uint8_t *bytes;
	size_t n;
	bool swap;
	bool to_end; /* nothing comes after them */
};

/*
 * True if a record with this header needs no further check: its type exists, and can have this
 * size.
 */
bool header_is_usual(const struct record_header *h);

/*
 * True if records follow one another at @at: several plausible ones in a row, or fewer up to the
 * very end.
 */
bool records_follow(const struct search *s, size_t at);

/*
 * Returns the first place from @at on, in steps of @step, at which records follow; s->n if there is
 * none.
 */
size_t records_find(const struct search *s, size_t at, size_t step);

/*
 * Returns the number of bytes after the record that are not part of it, as AUXTRACE and
 * HEADER_TRACING_DATA give it. @bytes contains the whole record.
 */
uint64_t record_payload_size(const uint8_t *bytes, const struct record_header *h, bool swap);
