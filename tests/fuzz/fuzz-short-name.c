/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes names of any characters, shortened to any width: the result is no longer than the name and
 * its dots.
 *
 * Input: a byte (the columns), the name.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/short-name.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(freep) char *name = NULL;

	if (!size)
		return 0;
	name = xstrndup((const char *)data + 1, size - 1);
	name_shorten(&t, name, data[0], "...");
	/* Each '<' may get dots, and so may the beginning. */
	if (t.length > 5 * strlen(name) + 5 || strlen(t.chars) != t.length)
		abort();
	return 0;
}
