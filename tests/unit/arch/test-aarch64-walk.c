/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/aarch64-walk.h"
#include "base/cleanup.h"

#define NOP          0xd503201f
#define STP_FP_LR    0xa9be7bfd /* stp x29, x30, [sp, #-32]! */
#define MOV_FP_SP    0x910003fd
#define MOV_SP_FP    0x910003bf
#define LDP_FP_LR    0xa8c27bfd /* ldp x29, x30, [sp], #32 */
#define STR_LR       0xf81f0ffe /* str x30, [sp, #-16]! */
#define LDR_LR       0xf84107fe /* ldr x30, [sp], #16 */
#define STP_X16_LR   0xa9bf7bf0 /* stp x16, x30, [sp, #-16]! */
#define SUB_SP       0xd10103ff /* sub sp, sp, #64 */
#define ADD_SP       0x910103ff
#define SUB_SP_X8    0xcb2863ff
#define MOV_X8       0xd283be08 /* mov x8, #0x1df0 */
#define MOV_X9       0xd283be09
#define LDP_FP_LR_AT 0xa9407bfd /* ldp x29, x30, [sp] */
#define ADD_SP_X8    0x8b2863ff
#define ADD_HUGE     0x917fffff /* add sp, sp, #4095, lsl #12 */
#define SUBS_FP      0xf10007bd /* subs x29, x29, #1 */
#define MOV_LR       0xaa0003fe
#define BL           0x94000010
#define BRK          0xd4200000
#define BR_X0        0xd61f0000
#define BR_X17       0xd61f0220
#define RET          0xd65f03c0

#define B(n)    (0x14000000 | ((n)&0x3ffffff)) /* by @n instructions */
#define B_NE(n) (0x54000001 | ((n)&0x7ffff) << 5)

#define BASE 0x1000

struct code {
	const uint32_t *ops;
	size_t n;
};

static size_t read_code(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct code *c = arg;
	uint64_t at = (addr - BASE) / 4;

	if (addr < BASE || at >= c->n)
		return 0;
	memcpy(ret, &c->ops[at], n);
	return n;
}

static bool walk(const uint32_t *ops, size_t n, size_t at, struct code_frame *ret)
{
	struct code c = { ops, n };

	return aarch64_frame_by_walk(read_code, &c, BASE + 4 * at, ret);
}

#define WALK(at, ret, ...)                                                                         \
	walk((const uint32_t[]){ __VA_ARGS__ },                                                    \
	     sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), at, ret)

static void assert_in_registers(const struct code_frame *f, int32_t cfa)
{
	assert_true(f->has_cfa);
	assert_false(f->cfa_from_fp);
	assert_int_equal(f->cfa_offset, cfa);
	assert_false(f->ra_is_saved);
	assert_false(f->fp_is_saved);
}

/* Checks that the frame is as STP_FP_LR leaves it. */
static void assert_saved(const struct code_frame *f)
{
	assert_true(f->has_cfa);
	assert_int_equal(f->cfa_offset, 32);
	assert_true(f->ra_is_saved);
	assert_int_equal(f->ra_offset, -24);
	assert_true(f->fp_is_saved);
	assert_int_equal(f->fp_offset, -32);
}

static void a_leaf_has_all_in_registers(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(0, &f, NOP, B_NE(-1), RET));
	assert_in_registers(&f, 0);
	assert_true(WALK(1, &f, SUB_SP, NOP, ADD_SP, RET));
	assert_in_registers(&f, 64);
}

static void what_is_loaded_at_the_end_was_saved(void **state)
{
	struct code_frame f;

	(void)state;
	for (size_t at = 1; at < 6; at++) {
		assert_true(WALK(at, &f, STP_FP_LR, MOV_FP_SP, NOP, BL, NOP, LDP_FP_LR, RET));
		if (at > 1) /* x29 is set by then */
			assert_saved(&f);
	}
	assert_true(WALK(0, &f, STP_FP_LR, MOV_FP_SP, NOP, BL, NOP, LDP_FP_LR, RET));
	assert_in_registers(&f, 0);
	assert_true(WALK(6, &f, STP_FP_LR, MOV_FP_SP, NOP, BL, NOP, LDP_FP_LR, RET));
	assert_in_registers(&f, 0);
	assert_true(WALK(1, &f, STR_LR, BL, LDR_LR, RET));
	assert_int_equal(f.cfa_offset, 16);
	assert_int_equal(f.ra_offset, -16);
	assert_true(f.ra_is_saved);
	assert_false(f.fp_is_saved);
}

static void sp_may_be_set_from_x29(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(0, &f, BL, MOV_SP_FP, LDP_FP_LR, RET));
	assert_true(f.cfa_from_fp);
	assert_int_equal(f.cfa_offset, 32);
	assert_int_equal(f.ra_offset, -24);
	assert_true(WALK(0, &f, STP_FP_LR, MOV_FP_SP, SUB_SP, BL, MOV_SP_FP, LDP_FP_LR, RET));
	assert_in_registers(&f, 0);
}

static void the_size_of_a_large_frame_is_in_a_register(void **state)
{
	struct code_frame f;

	(void)state;
	for (size_t at = 2; at < 5; at++) {
		assert_true(WALK(at, &f, MOV_X8, SUB_SP_X8, NOP, BL, NOP, LDP_FP_LR_AT, MOV_X8,
				 ADD_SP_X8, RET));
		assert_int_equal(f.cfa_offset, 0x1df0);
		assert_true(f.ra_is_saved);
		assert_int_equal(f.ra_offset, 8 - 0x1df0);
	}
	assert_true(WALK(0, &f, MOV_X8, SUB_SP_X8, NOP, MOV_X8, ADD_SP_X8, RET));
	assert_in_registers(&f, 0);
	assert_false(WALK(1, &f, MOV_X8, SUB_SP_X8, NOP, MOV_X8, ADD_SP_X8, RET));
	assert_false(WALK(0, &f, BL, LDP_FP_LR_AT, MOV_X9, ADD_SP_X8, RET));
}

static void x29_may_be_used_for_something_else(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(1, &f, STP_FP_LR, NOP, SUBS_FP, B_NE(-1), BL, LDP_FP_LR, RET));
	assert_saved(&f);
	assert_false(WALK(0, &f, SUBS_FP, RET));
	assert_false(WALK(0, &f, SUBS_FP, BL, MOV_SP_FP, LDP_FP_LR, RET));
}

static void loops_are_left_by_their_branches(void **state)
{
	struct code_frame f;

	(void)state;
	/* while (...) { while (...) call(); } */
	assert_true(WALK(0, &f, NOP, BL, B_NE(-1), B_NE(2), B(-4), LDP_FP_LR, RET));
	assert_saved(&f);
	assert_false(WALK(0, &f, NOP, BL, B(-2)));
	assert_false(WALK(0, &f, B(0)));
}

static void where_control_does_not_come_back_another_way_tells(void **state)
{
	struct code_frame f;

	(void)state;
	/* The code after the call is another function: one with a frame, one without. */
	assert_true(WALK(0, &f, NOP, B_NE(6), BL, STP_FP_LR, MOV_FP_SP, LDP_FP_LR, RET, LDP_FP_LR,
			 RET));
	assert_saved(&f);
	assert_true(WALK(0, &f, NOP, B_NE(4), BL, NOP, RET, LDP_FP_LR, RET));
	assert_saved(&f);
	assert_true(WALK(0, &f, NOP, B_NE(2), BRK, LDP_FP_LR, RET));
	assert_saved(&f);
	assert_true(WALK(0, &f, NOP, B_NE(2), BR_X0, LDP_FP_LR, RET));
	assert_saved(&f);
}

static void a_jump_behind_the_frame_is_a_tail_call(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(0, &f, BL, LDP_FP_LR, B(100)));
	assert_saved(&f);
	assert_true(WALK(1, &f, BL, LDP_FP_LR, BR_X0));
	assert_saved(&f);
	assert_true(WALK(2, &f, BL, NOP, ADD_SP, B(100)));
	assert_in_registers(&f, 64);
	/* The target of a jump without a frame is read as if it stood here. */
	assert_true(WALK(0, &f, B(2), BRK, STP_FP_LR, MOV_FP_SP, BL, LDP_FP_LR, RET));
	assert_in_registers(&f, 0);
}

static void stubs_have_all_in_registers(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(0, &f, 0x90000010, 0xf9400211, 0x91000210, BR_X17));
	assert_in_registers(&f, 0);
	assert_true(WALK(0, &f, STP_X16_LR, NOP, BR_X17)); /* PLT0 */
	assert_in_registers(&f, 0);
}

static void code_that_does_not_tell_is_given_up(void **state)
{
	static uint32_t endless[2000];
	struct code_frame f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(endless); i++)
		endless[i] = i % 2 ? ADD_HUGE : B_NE(2);
	assert_false(walk(endless, ARRAY_SIZE(endless), 0, &f));
	for (size_t i = 0; i < ARRAY_SIZE(endless); i++)
		endless[i] = NOP;
	assert_false(walk(endless, ARRAY_SIZE(endless), 0, &f));
	assert_false(WALK(0, &f, NOP));            /* the code ends */
	assert_false(WALK(0, &f, BL, RET));        /* to itself */
	assert_false(WALK(0, &f, MOV_LR, RET));    /* elsewhere */
	assert_false(WALK(0, &f, ADD_SP_X8, RET)); /* a frame of unknown size */
	assert_false(WALK(0, &f, STP_FP_LR, MOV_FP_SP, RET));
	assert_false(WALK(0, &f, LDP_FP_LR, BL, RET));
	assert_false(WALK(0, &f, LDP_FP_LR, MOV_SP_FP, RET));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leaf_has_all_in_registers),
		cmocka_unit_test(what_is_loaded_at_the_end_was_saved),
		cmocka_unit_test(sp_may_be_set_from_x29),
		cmocka_unit_test(the_size_of_a_large_frame_is_in_a_register),
		cmocka_unit_test(x29_may_be_used_for_something_else),
		cmocka_unit_test(loops_are_left_by_their_branches),
		cmocka_unit_test(where_control_does_not_come_back_another_way_tells),
		cmocka_unit_test(a_jump_behind_the_frame_is_a_tail_call),
		cmocka_unit_test(stubs_have_all_in_registers),
		cmocka_unit_test(code_that_does_not_tell_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
