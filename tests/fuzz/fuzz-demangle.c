/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the demangler, whose symbol names come from any program that was recorded. The result is
 * bounded in size and computed in bounded time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "symbol/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LENGTH_MAX (64 << 10)

static void check(char *plain)
{
	if (plain && strlen(plain) > LENGTH_MAX)
		abort();
	free(plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *name = xstrndup((const char *)data, size);

	check(demangle(name));
	check(demangle_with_parameters(name));
	return 0;
}
