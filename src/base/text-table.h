/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Texts as numbers, in order of their first use: the string table that most formats have.
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

/* The number of @s; a copy is made if it is new. */
uint32_t text_table_add(struct text_table *t, const char *s);
