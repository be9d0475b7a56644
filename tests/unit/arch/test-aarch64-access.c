/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/access.h"
#include "base/cleanup.h"

#define AT 0x401000
#define SP 31

static struct code_access read_code(uint32_t instruction)
{
	struct code_access a;

	assert_true(aarch64_access_read(instruction, AT, &a));
	assert_int_equal(a.length, 4);
	return a;
}

static void loads_and_stores_name_their_registers(void **state)
{
	struct code_access a = read_code(0xf9400801); /* ldr x1, [x0, #16] */

	(void)state;
	assert_int_equal(a.action, ACCESS_LOAD);
	assert_int_equal(a.to, 1);
	assert_int_equal(a.memory.base, 0);
	assert_int_equal(a.memory.offset, 16);
	assert_int_equal(a.size, 8);
	a = read_code(0xb9000fe2); /* str w2, [sp, #12] */
	assert_int_equal(a.action, ACCESS_STORE);
	assert_int_equal(a.from, 2);
	assert_int_equal(a.memory.base, SP);
	assert_int_equal(a.size, 4);
	a = read_code(0x39400401); /* ldrb w1, [x0, #1] */
	assert_int_equal(a.size, 1);
	a = read_code(0xf8617802); /* ldr x2, [x0, x1, lsl #3] */
	assert_int_equal(a.memory.index, 1);
	assert_int_equal(a.memory.scale, 8);
	a = read_code(0x3dc00400); /* ldr q0, [x0, #16] */
	assert_true(a.has_memory);
	assert_int_equal(a.size, 16);
	assert_int_equal(a.to, ACCESS_NONE);
	a = read_code(0xc85ffc01); /* ldaxr x1, [x0] */
	assert_int_equal(a.action, ACCESS_LOAD);
	assert_int_equal(a.to, 1);
	a = read_code(0xf8e10002); /* ldaddal x1, x2, [x0] */
	assert_int_equal(a.to, 2);
	assert_true(a.has_memory);
}

static void a_shift_by_more_than_its_register_is_followed_no_further(void **state)
{
	struct code_access a = read_code(0x533c0041); /* ubfm w1, w2, #60, #0, if it existed */

	(void)state;
	assert_int_equal(a.action, ACCESS_OTHER);
	assert_true(a.written >> 1 & 1);
}

static void pairs_have_two_registers(void **state)
{
	struct code_access a = read_code(0xa9be7bfd); /* stp x29, x30, [sp, #-32]! */

	(void)state;
	assert_int_equal(a.action, ACCESS_STORE);
	assert_int_equal(a.from, 29);
	assert_int_equal(a.second, 30);
	assert_int_equal(a.before, -32);
	assert_int_equal(a.memory.offset, 0);
	a = read_code(0xa8c27bfd); /* ldp x29, x30, [sp], #32 */
	assert_int_equal(a.action, ACCESS_LOAD);
	assert_int_equal(a.after, 32);
	a = read_code(0xa9420c02); /* ldp x2, x3, [x0, #32] */
	assert_int_equal(a.memory.offset, 32);
	assert_int_equal(a.second, 3);
}

static void what_moves_a_pointer_is_told(void **state)
{
	struct code_access a = read_code(0xaa0003f3); /* mov x19, x0 */

	(void)state;
	assert_int_equal(a.action, ACCESS_COPY);
	assert_int_equal(a.to, 19);
	assert_int_equal(a.from, 0);
	a = read_code(0x91004001); /* add x1, x0, #16 */
	assert_int_equal(a.action, ACCESS_ADDRESS);
	assert_int_equal(a.memory.base, 0);
	assert_int_equal(a.memory.offset, 16);
	a = read_code(0xd2a00020); /* mov x0, #0x10000 */
	assert_int_equal(a.action, ACCESS_ADDRESS);
	assert_int_equal(a.memory.offset, 0x10000);
	a = read_code(0xf2c00203); /* movk x3, #16, lsl #32 */
	assert_int_equal(a.action, ACCESS_INSERT);
	assert_int_equal(a.to, 3);
	assert_int_equal(a.scale, 32);
	assert_int_equal(a.memory.offset, UINT64_C(16) << 32);
	a = read_code(0xd10083ff); /* sub sp, sp, #32 */
	assert_int_equal(a.to, SP);
	assert_int_equal(a.memory.offset, -32);
	a = read_code(0xb0000000); /* adrp x0, +0x1000 */
	assert_true(a.memory.is_absolute);
	assert_int_equal(a.memory.offset, 0x402000);
	a = read_code(0x8b010c00); /* add x0, x0, x1, lsl #3 */
	assert_int_equal(a.action, ACCESS_ADD);
	assert_int_equal(a.other, 1);
	a = read_code(0x9a811000); /* csel x0, x0, x1, ne */
	assert_int_equal(a.action, ACCESS_CHOOSE);
}

static void numbers_of_indexes_are_told(void **state)
{
	static const struct {
		uint32_t code;
		enum access_action action;
		uint64_t scale;
	} rows[] = {
		{ 0xd37cec41, ACCESS_SCALE, 16 },   /* lsl x1, x2, #4 */
		{ 0x93407c41, ACCESS_SCALE, 1 },    /* sxtw x1, w2 */
		{ 0xd37d1041, ACCESS_SCALE, 8 },    /* ubfiz x1, x2, #3, #5 */
		{ 0xcb020c20, ACCESS_SUBTRACT, 8 }, /* sub x0, x1, x2, lsl #3 */
		{ 0x8b22cc20, ACCESS_ADD, 8 },      /* add x0, x1, w2, sxtw #3 */
		{ 0x9b020c20, ACCESS_MULTIPLY, 0 }, /* madd x0, x1, x2, x3 */
		{ 0x9ba27c20, ACCESS_MULTIPLY, 0 }, /* umull x0, w1, w2 */
		{ 0x9ba20c20, ACCESS_MULTIPLY, 0 }, /* umaddl x0, w1, w2, x3 */
		{ 0xd343fc41, ACCESS_OTHER, 0 },    /* lsr x1, x2, #3 */
		{ 0xb37d0441, ACCESS_OTHER, 0 },    /* bfi x1, x2, #3, #2 */
		{ 0x8b420c20, ACCESS_OTHER, 0 },    /* add x0, x1, x2, lsr #3 */
		{ 0x9b427c20, ACCESS_OTHER, 0 },    /* smulh x0, x1, x2 */
		{ 0x9b028c20, ACCESS_OTHER, 0 },    /* msub x0, x1, x2, x3 */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct code_access a = read_code(rows[i].code);

		assert_int_equal(a.action, rows[i].action);
		assert_int_equal(a.scale, rows[i].scale);
		assert_int_equal(!a.written, a.action != ACCESS_OTHER);
	}
	assert_true(read_code(0x0b020020).is_narrow); /* add w0, w1, w2 */
	assert_int_equal(read_code(0x9ba27c20).second, ACCESS_NONE);
}

static void comparisons_write_nothing(void **state)
{
	static const uint32_t rows[] = {
		0xf100041f, /* cmp x0, #1 */
		0xeb01001f, /* cmp x0, x1 */
		0xfa401800, /* ccmp */
		0xd503201f, /* nop */
		0xf9800000, /* prfm */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct code_access a = read_code(rows[i]);

		assert_int_equal(a.written, 0);
		assert_int_equal(a.to, ACCESS_NONE);
	}
	assert_int_equal(read_code(0xd53bd040).action, ACCESS_THREAD); /* mrs x0, tpidr_el0 */
	assert_int_equal(read_code(0xd53b4200).written, 1);            /* mrs x0, nzcv */
	assert_int_equal(read_code(0x9ac10800).written, 1);            /* udiv x0, x0, x1 */
	assert_int_equal(read_code(0x9e660000).written, 1);            /* fmov x0, d0 */
}

static void jumps_and_calls_have_targets(void **state)
{
	struct code_access a = read_code(0x97ffffff); /* bl -4 */

	(void)state;
	assert_int_equal(a.flow, ACCESS_CALL);
	assert_int_equal(a.target, AT - 4);
	a = read_code(0x54000081); /* b.ne +16 */
	assert_int_equal(a.flow, ACCESS_BRANCH);
	assert_int_equal(a.target, AT + 16);
	a = read_code(0xb4000040); /* cbz x0, +8 */
	assert_int_equal(a.flow, ACCESS_BRANCH);
	a = read_code(0x36000040); /* tbz w0, #0, +8 */
	assert_int_equal(a.target, AT + 8);
	assert_int_equal(read_code(0xd65f03c0).flow, ACCESS_END);
	assert_int_equal(read_code(0xd61f0220).flow, ACCESS_JUMP);
	assert_int_equal(read_code(0xd63f0000).flow, ACCESS_CALL);
	assert_int_equal(read_code(0xd4200000).flow, ACCESS_END);
	assert_int_equal(read_code(0).flow, ACCESS_END);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_and_stores_name_their_registers),
		cmocka_unit_test(a_shift_by_more_than_its_register_is_followed_no_further),
		cmocka_unit_test(pairs_have_two_registers),
		cmocka_unit_test(what_moves_a_pointer_is_told),
		cmocka_unit_test(numbers_of_indexes_are_told),
		cmocka_unit_test(comparisons_write_nothing),
		cmocka_unit_test(jumps_and_calls_have_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
