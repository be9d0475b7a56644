/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Ids made of what they stand for, so that machines that never met give the same thing the same id.
 *
 * An id is SipHash-2-4 of the words fed in, with a fixed key: 64 bits that any database can hold.
 * Ids are kept for years, so neither the function nor what it is fed may ever change.
 */
#include <stddef.h>
#include <stdint.h>

struct content_hash {
	uint64_t v[4];
	uint64_t n; /* words */
};

void content_hash_begin(struct content_hash *h);
void content_hash_number(struct content_hash *h, uint64_t n);

/* The length goes in, too: "a", "bc" is not "ab", "c". */
void content_hash_text(struct content_hash *h, const char *s);

/* Without a length: pieces of a multiple of 8 bytes are the same as all of them at once. */
void content_hash_bytes(struct content_hash *h, const char *bytes, size_t n);

/* Never 0, which stands for nothing. */
int64_t content_hash_id(struct content_hash *h);
