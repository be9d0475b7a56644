/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "unwind/aarch64-code.h"

#define NOP          0xd503201f
#define STP_FP_LR    0xa9be7bfd /* stp x29, x30, [sp, #-32]! */
#define MOV_FP_SP    0x910003fd
#define ADD_FP_SP    0x910083fd /* add x29, sp, #32 */
#define LDP_FP_LR    0xa9427bfd /* ldp x29, x30, [sp, #32] */
#define LDP_OTHERS   0xa94353f3 /* ldp x19, x20, [sp, #48] */
#define LDP_AND_FREE 0xa8c253f3 /* ldp x19, x20, [sp], #32 */
#define LDP_VECTORS  0x6d4127fd /* ldp d29, d9, [sp, #16] */
#define LDR_LR       0xf94013fe /* ldr x30, [sp, #32] */
#define STR_LR       0xf90013fe /* str x30, [sp, #32] */
#define ADD_SP       0x910203ff /* add sp, sp, #128 */
#define MOV_LR       0xaa0003fe /* mov x30, x0 */
#define AUTIASP      0xd50323bf
#define MRS          0xd53bd040 /* mrs x0, tpidr_el0 */
#define SVC          0xd4000001
#define BRK          0xd4200000
#define BL           0x94000010
#define BLR          0xd63f0000
#define B            0x14000010
#define B_NE         0x54000081
#define CBZ          0xb4ffffe0
#define TBNZ         0x3707ffe0
#define BR_X0        0xd61f0000
#define BR_X17       0xd61f0220
#define RET          0xd65f03c0
#define RET_X0       0xd65f0000
#define RETAA        0xd65f0bff
#define SVE          0x04605000 /* addvl */

/* Of the first of @n instructions. */
static bool is_leaf(const uint32_t *code, size_t n, bool may_be_stub)
{
	bool marks[32];

	assert_true(n <= ARRAY_SIZE(marks));
	aarch64_mark_leaf((const uint8_t *)code, n * 4, may_be_stub, marks);
	return marks[0];
}

#define LEAF(...)                                                                                  \
	is_leaf((const uint32_t[]){ __VA_ARGS__ },                                                 \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), false)

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

static void a_stub_jumps_by_x17(void **state)
{
	static const uint32_t stub[] = { 0x90000010, 0xf9400211, 0x91000210, BR_X17 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(stub); i++) {
		assert_true(is_leaf(stub + i, ARRAY_SIZE(stub) - i, true));
		assert_false(is_leaf(stub + i, ARRAY_SIZE(stub) - i, false));
	}
}

static void every_instruction_is_marked(void **state)
{
	static const uint32_t code[] = { STP_FP_LR, MOV_FP_SP, BL, LDP_FP_LR, LDP_OTHERS, RET };
	static const bool expected[] = { true, true, false, false, true, true };
	bool marks[ARRAY_SIZE(code)];

	(void)state;
	aarch64_mark_leaf((const uint8_t *)code, sizeof(code), false, marks);
	assert_memory_equal(marks, expected, sizeof(marks));
}

static void half_an_instruction_is_none(void **state)
{
	bool mark = true;

	(void)state;
	aarch64_mark_leaf((const uint8_t *)"\xc0\x03\x5f", 3, false, &mark);
	assert_true(mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_the_frame_pointer_is_set_it_is_the_callers),
		cmocka_unit_test(behind_the_restoring_all_is_as_it_was),
		cmocka_unit_test(a_jump_without_a_frame_is_a_call_for_the_caller),
		cmocka_unit_test(behind_calls_all_may_be_different),
		cmocka_unit_test(a_stub_jumps_by_x17),
		cmocka_unit_test(every_instruction_is_marked),
		cmocka_unit_test(half_an_instruction_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
