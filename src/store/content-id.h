/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Ids that are computed from content, so that independent machines give the same content the same
 * id.
 *
 * An id is SipHash-2-4 of the input words, with a fixed key: 64 bits that any database can hold.
 * Ids are kept for years, so neither the function nor its input may ever change.
 */
#include <stddef.h>
#include <stdint.h>

struct content_hash {
	uint64_t v[4];
	uint64_t n; /* the number of words */
};

void content_hash_begin(struct content_hash *h);
void content_hash_number(struct content_hash *h, uint64_t n);

/* Adds a text with its length: "a", "bc" is not "ab", "c". */
void content_hash_text(struct content_hash *h, const char *s);

/*
 * Adds bytes without a length: pieces of a multiple of 8 bytes give the same as all of them at
 * once.
 */
void content_hash_bytes(struct content_hash *h, const char *bytes, size_t n);

/* Returns the id. It is never 0, which stands for nothing. */
int64_t content_hash_id(struct content_hash *h);
