/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "dwarf/unwind/frame-rules.h"
#include "dwarf/unwind/unwinder.h"

#define STACK 0x7000

static void a_signal_frame_of_aarch64_has_all_registers(void **state)
{
	static const uint8_t code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
	const struct arch_convention *c = arch_aarch64.convention;
	_cleanup_(freep) struct unwind_detail *detail = unwind_signal_detail_new(c);
	const struct unwind_rule rule = unwind_rule_of_signal(c, detail);
	uint64_t words[80];
	struct unwind_registers regs = { .known = UINT32_MAX };
	const struct unwind_memory memory = { .stack = (const uint8_t *)words,
					      .start = STACK,
					      .size = sizeof(words) };
	struct unwinder u = { 0 };
	uint64_t value;

	(void)state;
	assert_true(unwind_is_sigreturn(c, code, sizeof(code)));
	regs.values[31] = STACK;
	/* 128 bytes of siginfo, 176 of ucontext, the fault address; then x0. */
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = i < 39 ? 0 : i - 39;
	words[39 + 31] = 0x5000;
	unwinder_begin(&u, c, &regs, &memory);
	assert_int_equal(unwinder_step(&u, &rule), UNWIND_STEPPED);
	assert_int_equal(u.now.pc, 32);
	assert_int_equal(u.now.sp, 0x5000);
	assert_int_equal(u.now.fp, 29);
	assert_true(u.now.is_interrupted);
	assert_true(unwinder_register(&u, 30, &value));
	assert_int_equal(value, 30);
	assert_true(unwinder_register(&u, 3, &value));
	assert_int_equal(value, 3);
	unwinder_done(&u);
}

static void a_signal_frame_of_x86_has_all_registers(void **state)
{
	static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 };
	const struct arch_convention *c = arch_x86_64.convention;
	_cleanup_(freep) struct unwind_detail *detail = unwind_signal_detail_new(c);
	const struct unwind_rule rule = unwind_rule_of_signal(c, detail);
	uint64_t words[32] = {
		[5 + 0] = 8, [5 + 10] = 6, [5 + 11] = 3, [5 + 15] = 0x5000, [5 + 16] = 0x1234
	};
	struct unwind_registers regs = { .known = 0xffff };
	const struct unwind_memory memory = { .stack = (const uint8_t *)words,
					      .start = STACK,
					      .size = sizeof(words) };
	struct unwinder u = { 0 };
	uint64_t value;

	(void)state;
	assert_true(unwind_is_sigreturn(c, code, sizeof(code)));
	regs.values[7] = STACK;
	unwinder_begin(&u, c, &regs, &memory);
	assert_int_equal(unwinder_step(&u, &rule), UNWIND_STEPPED);
	assert_int_equal(u.now.pc, 0x1234);
	assert_int_equal(u.now.sp, 0x5000);
	assert_int_equal(u.now.fp, 6);
	assert_true(unwinder_register(&u, 3, &value));
	assert_int_equal(value, 3);
	assert_true(unwinder_register(&u, 8, &value));
	assert_int_equal(value, 8);
	unwinder_done(&u);
}

static void other_code_is_no_end_of_a_handler(void **state)
{
	static const uint8_t code[16] = { 0x68, 0x11, 0x80, 0xd2 };

	(void)state;
	for (size_t n = 0; n <= sizeof(code); n++) {
		assert_false(unwind_is_sigreturn(arch_aarch64.convention, code, n));
		assert_false(unwind_is_sigreturn(arch_x86_64.convention, code, n));
	}
}

static void guesses_are_for_their_machine(void **state)
{
	const struct arch_convention *x86 = arch_x86_64.convention, *arm = arch_aarch64.convention;

	(void)state;
	assert_int_equal(unwind_rule_by_link_register(arm).ra_register, 30);
	assert_int_equal(unwind_rule_by_stack(x86, 2).cfa_offset, 24);
	assert_int_equal(unwind_rule_by_record(arm).cfa_register, 29);
	assert_true(unwind_rule_by_record(arm).hides_sp);
	assert_false(unwind_rule_by_record(x86).hides_sp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_frame_of_aarch64_has_all_registers),
		cmocka_unit_test(a_signal_frame_of_x86_has_all_registers),
		cmocka_unit_test(other_code_is_no_end_of_a_handler),
		cmocka_unit_test(guesses_are_for_their_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
