/* SPDX-License-Identifier: MIT */
#include "wire/record-codec.h"

struct words words_take(struct cursor *c, uint64_t n)
{
	/*
	 * Compared before it is multiplied, because the product of an untrusted count may overflow
	 * to a small number.
	 */
	bool fits = n <= cursor_left(c) / sizeof(uint64_t);
	const uint8_t *p = cursor_bytes(c, fits ? n * sizeof(uint64_t) : UINT64_MAX);

	return (struct words){ .bytes = p, .n = p ? n : 0, .swap = c->swap };
}

void words_put(const struct words *w, struct bytes *out)
{
	if (!w->swap)
		bytes_add(out, w->bytes, w->n * sizeof(uint64_t));
	else
		for (size_t i = 0; i < w->n; i++)
			bytes_u64(out, words_get(w, i));
}
