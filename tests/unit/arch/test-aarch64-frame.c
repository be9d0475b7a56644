/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "arch/aarch64-frame.h"

#define NOP             0xd503201f
#define STP_FP_LR       0xa9be7bfd /* stp x29, x30, [sp, #-32]! */
#define MOV_FP_SP       0x910003fd
#define STP_FP_X27      0xa93eeffd /* stp x29, x27, [sp, #-24] */
#define STP_FP_LR_BELOW 0xa93efbfd /* stp x29, x30, [sp, #-24] */
#define SUB_FP_SP       0xd10063fd /* sub x29, sp, #24 */
#define ADD_FP_SP       0x910083fd /* add x29, sp, #32 */
#define LDP_FP_LR       0xa9427bfd /* ldp x29, x30, [sp, #32] */
#define LDP_OTHERS      0xa94353f3 /* ldp x19, x20, [sp, #48] */
#define LDP_AND_FREE    0xa8c253f3 /* ldp x19, x20, [sp], #32 */
#define LDP_VECTORS     0x6d4127fd /* ldp d29, d9, [sp, #16] */
#define LDR_LR          0xf94013fe /* ldr x30, [sp, #32] */
#define STR_LR          0xf90013fe /* str x30, [sp, #32] */
#define ADD_SP          0x910203ff /* add sp, sp, #128 */
#define MOV_LR          0xaa0003fe /* mov x30, x0 */
#define AUTIASP         0xd50323bf
#define MRS             0xd53bd040 /* mrs x0, tpidr_el0 */
#define SVC             0xd4000001
#define BRK             0xd4200000
#define BL              0x94000010
#define BLR             0xd63f0000
#define B               0x14000010
#define B_NE            0x54000081
#define CBZ             0xb4ffffe0
#define TBNZ            0x3707ffe0
#define BR_X0           0xd61f0000
#define BR_X17          0xd61f0220
#define RET             0xd65f03c0
#define RET_X0          0xd65f0000
#define RETAA           0xd65f0bff
#define SVE             0x04605000 /* addvl */

/* True if everything is in registers at the first of @n instructions. */
static bool is_leaf(const uint32_t *code, size_t n)
{
	struct code_frame f;

	return aarch64_frame_from_exit((const uint8_t *)code, 4 * n, &f) && !f.ra_is_saved &&
	       !f.fp_is_saved;
}

#define LEAF(...)                                                                                  \
	is_leaf((const uint32_t[]){ __VA_ARGS__ },                                                 \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void before_the_frame_pointer_is_set_it_is_the_callers(void **state)
{
	(void)state;
	assert_true(LEAF(MOV_FP_SP));
	assert_true(LEAF(STP_FP_LR, ADD_FP_SP, BL));
	assert_true(LEAF(STR_LR, NOP, MRS, ADD_FP_SP));
	assert_false(LEAF(NOP, BL, MOV_FP_SP));
	assert_true(LEAF(NOP, B_NE, MOV_FP_SP));
}

static void behind_the_restoring_all_is_as_it_was(void **state)
{
	(void)state;
	assert_true(LEAF(RET));
	assert_true(LEAF(LDP_OTHERS, ADD_SP, RET));
	assert_true(LEAF(LDP_VECTORS, AUTIASP, RET));
	assert_true(LEAF(RETAA));
	assert_false(LEAF(LDP_FP_LR, LDP_OTHERS, ADD_SP, RET));
	assert_false(LEAF(LDR_LR, RET));
	assert_false(LEAF(MOV_LR, RET));
	assert_false(LEAF(RET_X0));
}

static void a_jump_without_a_frame_is_a_call_for_the_caller(void **state)
{
	(void)state;
	assert_true(LEAF(ADD_SP, B));
	assert_true(LEAF(LDP_AND_FREE, BR_X0));
	assert_false(LEAF(LDP_FP_LR, ADD_SP, B));
	assert_false(LEAF(NOP, B));
	assert_false(LEAF(BR_X17));
}

static void behind_calls_all_may_be_different(void **state)
{
	static const uint32_t calls[] = { BL, BLR, BRK };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		assert_false(LEAF(calls[i], RET));
	assert_true(LEAF(SVC, B_NE, CBZ, TBNZ, RET));
	assert_false(LEAF(B_NE, LDP_FP_LR, RET));
	assert_false(LEAF(SVE, RET));
	assert_false(LEAF(NOP, NOP));
}

#define STP_PRE     STP_FP_LR
#define STP_LATER   0xa9047bfd /* stp x29, x30, [sp, #64] */
#define SUB_SP      0xd101c3ff /* sub sp, sp, #112 */
#define SUB_SP_X8   0xcb2863ff /* sub sp, sp, x8 */
#define ADD_SP_X8   0x8b2863ff /* add sp, sp, x8 */
#define ADD_SP_12   0x914007ff /* add sp, sp, #1, lsl #12 */
#define SP_FROM_FP  0x910003bf /* mov sp, x29 */
#define STR_PRE     0xf81f0ffe /* str x30, [sp, #-16]! */
#define LDR_POST    0xf84107fe /* ldr x30, [sp], #16 */
#define LDP_POST    0xa8c27bfd /* ldp x29, x30, [sp], #32 */
#define STP_Q_PRE   0xadbf27e8 /* stp q8, q9, [sp, #-32]! */
#define LDP_BASE_FP 0xa9407bbd /* ldp x29, x30, [x29] */

static bool entered(const uint32_t *code, size_t at, struct code_frame *ret)
{
	return aarch64_frame_from_entry((const uint8_t *)code, 4 * at, ret);
}

static void a_frame_grows_on_the_way_in(void **state)
{
	static const uint32_t code[] = { SUB_SP, STP_LATER, ADD_FP_SP, NOP };
	struct code_frame f;

	(void)state;
	assert_true(entered(code, 0, &f));
	assert_true(f.has_cfa);
	assert_int_equal(f.cfa_offset, 0);
	assert_false(f.ra_is_saved);
	assert_true(entered(code, 1, &f));
	assert_int_equal(f.cfa_offset, 112);
	assert_false(f.ra_is_saved);
	assert_false(f.fp_is_saved);
	assert_true(entered(code, 3, &f));
	assert_int_equal(f.cfa_offset, 112);
	assert_true(f.ra_is_saved);
	assert_int_equal(f.fp_offset, -48);
	assert_int_equal(f.ra_offset, -40);
}

static void registers_may_be_pushed(void **state)
{
	static const uint32_t code[] = { STR_PRE, STP_Q_PRE, STP_PRE, NOP };
	struct code_frame f;

	(void)state;
	assert_true(entered(code, 1, &f));
	assert_int_equal(f.cfa_offset, 16);
	assert_int_equal(f.ra_offset, -16);
	assert_false(f.fp_is_saved);
	assert_true(entered(code, 2, &f));
	assert_int_equal(f.cfa_offset, 48);
	assert_true(entered(code, 3, &f));
	assert_int_equal(f.cfa_offset, 80);
	assert_int_equal(f.fp_offset, -80);
	assert_int_equal(f.ra_offset, -72);
}

static void the_way_in_ends_at_what_nobody_understands(void **state)
{
	static const uint32_t ends[] = { BL, B, RET, SUB_SP_X8, MOV_LR, SVE, BRK, LDP_BASE_FP };
	struct code_frame f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		assert_false(entered(&ends[i], 1, &f));
	assert_false(entered(ends, CODE_FRAME_SIZE_MAX / 4 + 1, &f));
}

/* Returns the frame at the first of @n instructions. */
static struct code_frame leaving(const uint32_t *code, size_t n)
{
	struct code_frame f;

	assert_true(aarch64_frame_from_exit((const uint8_t *)code, 4 * n, &f));
	return f;
}

static void a_frame_shrinks_on_the_way_out(void **state)
{
	static const uint32_t code[] = { LDP_FP_LR, LDP_OTHERS, ADD_SP, RET };
	struct code_frame f;

	(void)state;
	f = leaving(code, 4);
	assert_int_equal(f.cfa_offset, 128);
	assert_true(f.ra_is_saved);
	assert_int_equal(f.fp_offset, 32 - 128);
	assert_int_equal(f.ra_offset, 40 - 128);
	f = leaving(code + 1, 3);
	assert_int_equal(f.cfa_offset, 128);
	assert_false(f.ra_is_saved);
	assert_int_equal(leaving(code + 3, 1).cfa_offset, 0);
}

static void registers_may_be_popped(void **state)
{
	static const uint32_t code[] = { ADD_SP_12, LDP_POST, LDR_POST, RET };
	struct code_frame f = leaving(code, 4);

	(void)state;
	assert_int_equal(f.cfa_offset, 4096 + 32 + 16);
	assert_int_equal(f.fp_offset, -48);
	assert_int_equal(f.ra_offset, -16); /* the last load of it counts */
	assert_false(f.cfa_from_fp);
}

static void the_stack_pointer_may_be_set_from_the_frame_pointer(void **state)
{
	static const uint32_t code[] = { NOP, SP_FROM_FP, LDP_POST, RET };
	struct code_frame f = leaving(code, 4);

	(void)state;
	assert_true(f.cfa_from_fp);
	assert_int_equal(f.cfa_offset, 32);
	assert_int_equal(f.fp_offset, -32);
	assert_int_equal(f.ra_offset, -24);
}

static void what_is_stored_on_the_way_out_is_still_in_its_register(void **state)
{
	static const uint32_t code[] = { STP_PRE, LDP_POST, RET };
	struct code_frame f = leaving(code, 3);

	(void)state;
	assert_int_equal(f.cfa_offset, 0);
	assert_false(f.ra_is_saved);
	assert_false(f.fp_is_saved);
}

static void of_a_large_frame_the_size_is_not_known(void **state)
{
	static const uint32_t freed[] = { LDP_OTHERS, ADD_SP_X8, RET };
	static const uint32_t loads[] = { LDP_FP_LR, ADD_SP_X8, RET };
	struct code_frame f;

	(void)state;
	assert_false(leaving(freed, 3).has_cfa);
	assert_false(aarch64_frame_from_exit((const uint8_t *)loads, 12, &f));
}

static void of_a_frame_being_built_the_size_is_not_known(void **state)
{
	static const uint32_t code[] = { STP_PRE, MOV_FP_SP, BL };

	(void)state;
	assert_false(leaving(code, 3).has_cfa);
	assert_true(leaving(code, 3).is_being_built);
}

/* Go stores such a record before it calls duffzero. */
static void a_record_for_a_callee_is_no_frame_being_built(void **state)
{
	static const uint32_t code[] = { NOP, STP_FP_X27, SUB_FP_SP, BL };
	static const uint32_t other[] = { NOP, STP_FP_LR_BELOW, SUB_FP_SP, BL };
	struct code_frame f;

	(void)state;
	assert_false(aarch64_frame_from_exit((const uint8_t *)code, 16, &f));
	assert_true(leaving(other, 4).is_being_built);
}

static enum callee_record behind(const uint32_t *code, size_t n)
{
	return aarch64_callee_record((const uint8_t *)code, 4 * n);
}

static void a_record_for_a_callee_is_in_use_around_the_call(void **state)
{
	static const uint32_t code[] = { NOP, STP_FP_X27, SUB_FP_SP, BL, SUB_FP_SP, NOP };
	static const uint32_t own[] = { STP_FP_LR_BELOW, SUB_FP_SP, BL };
	static const uint32_t unused[] = { STP_FP_X27, NOP, BL };

	(void)state;
	assert_int_equal(behind(code, 0), CALLEE_RECORD_NONE);
	assert_int_equal(behind(code, 1), CALLEE_RECORD_NONE);
	assert_int_equal(behind(code, 2), CALLEE_RECORD_STORED);
	assert_int_equal(behind(code, 3), CALLEE_RECORD_IN_USE);
	assert_int_equal(behind(code, 4), CALLEE_RECORD_IN_USE);
	assert_int_equal(behind(code, 5), CALLEE_RECORD_NONE);
	assert_int_equal(behind(own, 3), CALLEE_RECORD_NONE);
	assert_int_equal(behind(unused, 3), CALLEE_RECORD_NONE);
}

/* Random code of instructions that matter for frames. */
#define RANDOM_LENGTH 160

static void fill_at_random(uint32_t *code, uint64_t *seed)
{
	static const uint32_t kinds[] = {
		NOP,       NOP,          NOP,    NOP,       STP_FP_LR, MOV_FP_SP, ADD_FP_SP,
		LDP_FP_LR, LDP_OTHERS,   LDR_LR, STR_LR,    MRS,       ADD_SP,    LDP_VECTORS,
		BL,        MOV_LR,       B,      B_NE,      CBZ,       BR_X0,     RET,
		NOP,       LDP_AND_FREE, NOP,    SUB_FP_SP, NOP,
	};
	/* Some code has few of these instructions, so that paths are long. */
	unsigned many = *seed % 3 ? 2 : 40;

	for (size_t i = 0; i < RANDOM_LENGTH; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		code[i] = *seed >> 40 & 1023 && *seed >> 33 & (many - 1)
				  ? NOP
				  : kinds[(*seed >> 50) % (sizeof(kinds) / sizeof(kinds[0]))];
	}
}

static bool exit_at(const uint32_t *code, size_t i, struct code_frame *ret)
{
	*ret = (struct code_frame){ 0 };
	return aarch64_frame_from_exit((const uint8_t *)&code[i], 4 * (RANDOM_LENGTH - i), ret);
}

static bool entry_at(const uint32_t *code, size_t i, struct code_frame *ret)
{
	*ret = (struct code_frame){ 0 };
	return aarch64_frame_from_entry((const uint8_t *)code, 4 * i, ret);
}

static void assert_same_over_idle_code(const uint32_t *code, size_t i)
{
	size_t n = aarch64_idle((const uint8_t *)&code[i], 4 * (RANDOM_LENGTH - i)) / 4;
	struct code_frame a, b;

	if (exit_at(code, i, &a)) {
		assert_true(exit_at(code, i + n, &b));
		assert_memory_equal(&a, &b, sizeof(a));
	}
	if (i + n <= CODE_FRAME_SIZE_MAX / 4 && entry_at(code, i, &a)) {
		assert_true(entry_at(code, i + n, &b));
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

static void shortcuts_tell_the_same_as_looking_everywhere(void **state)
{
	uint64_t seed = 7;
	size_t silent = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		uint32_t code[RANDOM_LENGTH];
		struct code_frame ignored;
		size_t reach;

		fill_at_random(code, &seed);
		reach = aarch64_entry_reach((const uint8_t *)code, sizeof(code)) / 4;
		for (size_t i = 0; i < RANDOM_LENGTH; i++) {
			size_t n = aarch64_exit_silence((const uint8_t *)&code[i],
							4 * (RANDOM_LENGTH - i)) /
				   4;

			silent += n;
			for (size_t k = i; k < i + n; k++)
				assert_false(exit_at(code, k, &ignored));
			if (i > reach)
				assert_false(entry_at(code, i, &ignored));
			assert_same_over_idle_code(code, i);
		}
	}
	assert_true(silent > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_the_frame_pointer_is_set_it_is_the_callers),
		cmocka_unit_test(behind_the_restoring_all_is_as_it_was),
		cmocka_unit_test(a_jump_without_a_frame_is_a_call_for_the_caller),
		cmocka_unit_test(behind_calls_all_may_be_different),
		cmocka_unit_test(a_frame_grows_on_the_way_in),
		cmocka_unit_test(registers_may_be_pushed),
		cmocka_unit_test(the_way_in_ends_at_what_nobody_understands),
		cmocka_unit_test(a_frame_shrinks_on_the_way_out),
		cmocka_unit_test(registers_may_be_popped),
		cmocka_unit_test(the_stack_pointer_may_be_set_from_the_frame_pointer),
		cmocka_unit_test(what_is_stored_on_the_way_out_is_still_in_its_register),
		cmocka_unit_test(of_a_large_frame_the_size_is_not_known),
		cmocka_unit_test(of_a_frame_being_built_the_size_is_not_known),
		cmocka_unit_test(a_record_for_a_callee_is_no_frame_being_built),
		cmocka_unit_test(a_record_for_a_callee_is_in_use_around_the_call),
		cmocka_unit_test(shortcuts_tell_the_same_as_looking_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
