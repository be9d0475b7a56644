/* SPDX-License-Identifier: MIT */
#include "code/target.h"

const struct disasm_target *const disasm_targets[] = { &disasm_x86_64, &disasm_aarch64, NULL };

const struct disasm_target *disasm_target_find(const struct arch *arch)
{
	for (const struct disasm_target *const *t = disasm_targets; *t; t++)
		if ((*t)->arch == arch)
			return *t;
	return NULL;
}
