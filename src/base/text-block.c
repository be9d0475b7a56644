/* SPDX-License-Identifier: MIT */
#include "base/text-block.h"

#include <string.h>

void text_block_init(struct text_block *t)
{
	*t = (struct text_block){ 0 };
	bytes_u8(&t->bytes, 0);
}

void text_block_done(struct text_block *t)
{
	bytes_done(&t->bytes);
	intern_done(&t->texts);
	u64_map_done(&t->offsets);
}

uint32_t text_block_add(struct text_block *t, const char *s)
{
	if (!s)
		return 0;

	const char *one = intern_text(&t->texts, s);
	uintptr_t at = (uintptr_t)u64_map_find(&t->offsets, (uintptr_t)one);

	if (!at) {
		at = t->bytes.n;
		u64_map_put(&t->offsets, (uintptr_t)one, (void *)at);
		bytes_add(&t->bytes, s, strlen(s) + 1);
	}
	return (uint32_t)at;
}

const char *text_block_at(const char *block, uint64_t size, uint32_t at)
{
	return at && at < size ? block + at : NULL;
}
