/* SPDX-License-Identifier: MIT */
#include "transform/trimmed-sample.h"

#include <string.h>

#include "base/bytes.h"
#include "wire/sample.h"

/* What is kept: whole words, and one more, as a stack that is all used was cut by its size. */
static uint64_t kept_bytes(const struct sample *s)
{
	uint64_t used = s->stack_dyn_size < s->stack_size ? s->stack_dyn_size : s->stack_size;

	return (used + 7) / 8 * 8 + 8;
}

void trimmed_sample_add(const uint8_t *record, size_t size, const struct attr *attr,
			struct bytes *out)
{
	size_t start = out->n, before, behind;
	struct record_header h;
	struct sample s;
	uint64_t kept;

	if (sample_decode(record, size, false, attr, &s) < 0 || !s.stack_size ||
	    (kept = kept_bytes(&s)) >= s.stack_size) {
		bytes_add(out, record, size);
		return;
	}
	/* A stack is its size, its bytes, and how many of them are used. */
	before = (size_t)(s.stack - record) - sizeof(uint64_t);
	behind = (size_t)(s.stack - record) + (size_t)s.stack_size;
	bytes_add(out, record, before);
	bytes_u64(out, kept);
	bytes_add(out, s.stack, kept);
	bytes_add(out, record + behind, size - behind);
	memcpy(&h, out->data + start, sizeof(h));
	h.size = (uint16_t)(out->n - start);
	memcpy(out->data + start, &h, sizeof(h));
}
