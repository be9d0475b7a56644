/* SPDX-License-Identifier: MIT */
#include "arch/probe-registers.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

/* By the psABI of x86-64, figure 3.36. */
static const char *const x86[] = {
	"%ax", "%dx", "%cx",  "%bx",  "%si",  "%di",  "%bp",  "%sp",
	"%r8", "%r9", "%r10", "%r11", "%r12", "%r13", "%r14", "%r15",
};

static const char *const x86_special[] = { "ip", "flags", "cs", "ss", "orig_ax" };

/* rdi, rsi, rdx, rcx, r8, r9. */
static const unsigned char x86_arguments[] = { 5, 4, 1, 2, 8, 9 };

static const char *const aarch64[] = {
	"%x0",  "%x1",  "%x2",  "%x3",  "%x4",  "%x5",  "%x6",  "%x7",  "%x8",  "%x9",  "%x10",
	"%x11", "%x12", "%x13", "%x14", "%x15", "%x16", "%x17", "%x18", "%x19", "%x20", "%x21",
	"%x22", "%x23", "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%lr",  "%sp",
};

static const char *const aarch64_special[] = { "x30", "pc", "pstate" };

#define AARCH64_ARGUMENTS 8

const char *arch_probe_register(enum machine_type machine, unsigned dwarf_register)
{
	switch (machine) {
	case MACHINE_X86_64:
		return dwarf_register < ARRAY_SIZE(x86) ? x86[dwarf_register] : NULL;
	case MACHINE_AARCH64:
		return dwarf_register < ARRAY_SIZE(aarch64) ? aarch64[dwarf_register] : NULL;
	case MACHINE_UNKNOWN:
		break;
	}
	return NULL;
}

bool arch_argument_register(enum machine_type machine, size_t n, unsigned *ret)
{
	switch (machine) {
	case MACHINE_X86_64:
		if (n >= ARRAY_SIZE(x86_arguments))
			return false;
		*ret = x86_arguments[n];
		return true;
	case MACHINE_AARCH64:
		*ret = (unsigned)n;
		return n < AARCH64_ARGUMENTS;
	case MACHINE_UNKNOWN:
		break;
	}
	return false;
}

static const char *find(const char *const *names, size_t n, size_t skip, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i] + skip, name))
			return names[i] + skip;
	return NULL;
}

static const char *find_known(enum machine_type machine, const char *name)
{
	const char *known;

	if (machine == MACHINE_X86_64) {
		known = find(x86, ARRAY_SIZE(x86), 1, name);
		return known ? known : find(x86_special, ARRAY_SIZE(x86_special), 0, name);
	}
	known = find(aarch64, ARRAY_SIZE(aarch64), 1, name);
	return known ? known : find(aarch64_special, ARRAY_SIZE(aarch64_special), 0, name);
}

/* The assembler's "rax", "eax", "RAX", "r8d", "w0". */
static const char *find_meant(enum machine_type machine, const char *name)
{
	char lower[8];
	size_t n = strlen(name);

	if (n < 2 || n >= sizeof(lower))
		return NULL;
	for (size_t i = 0; i <= n; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);

	const char *meant = find_known(machine, lower);

	if (meant)
		return meant;
	if (machine == MACHINE_AARCH64) {
		lower[0] = 'x';
		return find_known(machine, lower);
	}
	if (isdigit((unsigned char)lower[1])) {
		lower[n - 1] = '\0';
		return find_known(machine, lower);
	}
	return find_known(machine, lower + 1);
}

bool arch_probe_knows(enum machine_type machine, const char *name, const char **ret_meant)
{
	*ret_meant = NULL;
	if (machine == MACHINE_UNKNOWN || find_known(machine, name))
		return true;
	*ret_meant = find_meant(machine, name);
	return false;
}
