/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes /proc/PID/maps: every line is read once and in order, and a map's name lies within the
 * text.
 */
#include <stdint.h>
#include <stdlib.h>

#include "kernel/proc-maps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *begin = (const char *)data, *text = begin;
	const char *end = begin + size, *last = begin;
	struct proc_map m;

	while (proc_maps_next(&text, &size, &m)) {
		if (m.end < m.start || m.name < last || m.name + m.name_length > text ||
		    text + size != end)
			abort();
		last = text;
	}
	if (size)
		abort();
	return 0;
}
