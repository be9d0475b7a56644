/* SPDX-License-Identifier: MIT */
#include "capture/sampling-regs.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "arch/registers.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"

/*
 * Bits as in the kernel's uapi/asm/perf_regs.h: x86_64 has no ds, es, fs and gs to give (bits 12 to
 * 15) and ip as 8, sp as 7; aarch64 has x0 to x29, lr, sp and pc.
 */
static const struct {
	enum machine_type machine;
	uint64_t all, unwind, leaf;
} machines[] = {
	{ MACHINE_X86_64, 0xff0fff, 1 << 8 | 1 << 7, 0 },
	{ MACHINE_AARCH64, 0x1ffffffffULL, 1ULL << 32 | 1ULL << 31, 1ULL << 30 },
};

uint64_t sampling_regs_all(enum machine_type machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].all;
	return 0;
}

/* HWCAP_SVE of aarch64's asm/hwcap.h. */
#define HWCAP_VECTORS (1UL << 22)

uint64_t sampling_regs_user(enum machine_type machine, unsigned long hwcap)
{
	uint64_t all = sampling_regs_all(machine);

	return machine == MACHINE_AARCH64 && hwcap & HWCAP_VECTORS ? all | SAMPLING_REG_VG : all;
}

uint64_t sampling_regs_unwind(enum machine_type machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].unwind;
	return 0;
}

uint64_t sampling_regs_leaf(enum machine_type machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine)
			return machines[i].leaf;
	return 0;
}

static uint64_t find(enum machine_type machine, uint64_t allowed, const char *name, size_t n)
{
	for (unsigned reg = 0; reg < 64; reg++) {
		const char *known = allowed >> reg & 1 ? arch_register_name(machine, reg) : NULL;

		if (known && strlen(known) == n && !strncasecmp(known, name, n))
			return 1ULL << reg;
	}
	return 0;
}

int sampling_regs_parse(enum machine_type machine, uint64_t allowed, const char *option,
			const char *names, uint64_t *ret, struct diag *diag)
{
	uint64_t mask = *names ? 0 : allowed;

	for (const char *s = names; *s;) {
		size_t n = strcspn(s, ",");
		uint64_t bit = find(machine, allowed, s, n);

		if (!bit) {
			diag_mark(diag, -EINVAL, names, (size_t)(s - names), n,
				  "--%s: there is no register '%.*s'", option, (int)n, s);
			diag_hint(diag, "List them: perf record --%s=?", option);
			return -EINVAL;
		}
		mask |= bit;
		s += n + (s[n] == ',');
	}
	*ret = mask;
	return 0;
}

void sampling_regs_list(enum machine_type machine, uint64_t allowed, struct text *out)
{
	for (unsigned reg = 0; reg < 64; reg++) {
		const char *name = allowed >> reg & 1 ? arch_register_name(machine, reg) : NULL;

		if (name)
			text_addf(out, "%s ", name);
	}
}
