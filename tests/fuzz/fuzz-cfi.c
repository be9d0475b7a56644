/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the unwind information of ELF files: every address of the file has a rule, and a repeated
 * lookup returns the same one.
 */
#include <stdlib.h>

#include "elf/file.h"
#include "dwarf/unwind/cfi-rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OFFSETS_MAX 2048

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *f;

	if (elf_file_open_memory(data, size, &f) < 0)
		return 0;

	_cleanup_(cfi_rules_freep) struct cfi_rules *r = cfi_rules_new(f);

	for (uint64_t at = 0; at < size && at < OFFSETS_MAX; at += 4) {
		const struct unwind_rule *rule = cfi_rules_find(r, at);

		if (!rule || (rule->ra == UNWIND_SAME && rule->ra_register == UNWIND_NO_REGISTER))
			abort();
	}
	for (uint64_t at = 0; at < size && at < OFFSETS_MAX; at += 4)
		if (cfi_rules_find(r, at) != cfi_rules_find(r, at) ||
		    cfi_rules_is_leaf(r, at) != cfi_rules_is_leaf(r, at))
			abort();
	return 0;
}
