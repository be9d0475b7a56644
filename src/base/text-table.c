/* SPDX-License-Identifier: MIT */
#include "base/text-table.h"

#include <stdlib.h>

#include "base/memory.h"

void text_table_done(struct text_table *t)
{
	intern_done(&t->texts);
	u64_map_done(&t->numbers);
	free(t->items);
}

uint32_t text_table_add(struct text_table *t, const char *s)
{
	const char *one = intern_text(&t->texts, s);
	uintptr_t number = (uintptr_t)u64_map_find(&t->numbers, (uintptr_t)one);

	if (number)
		return (uint32_t)(number - 1);
	*ARRAY_ADD(t) = one;
	u64_map_put(&t->numbers, (uintptr_t)one, (void *)(uintptr_t)t->n);
	return (uint32_t)(t->n - 1);
}
