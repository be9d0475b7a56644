/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Texts in one block of bytes, each stored once and identified by its offset. Files that are kept
 * for the next run (base/sealed-file.h) end with such a block.
 *
 * `struct text_block t = { 0 };` is empty; text_block_done() releases it.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/u64-map.h"

struct text_block {
	struct bytes bytes; /* begins with a NUL, so no text has offset 0 */
	struct intern texts;
	struct u64_map offsets; /* by the address in @texts */
};

void text_block_init(struct text_block *t);
void text_block_done(struct text_block *t);

/* Returns the offset of @s; 0 if @s is NULL. */
uint32_t text_block_add(struct text_block *t, const char *s);

/*
 * Returns the text at offset @at of a block of @size bytes at @block, which ends with a NUL; NULL:
 * none.
 */
const char *text_block_at(const char *block, uint64_t size, uint32_t at);
