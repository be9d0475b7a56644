/* SPDX-License-Identifier: MIT */
#include "capture/sampling-regs.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "arch/arch.h"
#include "arch/registers.h"
#include "base/diag.h"
#include "base/text.h"

static const struct arch_registers *registers_of(const struct arch *a)
{
	static const struct arch_registers none = { .lr = ARCH_NO_REGISTER };

	return a && a->registers ? a->registers : &none;
}

uint64_t sampling_regs_all(const struct arch *a)
{
	return registers_of(a)->sampled;
}

uint64_t sampling_regs_user(const struct arch *a, unsigned long hwcap)
{
	const struct arch_registers *r = registers_of(a);

	return r->sampled | (hwcap & r->hwcap ? r->optional : 0);
}

uint64_t sampling_regs_unwind(const struct arch *a)
{
	const struct arch_registers *r = registers_of(a);

	return r->n ? 1ULL << r->pc | 1ULL << r->sp : 0;
}

uint64_t sampling_regs_leaf(const struct arch *a)
{
	const struct arch_registers *r = registers_of(a);

	return r->lr == ARCH_NO_REGISTER ? 0 : 1ULL << r->lr;
}

static uint64_t sampling_regs_find(const struct arch *a, uint64_t allowed, const char *name,
				   size_t n)
{
	for (unsigned reg = 0; reg < 64; reg++) {
		const char *known = allowed >> reg & 1 ? arch_register_name(a, reg) : NULL;

		if (known && strlen(known) == n && !strncasecmp(known, name, n))
			return 1ULL << reg;
	}
	return 0;
}

int sampling_regs_parse(const struct arch *a, uint64_t allowed, const char *option,
			const char *names, uint64_t *ret, struct diag *diag)
{
	uint64_t mask = *names ? 0 : allowed;

	for (const char *s = names; *s;) {
		size_t n = strcspn(s, ",");
		uint64_t bit = sampling_regs_find(a, allowed, s, n);

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

void sampling_regs_list(const struct arch *a, uint64_t allowed, struct text *out)
{
	for (unsigned reg = 0; reg < 64; reg++) {
		const char *name = allowed >> reg & 1 ? arch_register_name(a, reg) : NULL;

		if (name)
			text_addf(out, "%s ", name);
	}
}
