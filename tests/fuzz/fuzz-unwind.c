/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes unwinding with any CFI, registers and stack: it ends, callers lie above their callees, and
 * nothing outside of the stack is read. The input is a byte of flags, the registers, 256 bytes of
 * stack, and the CFI.
 */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "dwarf/unwind/cfi-function.h"
#include "dwarf/unwind/cfi-section.h"
#include "dwarf/unwind/frame-rules.h"
#include "dwarf/unwind/unwinder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STACK_SIZE 256
#define FRAMES_MAX 1000
#define REGISTERS  33

struct input {
	bool is_debug_frame, swap, is_64, is_aarch64;
	struct unwind_registers regs;
	const uint8_t *stack;
	struct cfi_section_options cfi;
};

static bool take(const uint8_t *data, size_t size, struct input *ret)
{
	size_t head = 1 + sizeof(ret->regs.values[0]) * REGISTERS + STACK_SIZE;
	uint8_t how;

	if (size < head)
		return false;
	how = data[0];
	*ret = (struct input){ .stack = data + head - STACK_SIZE };
	memcpy(ret->regs.values, data + 1, sizeof(ret->regs.values[0]) * REGISTERS);
	ret->regs.known = UINT64_MAX;
	ret->is_aarch64 = how & 8;
	ret->regs.pc = ret->regs.values[32];
	ret->cfi = (struct cfi_section_options){ .bytes = data + head,
						 .size = size - head,
						 .addr = 0x1000,
						 .is_debug_frame = how & 1,
						 .swap = how & 2,
						 .is_64 = how & 4 };
	return true;
}

static const struct unwind_rule *find(struct cfi_compiler *c, const struct cfi_section *s,
				      uint64_t pc)
{
	const struct cfi_function_row *row = NULL;
	const struct cfi_function *f;
	size_t number;

	if (!cfi_section_number(s, pc, &number))
		return NULL;
	f = cfi_function_compile(c, s, number);
	if (pc >= f->start && pc < f->end)
		row = cfi_function_row(f, pc - f->start);
	return row ? &row->rule : NULL;
}

static void walk(const struct input *in, const struct cfi_section *s, struct cfi_compiler *c)
{
	const struct unwind_memory memory = { .stack = in->stack,
					      .start = in->regs.values[in->is_aarch64 ? 31 : 7],
					      .size = STACK_SIZE };
	struct unwinder u = { 0 };

	unwinder_begin(&u, (in->is_aarch64 ? &arch_aarch64 : &arch_x86_64)->convention, &in->regs,
		       &memory);
	for (int i = 0; i < FRAMES_MAX; i++) {
		uint64_t before = u.now.sp;
		const struct unwind_rule by_record = unwind_rule_by_record(u.convention);
		const struct unwind_rule *rule = find(c, s, u.now.pc);

		if (!rule)
			rule = &by_record;
		if (unwinder_step(&u, rule) != UNWIND_STEPPED)
			break;
		if (!rule->is_signal && u.now.sp < before)
			abort();
	}
	unwinder_done(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cfi_compiler c = { .fp_register = 6 };
	struct cfi_section s;
	struct input in;

	if (!take(data, size, &in))
		return 0;
	c.fp_register = in.is_aarch64 ? 29 : 6;
	cfi_section_init(&s, &in.cfi);
	for (size_t i = 0; i < s.n && i < FRAMES_MAX; i++)
		cfi_function_compile(&c, &s, i);
	walk(&in, &s, &c);
	cfi_section_done(&s);
	cfi_compiler_done(&c);
	return 0;
}
