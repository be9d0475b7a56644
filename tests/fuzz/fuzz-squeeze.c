/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes tables of any characters that are squeezed to any width: the result is at most one line
 * end longer than the text.
 *
 * Input: a byte (the columns), the lines.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/squeeze.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(freep) char *lines = NULL;

	if (!size)
		return 0;
	lines = xstrndup((const char *)data + 1, size - 1);
	text_add_squeezed(&t, lines, data[0]);
	if (t.length > strlen(lines) + 1 || strlen(t.chars) != t.length)
		abort();
	return 0;
}
