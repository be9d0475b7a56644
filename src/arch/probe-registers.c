/* SPDX-License-Identifier: MIT */
#include "arch/probe-registers.h"

#include <ctype.h>
#include <string.h>

#include "arch/arch.h"

const char *arch_probe_register(const struct arch *a, unsigned dwarf_register)
{
	const struct arch_registers *r = a ? a->registers : NULL;

	if (dwarf_register == ARCH_NO_REGISTER)
		return NULL;
	for (size_t i = 0; r && i < r->n; i++)
		if (r->items[i].name && r->items[i].dwarf == dwarf_register)
			return r->items[i].probe;
	return NULL;
}

bool arch_argument_register(const struct arch *a, size_t n, unsigned *ret)
{
	if (!a || !a->probes || n >= a->probes->n_arguments)
		return false;
	*ret = a->probes->arguments[n];
	return true;
}

static bool probe_registers_is_known(const struct arch *a, const char *name)
{
	const struct arch_registers *r = a->registers;

	for (size_t i = 0; i < r->n; i++)
		if (r->items[i].probe && !strcmp(r->items[i].probe + 1, name))
			return true;
	for (const char *const *more = a->probes->more_names; *more; more++)
		if (!strcmp(*more, name))
			return true;
	return false;
}

/* Finds the kernel's name for the assembler's "rax", "eax", "RAX", "r8d", "w0". */
static void find_meant(const struct arch *a, const char *name, char ret[8])
{
	size_t n = strlen(name);
	char lower[8];

	if (n >= sizeof(lower))
		return;
	for (size_t i = 0; i <= n; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	if (probe_registers_is_known(a, lower))
		strcpy(ret, lower);
	else
		(void)a->probes->find_register(lower, n, ret);
}

bool arch_probe_knows(const struct arch *a, const char *name, char ret_meant[8])
{
	ret_meant[0] = '\0';
	if (!a || !a->probes || probe_registers_is_known(a, name))
		return true;
	find_meant(a, name, ret_meant);
	return false;
}
