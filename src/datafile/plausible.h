/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where records go on after damage: which bytes look like headers of records. Private to
 * datafile/.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/record.h"

/* Bytes in which to look for records. */
struct search {
	const uint8_t *bytes;
	size_t n;
	bool swap;
	bool to_end; /* nothing comes after them */
};

/* Whether a record of this header needs no second look: a type that exists, a size it can have. */
bool header_is_usual(const struct record_header *h);

/*
 * Whether records follow one another at @at: several in a row that could be, or fewer up to the
 * very end.
 */
bool records_follow(const struct search *s, size_t at);

/* The first place from @at on, in steps of @step, at which records follow; s->n if none. */
size_t records_find(const struct search *s, size_t at, size_t step);

/*
 * How many bytes follow the record outside of it: AUXTRACE and HEADER_TRACING_DATA say so. @bytes
 * holds the whole record.
 */
uint64_t record_payload_size(const uint8_t *bytes, const struct record_header *h, bool swap);
