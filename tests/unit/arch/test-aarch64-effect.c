/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "arch/aarch64-effect.h"

static void instructions_are_little_endian(void **state)
{
	static const uint8_t ret[] = { 0xc0, 0x03, 0x5f, 0xd6 };

	(void)state;
	assert_int_equal(aarch64_instruction(ret), 0xd65f03c0);
}

static void what_an_instruction_does_is_told(void **state)
{
	static const struct {
		uint32_t op;
		enum aarch64_effect_kind kind;
		int32_t offset;
	} rows[] = {
		{ 0xd503201f, EFFECT_NONE, 0 },          /* nop */
		{ 0xd10043ff, EFFECT_MOVE_SP, -16 },     /* sub sp, sp, #16 */
		{ 0x914007ff, EFFECT_MOVE_SP, 4096 },    /* add sp, sp, #1, lsl #12 */
		{ 0xcb2c63ff, EFFECT_TAKE_SP, 0 },       /* sub sp, sp, x12 */
		{ 0xd283be0c, EFFECT_CONSTANT, 0x1df0 }, /* mov x12, #0x1df0 */
		{ 0xd283be1d, EFFECT_SET_FP, 0 },        /* mov x29, #0x1df0 */
		{ 0x8b2863ff, EFFECT_FREE_SP, 0 },       /* add sp, sp, x8 */
		{ 0x910003bf, EFFECT_SP_FROM_FP, 0 },    /* mov sp, x29 */
		{ 0xd10063fd, EFFECT_FP_FROM_SP, -24 },  /* sub x29, sp, #24 */
		{ 0xa9047bfd, EFFECT_STORE, 64 },        /* stp x29, x30, [sp, #64] */
		{ 0xf94013fe, EFFECT_LOAD, 32 },         /* ldr x30, [sp, #32] */
		{ 0x94000010, EFFECT_CALL, 0 },          /* bl */
		{ 0xd63f0100, EFFECT_CALL, 0 },          /* blr x8 */
		{ 0xd65f03c0, EFFECT_RETURN, 0 },        /* ret */
		{ 0xd65f0260, EFFECT_UNKNOWN, 0 },       /* ret x19 */
		{ 0x54000081, EFFECT_BRANCH, 16 },       /* b.ne +16 */
		{ 0xb4ffffe0, EFFECT_BRANCH, -4 },       /* cbz x0, -4 */
		{ 0x3707ffe0, EFFECT_BRANCH, -4 },       /* tbnz w0, #0, -4 */
		{ 0x14000002, EFFECT_JUMP, 8 },          /* b +8 */
		{ 0x17ffffff, EFFECT_JUMP, -4 },         /* b -4 */
		{ 0xd61f0000, EFFECT_JUMP_REGISTER, 0 },
		{ 0xd61f0220, EFFECT_STUB, 0 },    /* br x17 */
		{ 0xd4200000, EFFECT_UNKNOWN, 0 }, /* brk */
		{ 0xf10007bd, EFFECT_SET_FP, 0 },  /* subs x29, x29, #1 */
		{ 0xf940001d, EFFECT_SET_FP, 0 },  /* ldr x29, [x0] */
		{ 0xaa0003fe, EFFECT_UNKNOWN, 0 }, /* mov x30, x0 */
		{ 0x00000000, EFFECT_UNKNOWN, 0 }, /* udf */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct aarch64_effect e = aarch64_effect(rows[i].op);

		assert_int_equal(e.kind, rows[i].kind);
		assert_int_equal(e.offset, rows[i].offset);
	}
}

static void a_record_below_sp_without_x30_is_a_callees(void **state)
{
	(void)state;
	assert_true(aarch64_stores_callee_record(0xa93eeffd));  /* stp x29, x27, [sp, #-24] */
	assert_false(aarch64_stores_callee_record(0xa93efbfd)); /* stp x29, x30, [sp, #-24] */
	assert_false(aarch64_stores_callee_record(0xa9016ffd)); /* stp x29, x27, [sp, #16] */
	assert_false(aarch64_stores_callee_record(0xa9be7bfd)); /* stp x29, x30, [sp, #-32]! */
	assert_int_equal(aarch64_effect(0xa93eeffd).kind, EFFECT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_little_endian),
		cmocka_unit_test(what_an_instruction_does_is_told),
		cmocka_unit_test(a_record_below_sp_without_x30_is_a_callees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
