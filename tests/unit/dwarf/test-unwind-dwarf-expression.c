/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "dwarf/unwind/dwarf-expression.h"

static bool read_register(void *arg, uint64_t reg, uint64_t *ret)
{
	(void)arg;
	*ret = 1000 + reg;
	return reg < 16;
}

static bool read_memory(void *arg, uint64_t addr, unsigned size, uint64_t *ret)
{
	(void)arg;
	*ret = addr + size;
	return addr >= 0x1000 / 8;
}

static const struct expression_env env = { read_register, read_memory, NULL };

static bool value(const uint8_t *bytes, size_t n, uint64_t *ret)
{
	const struct expression e = { .bytes = bytes, .size = n, .is_64 = true };

	return expression_value(&e, &env, NULL, ret);
}

/* The value of the bytes; UINT64_MAX - 1: they have none. */
#define VALUE(...)                                                                                 \
	({                                                                                         \
		static const uint8_t bytes_[] = { __VA_ARGS__ };                                   \
		uint64_t v_ = UINT64_MAX - 1;                                                      \
		value(bytes_, sizeof(bytes_), &v_);                                                \
		v_;                                                                                \
	})
#define NOTHING (UINT64_MAX - 1)

static void numbers_are_pushed(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x30), 0);
	assert_int_equal(VALUE(0x4f), 31);
	assert_int_equal(VALUE(0x08, 200), 200);
	assert_true(VALUE(0x09, 0xff) == UINT64_MAX);
	assert_int_equal(VALUE(0x0a, 0x34, 0x12), 0x1234);
	assert_true(VALUE(0x0b, 0x00, 0x80) == (uint64_t)-32768);
	assert_int_equal(VALUE(0x0c, 1, 0, 0, 1), 0x1000001);
	assert_true(VALUE(0x0d, 0, 0, 0, 0x80) == (uint64_t)INT32_MIN);
	assert_int_equal(VALUE(0x0e, 1, 0, 0, 0, 0, 0, 0, 0), 1);
	assert_int_equal(VALUE(0x03, 2, 0, 0, 0, 0, 0, 0, 0), 2);
	assert_int_equal(VALUE(0x10, 0xe5, 0x8e, 0x26), 624485);
	assert_true(VALUE(0x11, 0x7f) == UINT64_MAX);
}

static void registers_and_memory_are_asked_for(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x77, 8), 1015);          /* breg7 8 */
	assert_int_equal(VALUE(0x92, 3, 0x7f), 1002);    /* bregx 3 -1 */
	assert_int_equal(VALUE(0x77, 0, 0x06), 1015);    /* deref: 8 bytes */
	assert_int_equal(VALUE(0x77, 0, 0x94, 4), 1011); /* deref_size 4 */
	assert_int_equal(VALUE(0x31, 0x06), NOTHING);    /* memory that does not exist */
	assert_int_equal(VALUE(0x80, 0), NOTHING);       /* a register that does not exist */
	assert_int_equal(VALUE(0x77, 0, 0x94, 9), NOTHING);
}

static void the_stack_is_moved(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x35, 0x12, 0x22), 10);            /* dup plus */
	assert_int_equal(VALUE(0x35, 0x36, 0x13), 5);             /* drop */
	assert_int_equal(VALUE(0x35, 0x36, 0x14), 5);             /* over */
	assert_int_equal(VALUE(0x35, 0x36, 0x37, 0x15, 2), 5);    /* pick 2 */
	assert_int_equal(VALUE(0x35, 0x37, 0x16, 0x1c), 2);       /* swap minus */
	assert_int_equal(VALUE(0x31, 0x32, 0x33, 0x17, 0x13), 1); /* rot drop */
	assert_int_equal(VALUE(0x31, 0x32, 0x33, 0x17), 2);       /* rot: 3 1 2 */
	assert_int_equal(VALUE(0x13), NOTHING);
	assert_int_equal(VALUE(0x31, 0x14), NOTHING);
}

static void numbers_are_computed_with(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x11, 0x7b, 0x19), 5);               /* abs */
	assert_int_equal(VALUE(0x3c, 0x3a, 0x1a), 8);               /* and */
	assert_true(VALUE(0x11, 0x78, 0x32, 0x1b) == (uint64_t)-4); /* div, with a sign */
	assert_int_equal(VALUE(0x37, 0x33, 0x1d), 1);               /* mod */
	assert_int_equal(VALUE(0x37, 0x33, 0x1e), 21);              /* mul */
	assert_true(VALUE(0x31, 0x1f) == UINT64_MAX);               /* neg */
	assert_true(VALUE(0x30, 0x20) == UINT64_MAX);               /* not */
	assert_int_equal(VALUE(0x3c, 0x33, 0x21), 15);              /* or */
	assert_int_equal(VALUE(0x35, 0x23, 0x80, 0x01), 133);       /* plus_uconst */
	assert_int_equal(VALUE(0x31, 0x34, 0x24), 16);              /* shl */
	assert_int_equal(VALUE(0x3f, 0x33, 0x25), 1);               /* shr */
	assert_true(VALUE(0x11, 0x70, 0x32, 0x26) == (uint64_t)-4); /* shra */
	assert_int_equal(VALUE(0x35, 0x33, 0x27), 6);               /* xor */
	assert_int_equal(VALUE(0x31, 0x08, 64, 0x24), 0);
	assert_true(VALUE(0x11, 0x7f, 0x08, 64, 0x26) == UINT64_MAX);
}

static void nothing_is_divided_by_zero(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x31, 0x30, 0x1b), NOTHING);
	assert_int_equal(VALUE(0x31, 0x30, 0x1d), NOTHING);
	/* The smallest number divided by -1 is itself. */
	assert_true(VALUE(0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x11, 0x7f, 0x1b) ==
		    (uint64_t)INT64_MIN);
}

static void numbers_are_compared_with_their_sign(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x11, 0x7f, 0x31, 0x2d), 1); /* -1 < 1 */
	assert_int_equal(VALUE(0x31, 0x31, 0x29), 1);
	assert_int_equal(VALUE(0x31, 0x31, 0x2a), 1);
	assert_int_equal(VALUE(0x31, 0x32, 0x2b), 0);
	assert_int_equal(VALUE(0x31, 0x32, 0x2c), 1);
	assert_int_equal(VALUE(0x31, 0x32, 0x2e), 1);
}

static void the_rule_of_a_procedure_linkage_table_is_understood(void **state)
{
	/* breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus: as binutils writes it. */
	static const uint8_t plt[] = { 0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a,
				       0x3b, 0x2a, 0x33, 0x24, 0x22 };
	struct expression e = { .bytes = plt, .size = sizeof(plt), .is_64 = true };
	uint64_t v;

	(void)state;
	assert_false(expression_value(&e, &env, NULL, &v)); /* 16 is not among the registers */
	e.bytes = (const uint8_t[]){ 0x77, 0x08, 0x7f, 0x00, 0x3f, 0x1a,
				     0x3b, 0x2a, 0x33, 0x24, 0x22 };
	assert_true(expression_value(&e, &env, NULL, &v));
	/* Register 15 is 1015: its lowest bits are 7, less than 11. */
	assert_int_equal(v, 1015);
}

static void an_expression_may_begin_with_a_value(void **state)
{
	static const uint8_t bytes[] = { 0x23, 8 };
	const struct expression e = { .bytes = bytes, .size = 2, .is_64 = true };
	uint64_t first = 100, v;

	(void)state;
	assert_true(expression_value(&e, &env, &first, &v));
	assert_int_equal(v, 108);
	assert_false(expression_value(&e, &env, NULL, &v));
}

static void jumps_stay_inside_and_come_to_an_end(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x31, 0x30, 0x28, 1, 0, 0x32), 2); /* bra is not taken */
	assert_int_equal(VALUE(0x31, 0x31, 0x28, 1, 0, 0x32), 1); /* bra is */
	assert_int_equal(VALUE(0x31, 0x2f, 1, 0, 0x32), 1);       /* skip */
	assert_int_equal(VALUE(0x31, 0x2f, 0xfd, 0xff), NOTHING); /* for ever */
	assert_int_equal(VALUE(0x31, 0x2f, 0xf0, 0xff), NOTHING); /* before the beginning */
	assert_int_equal(VALUE(0x31, 0x2f, 1, 0), NOTHING);       /* behind the end */
}

static void what_is_unknown_or_cut_off_is_nothing(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x31, 0xff), NOTHING);
	assert_int_equal(VALUE(0x0e, 1), NOTHING);
	assert_int_equal(VALUE(0x96), NOTHING);
	/* The values do not fit on the stack. */
	assert_int_equal(VALUE(0x31, 0x12, 0x2f, 0xfc, 0xff), NOTHING);
}

static void only_an_arithmetic_shift_keeps_the_sign(void **state)
{
	(void)state;
	assert_true(VALUE(0x11, 0x70, 0x32, 0x25) == UINT64_MAX / 4 - 3);
	assert_true(VALUE(0x11, 0x70, 0x32, 0x24) == (uint64_t)-64);
	assert_true(VALUE(0x11, 0x70, 0x30, 0x26) == (uint64_t)-16);
	assert_int_equal(VALUE(0x3f, 0x32, 0x26), 3);
	assert_int_equal(VALUE(0x11, 0x70, 0x08, 64, 0x25), 0);
	assert_int_equal(VALUE(0x11, 0x70, 0x08, 64, 0x24), 0);
	assert_int_equal(VALUE(0x3f, 0x08, 64, 0x26), 0);
	assert_int_equal(VALUE(0x11, 0x70, 0x08, 63, 0x25), 1);
	assert_true(VALUE(0x11, 0x70, 0x08, 63, 0x26) == UINT64_MAX);
	assert_true(VALUE(0x31, 0x08, 63, 0x24) == 1UL << 63);
}

/* Less, equal, and greater, as bits. */
#define COMPARED(op)                                                                               \
	(VALUE(0x31, 0x32, op) | VALUE(0x32, 0x32, op) << 1 | VALUE(0x32, 0x31, op) << 2)

static void comparisons_tell_less_equal_and_greater_apart(void **state)
{
	(void)state;
	assert_int_equal(COMPARED(0x29), 2); /* eq */
	assert_int_equal(COMPARED(0x2a), 6); /* ge */
	assert_int_equal(COMPARED(0x2b), 4); /* gt */
	assert_int_equal(COMPARED(0x2c), 3); /* le */
	assert_int_equal(COMPARED(0x2d), 1); /* lt */
	assert_int_equal(COMPARED(0x2e), 5); /* ne */
}

/* Pushes @n numbers and runs @op, if that is not 0. */
static bool has_value_after(size_t n, uint8_t op, uint8_t operand, uint64_t *ret)
{
	uint8_t bytes[1200];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(0x30 + i % 32);
	bytes[n] = op;
	bytes[n + 1] = operand;
	return value(bytes, n + 2, ret);
}

static void the_stack_has_64_entries(void **state)
{
	uint64_t v;

	(void)state;
	assert_true(has_value_after(64, 0x96, 0x96, &v)); /* nop */
	assert_int_equal(v, 31);
	assert_false(has_value_after(65, 0x96, 0x96, &v));
	assert_true(has_value_after(63, 0x15, 62, &v)); /* pick */
	assert_int_equal(v, 0);
	assert_false(has_value_after(63, 0x15, 63, &v));
}

static void an_expression_has_at_most_1000_steps(void **state)
{
	uint8_t bytes[1001] = { 0x35 };
	uint64_t v;

	(void)state;
	memset(bytes + 1, 0x96, 1000);
	assert_true(value(bytes, 1000, &v));
	assert_int_equal(v, 5);
	assert_false(value(bytes, 1001, &v));
	assert_false(value(bytes, 0, &v));
}

static void jumps_may_go_to_the_very_ends(void **state)
{
	(void)state;
	assert_int_equal(VALUE(0x35, 0x2f, 2, 0, 0x36, 0x37), 5); /* to the end */
	/* It jumps back to the beginning once: 1 becomes 0, and 0 does not cause a jump. */
	assert_int_equal(VALUE(0x30, 0x20, 0x31, 0x22, 0x12, 0x28, 0xf8, 0xff), 0);
	assert_int_equal(VALUE(0x31, 0x2f, 0xfb, 0xff), NOTHING);
	assert_int_equal(VALUE(0x77, 0, 0x94, 8), 1015);
	assert_int_equal(VALUE(0x31, 0x19), 1);
}

static void a_program_of_32_bits_has_shorter_addresses(void **state)
{
	static const uint8_t bytes[] = { 0x03, 0x78, 0x56, 0x34, 0x12, 0x06 };
	const struct expression e = { .bytes = bytes, .size = sizeof(bytes) };
	const struct expression other = { .bytes = bytes, .size = 5, .swap = true };
	uint64_t v;

	(void)state;
	assert_true(expression_value(&e, &env, NULL, &v));
	assert_int_equal(v, 0x12345678 + 4);
	assert_true(expression_value(&other, &env, NULL, &v));
	assert_int_equal(v, 0x78563412);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_pushed),
		cmocka_unit_test(registers_and_memory_are_asked_for),
		cmocka_unit_test(the_stack_is_moved),
		cmocka_unit_test(numbers_are_computed_with),
		cmocka_unit_test(nothing_is_divided_by_zero),
		cmocka_unit_test(numbers_are_compared_with_their_sign),
		cmocka_unit_test(the_rule_of_a_procedure_linkage_table_is_understood),
		cmocka_unit_test(an_expression_may_begin_with_a_value),
		cmocka_unit_test(jumps_stay_inside_and_come_to_an_end),
		cmocka_unit_test(what_is_unknown_or_cut_off_is_nothing),
		cmocka_unit_test(only_an_arithmetic_shift_keeps_the_sign),
		cmocka_unit_test(comparisons_tell_less_equal_and_greater_apart),
		cmocka_unit_test(the_stack_has_64_entries),
		cmocka_unit_test(an_expression_has_at_most_1000_steps),
		cmocka_unit_test(jumps_may_go_to_the_very_ends),
		cmocka_unit_test(a_program_of_32_bits_has_shorter_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
