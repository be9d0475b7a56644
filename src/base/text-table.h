/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Texts as numbers, in the order of their first use: the string table of most formats.
 *
 * `struct text_table t = { 0 };` is empty; text_table_done() releases it.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/u64-map.h"

struct text_table {
	struct intern texts;
	struct u64_map numbers; /* by the text's one copy: its number + 1 */
	const char **items;
	size_t n, room;
};

void text_table_done(struct text_table *t);

/* Returns the number of @s, which is copied if it is new. */
uint32_t text_table_add(struct text_table *t, const char *s);
