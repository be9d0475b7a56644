/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/frame-rules.h"

#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"

struct unwind_rule unwind_rule_by_record(const struct arch_convention *c)
{
	return (struct unwind_rule){
		.cfa_register = c->fp,
		.ra_register = UNWIND_NO_REGISTER,
		.ra = UNWIND_AT_CFA,
		.fp = UNWIND_AT_CFA,
		.hides_sp = c->record.hides_sp,
		.cfa_offset = c->record.cfa,
		.ra_offset = c->record.ra,
		.fp_offset = c->record.fp,
	};
}

struct unwind_rule unwind_rule_by_stack(const struct arch_convention *c, size_t i)
{
	return (struct unwind_rule){
		.cfa_register = c->sp,
		.ra_register = UNWIND_NO_REGISTER,
		.ra = UNWIND_AT_CFA,
		.fp = UNWIND_SAME,
		.cfa_offset = 8 * ((int32_t)i + 1),
		.ra_offset = -8,
	};
}

/* The rule is a guess: the frame may have been made already, so the caller's sp is not known. */
struct unwind_rule unwind_rule_by_link_register(const struct arch_convention *c)
{
	return (struct unwind_rule){
		.cfa_register = c->sp,
		.ra_register = c->lr,
		.ra = UNWIND_SAME,
		.fp = UNWIND_SAME,
		.hides_sp = 1,
	};
}

bool unwind_is_sigreturn(const struct arch_convention *c, const uint8_t *code, size_t n)
{
	return n >= c->signal.size && !memcmp(code, c->signal.code, c->signal.size);
}

struct unwind_detail *unwind_signal_detail_new(const struct arch_convention *c)
{
	size_t n = c->signal.n_saved;
	struct unwind_detail *d = xcalloc(1, sizeof(*d) + n * sizeof(d->items[0]));

	d->n = n;
	for (size_t i = 0; i < n; i++) {
		d->items[i].reg = c->signal.saved[i].dwarf;
		d->items[i].place = (struct cfi_place){ .where = CFI_AT_CFA,
							.offset = c->signal.saved[i].offset };
	}
	return d;
}

struct unwind_rule unwind_rule_of_signal(const struct arch_convention *c,
					 const struct unwind_detail *d)
{
	return (struct unwind_rule){
		.cfa_register = c->sp,
		.ra_register = c->pc,
		.is_signal = 1,
		.detail = d,
	};
}
