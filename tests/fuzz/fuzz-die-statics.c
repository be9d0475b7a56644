/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the search for static variables in .debug_info with any entries and abbreviations. The
 * variables that are found lie within the bytes.
 *
 * The first byte is the size of the abbreviations, which come first.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "dwarf/die-file.h"
#include "dwarf/die-statics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(die_statics_done) struct die_statics s = { 0 };
	size_t n = size ? data[0] : 0;
	struct die_file f;

	if (!size)
		return 0;
	size--;
	n = n < size ? n : size;
	f = (struct die_file){ .abbrev = { data + 1, n }, .info = { data + 1 + n, size - n } };
	if (die_statics_read(&f, UINT64_MAX, &s) < 0)
		return 0;
	for (size_t i = 0; i < s.n; i++)
		if (s.items[i].entry >= size - n || (i && s.items[i].addr < s.items[i - 1].addr))
			abort();
	return 0;
}
