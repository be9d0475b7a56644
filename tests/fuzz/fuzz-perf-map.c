/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes /tmp/perf-PID.map, which is written by programs that are being profiled. Reading ends, the
 * table is in order, no range is negative, and every symbol is found at its start.
 */
#include <stdint.h>
#include <stdlib.h>

#include "symbol/perf-map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct symbol_table t;

	symbol_table_init(&t, NULL);
	perf_map_parse((const char *)data, size, &t);
	for (size_t i = 0; i < t.n; i++) {
		const struct symbol *s = &t.items[i];

		if (s->end < s->start || (i && s->start <= s[-1].start) ||
		    symbol_table_find(&t, s->start) != s)
			abort();
	}
	symbol_table_done(&t);
	return 0;
}
