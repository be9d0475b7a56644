/* SPDX-License-Identifier: MIT */
#include "arch/machine.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

static const struct {
	const char *name;
	enum machine_type machine;
} names[] = {
	{ "aarch64", MACHINE_AARCH64 }, { "arm64", MACHINE_AARCH64 }, { "x86_64", MACHINE_X86_64 },
	{ "x86", MACHINE_X86_64 },      { "i386", MACHINE_X86_64 },   { "i486", MACHINE_X86_64 },
	{ "i586", MACHINE_X86_64 },     { "i686", MACHINE_X86_64 },
};

enum machine_type machine_from_uname(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].machine;
	return MACHINE_UNKNOWN;
}

enum machine_type machine_from_elf(uint16_t e_machine)
{
	return e_machine == EM_X86_64    ? MACHINE_X86_64
	       : e_machine == EM_AARCH64 ? MACHINE_AARCH64
					 : MACHINE_UNKNOWN;
}

enum machine_type machine_host(void)
{
#if defined(__x86_64__)
	return MACHINE_X86_64;
#elif defined(__aarch64__)
	return MACHINE_AARCH64;
#else
	return MACHINE_UNKNOWN;
#endif
}
