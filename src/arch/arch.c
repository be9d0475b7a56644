/* SPDX-License-Identifier: MIT */
#include "arch/arch.h"

#include <string.h>
#include <sys/utsname.h>

const struct arch *const arch_all[] = {
#define MACHINE(name) &arch_##name,
#include "arch/machines.def"
#undef MACHINE
	NULL,
};

static bool arch_is_called(const struct arch *a, const char *name)
{
	for (size_t i = 0; a->names && a->names[i]; i++)
		if (!strcmp(a->names[i], name))
			return true;
	return false;
}

const struct arch *arch_find(const char *name)
{
	for (const struct arch *const *a = arch_all; name && *a; a++)
		if (arch_is_called(*a, name))
			return *a;
	return NULL;
}

const struct arch *arch_of_elf(uint16_t e_machine)
{
	for (const struct arch *const *a = arch_all; *a; a++)
		if ((*a)->elf_machine == e_machine)
			return *a;
	return NULL;
}

const struct arch *arch_of_registers(uint64_t mask)
{
	for (const struct arch *const *a = arch_all; *a; a++) {
		const struct arch_registers *r = (*a)->registers;

		if (r && !(mask & ~(r->sampled | r->optional)))
			return *a;
	}
	return NULL;
}

const struct arch *arch_host(void)
{
	struct utsname u;

	return uname(&u) == 0 ? arch_find(u.machine) : NULL;
}

bool arch_is_exception_entry(const char *name)
{
	for (const struct arch *const *a = arch_all; *a; a++) {
		const char *prefix = (*a)->exception_prefix;

		if (prefix && !strncmp(name, prefix, strlen(prefix)))
			return true;
	}
	return false;
}
