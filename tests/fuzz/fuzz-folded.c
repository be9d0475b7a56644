/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes folded lines, which come from other programs. Any division of the text into pieces gives
 * the same boxes, and no box is larger than the one below it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/folded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct flame *read_in(const uint8_t *data, size_t size, size_t step)
{
	struct folded_reader *r = folded_reader_new(flame_builder_new("all"), FLAME_AFTER, true,
						    false);
	struct folded_facts facts;
	struct flame_builder *b;
	struct flame *f;

	for (size_t i = 0; i < size; i += step)
		folded_reader_take(r, (const char *)data + i, size - i < step ? size - i : step);
	b = folded_reader_end(r, &facts);
	f = flame_builder_finish(b, facts.is_comparison);
	flame_builder_free(b);
	folded_reader_free(r);
	return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flame *a = read_in(data, size, 7), *b = read_in(data, size, size + 1);

	if (a->n != b->n)
		abort();
	for (size_t i = 0; i < a->n; i++) {
		const struct flame_box *box = &a->boxes[i];

		if (strcmp(box->name, b->boxes[i].name) ||
		    memcmp(box->value, b->boxes[i].value, sizeof(box->value)))
			abort();
		if (i &&
		    box->value[FLAME_AFTER].total > a->boxes[box->parent].value[FLAME_AFTER].total)
			abort();
	}
	flame_free(a);
	flame_free(b);
	return 0;
}
