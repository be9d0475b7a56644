/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the function table of Go programs: reading ends, names are texts inside of the table, and
 * all of them together are no longer than it. The first byte chooses the byte order of the table.
 */
#include <stdlib.h>
#include <string.h>

#include "elf/go-functions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct check {
	const struct go_table *table;
	size_t length;
};

static void check_function(const struct go_function *f, void *arg)
{
	struct check *c = arg;
	const uint8_t *name = (const uint8_t *)f->name;
	size_t length = strlen(f->name);

	c->length += length;
	if (!f->size || !length || name < c->table->bytes ||
	    name + length >= c->table->bytes + c->table->size || c->length > c->table->size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;

	const struct go_table t = {
		.bytes = data + 1, .size = size - 1, .swap = data[0] & 1, .text = 0x1000
	};
	struct check c = { .table = &t };

	go_functions_read(&t, check_function, &c);
	return 0;
}
