/* SPDX-License-Identifier: MIT */
/* Fuzzes a page of the kernel's trace buffer: the records that are found lie within it. */
#include <stdint.h>
#include <stdlib.h>

#include "tools/ftrace/graph-calls-model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_call(void *arg, uint64_t func, uint64_t duration_ns)
{
	(void)arg, (void)func, (void)duration_ns;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct graph_listener listener = { ignore_call, NULL };
	const struct graph_layout layout = {
		.entry_id = 11,
		.exit_id = 10,
		.type = { .size = 2, .kind = FIELD_NUMBER },
		.func = { .offset = 8, .size = 8, .kind = FIELD_NUMBER },
		.calltime = { .offset = 24, .size = 8, .kind = FIELD_NUMBER },
		.rettime = { .offset = 32, .size = 8, .kind = FIELD_NUMBER },
	};
	struct graph_counts counts = { 0 };
	struct ring_record r;
	struct ring_page p;

	graph_page_take(&layout, data, size, &listener, &counts);
	if (ring_page_open(data, size, &p) < 0)
		return 0;
	while (ring_page_next(&p, &r))
		if (r.bytes < data || r.bytes + r.size > data + size)
			abort();
	return 0;
}
