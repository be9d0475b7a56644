/* SPDX-License-Identifier: MIT */
#include "arch/registers.h"

#include <limits.h>

#include "arch/arch.h"

static const struct arch_register *registers_find(const struct arch *a, unsigned reg)
{
	const struct arch_registers *r = a ? a->registers : NULL;

	return r && reg < r->n && r->items[reg].name ? &r->items[reg] : NULL;
}

const char *arch_register_name(const struct arch *a, unsigned reg)
{
	const struct arch_register *r = registers_find(a, reg);

	return r ? r->name : NULL;
}

unsigned arch_register_pc(const struct arch *a)
{
	return a && a->registers ? a->registers->pc : UINT_MAX;
}

bool arch_register_dwarf(const struct arch *a, unsigned reg, unsigned *ret)
{
	const struct arch_register *r = registers_find(a, reg);

	if (!r || r->dwarf == ARCH_NO_REGISTER)
		return false;
	*ret = r->dwarf;
	return true;
}
