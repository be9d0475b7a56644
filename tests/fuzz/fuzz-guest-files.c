/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes copies of a guest's /proc/modules and /proc/kallsyms, which come from another machine.
 * Modules come in order, with a name and an address, and a kernel does not end before it begins.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/kernel-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_modules(char *text)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list l = { 0 };

	kernel_modules_parse(text, &l);
	for (size_t i = 0; i < l.n; i++)
		if (!l.items[i].start || !l.items[i].name || !*l.items[i].name ||
		    (i && l.items[i].start < l.items[i - 1].start))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xmalloc(size + 1);
	struct kernel_text k;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (kernel_text_parse(text, &k) >= 0 && k.end && k.end < k.start)
		abort();
	check_modules(text);
	return 0;
}
