/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes filters on the data of samples: parsing ends and never reads beyond the text, an error has
 * a message and marks a place within the text, and an accepted filter ends with a whole group.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/data-filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct data_filter_items f = { .n = 0 };
	int r;

	/* Cgroup names would be looked up on this machine. */
	if (strstr(text, "cgroup"))
		return 0;
	r = data_filter_parse(&f, text, &diag);
	if (r == 0 ? diag.message != NULL : !diag.message)
		abort();
	if (diag.excerpt && diag.offset + diag.length > strlen(text))
		abort();
	if (f.n > DATA_FILTER_ITEMS_MAX || (r < 0 && f.n) || (r >= 0 && !f.n))
		abort();
	for (uint32_t i = 0; i < f.n; i++)
		if (f.items[i].term >= DATA_FILTER_TERMS || f.items[i].op >= DATA_FILTER_OPS)
			abort();
	if (f.n && !f.items[f.n - 1].ends_group)
		abort();
	return 0;
}
