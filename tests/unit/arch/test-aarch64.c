/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "arch/operand.h"
#include "base/cleanup.h"

#define NONE INT64_MIN

/* Encodings and targets, as objdump shows them. */
static const struct {
	uint32_t word;
	enum code_flow_kind kind;
	int64_t target; /* relative to the instruction; NONE: there is none */
} words[] = {
	{ 0x14000004, FLOW_JUMP, 0x10 },   /* b */
	{ 0x17fffffd, FLOW_JUMP, -0xc },   /* b, back */
	{ 0x97ffffe7, FLOW_CALL, -0x64 },  /* bl */
	{ 0x54fffea1, FLOW_JUMP, -0x2c },  /* b.ne */
	{ 0x34000200, FLOW_JUMP, 0x40 },   /* cbz w0 */
	{ 0xb5ffffe1, FLOW_JUMP, -4 },     /* cbnz x1 */
	{ 0x36180062, FLOW_JUMP, 0xc },    /* tbz w2, #3 */
	{ 0xb7ffffe0, FLOW_JUMP, -4 },     /* tbnz x0, #63 */
	{ 0x10ffffe0, FLOW_ON, -4 },       /* adr x0 */
	{ 0x30000000, FLOW_ON, 1 },        /* adr x0, one byte further */
	{ 0x58000040, FLOW_ON, 8 },        /* ldr x0, literal */
	{ 0xd61f0200, FLOW_JUMP, NONE },   /* br x16 */
	{ 0xd63f02e0, FLOW_CALL, NONE },   /* blr x23 */
	{ 0xd71f0a11, FLOW_JUMP, NONE },   /* braa x16, x17 */
	{ 0xd65f03c0, FLOW_RETURN, NONE }, /* ret */
	{ 0xd65f0bff, FLOW_RETURN, NONE }, /* retaa */
	{ 0xd69f03e0, FLOW_RETURN, NONE }, /* eret */
	{ 0xd503201f, FLOW_ON, NONE },     /* nop */
	{ 0xf9400000, FLOW_ON, NONE },     /* ldr x0, [x0] */
};

static void words_lead_where_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		uint8_t b[4] = { (uint8_t)words[i].word, (uint8_t)(words[i].word >> 8),
				 (uint8_t)(words[i].word >> 16), (uint8_t)(words[i].word >> 24) };
		struct code_flow f = arch_aarch64.code_flow(b, 4, 0x400800);

		assert_int_equal(f.kind, words[i].kind);
		assert_int_equal(f.has_target, words[i].target != NONE);
		if (f.has_target)
			assert_int_equal(f.target, 0x400800 + words[i].target);
	}
}

static void a_page_is_counted_from_the_page(void **state)
{
	static const uint8_t adrp[] = { 0x04, 0x01, 0x00, 0x90 }; /* adrp x4, 32 pages further */
	struct code_flow f = arch_aarch64.code_flow(adrp, 4, 0x728);

	(void)state;
	assert_int_equal(f.kind, FLOW_ON);
	assert_true(f.has_target);
	assert_int_equal(f.target, 0x20000);
}

static void what_is_cut_off_leads_nowhere(void **state)
{
	(void)state;
	assert_int_equal(arch_aarch64.code_flow((const uint8_t *)"\x00\x00\x00", 3, 0).kind,
			 FLOW_ON);
}

static bool ends_call(uint32_t op)
{
	return arch_aarch64.convention->ends_call((const uint8_t *)&op, sizeof(op));
}

static void calls_link(void **state)
{
	(void)state;
	assert_true(ends_call(0x94000010));  /* bl */
	assert_true(ends_call(0xd63f0100));  /* blr x8 */
	assert_true(ends_call(0xd63f091f));  /* blraaz x8 */
	assert_true(ends_call(0xd73f0909));  /* blraa x8, x9 */
	assert_false(ends_call(0x14000010)); /* b */
	assert_false(ends_call(0xd61f0100)); /* br x8 */
	assert_false(ends_call(0xd65f03c0)); /* ret */
	assert_false(arch_aarch64.convention->ends_call((const uint8_t *)"\x10\0\0", 3));
}

static void stubs_may_have_code_for_branch_protection(void **state)
{
	/* adrp, ldr, add, br x17; adrp, ldr, add, autia1716, br x17, nop */
	static const uint32_t plain[] = { 0x90000010, 0xf9400211, 0x91000210,
					  0xd61f0220, 0x90000010, 0xf9400211 };
	static const uint32_t signs[] = { 0x90000010, 0xf9400211, 0x91000210,
					  0xd503219f, 0xd61f0220, 0xd503201f };

	(void)state;
	assert_int_equal(arch_aarch64.plt->entry_size((const uint8_t *)plain, sizeof(plain)), 16);
	assert_int_equal(arch_aarch64.plt->entry_size((const uint8_t *)signs, sizeof(signs)), 24);
	assert_int_equal(arch_aarch64.plt->entry_size((const uint8_t *)signs, 20), 16);
}

static struct arch_operand operand(const char *s)
{
	struct arch_operand o;

	assert_true(arch_aarch64.sdt_operand(s, strlen(s), &o));
	return o;
}

static void operands_are_the_assemblers(void **state)
{
	struct arch_operand o;

	(void)state;
	o = operand("-7");
	assert_int_equal(o.kind, OPERAND_CONSTANT);
	assert_int_equal(o.number, -7);
	o = operand("w30");
	assert_int_equal(o.kind, OPERAND_REGISTER);
	assert_string_equal(o.reg, "x30");
	o = operand("[sp, #-12]");
	assert_int_equal(o.kind, OPERAND_MEMORY);
	assert_int_equal(o.number, -12);
	assert_string_equal(o.reg, "sp");
	assert_string_equal(operand("[x1]").reg, "x1");
	assert_false(arch_aarch64.sdt_operand("[x1, x2]", 8, &o));
	assert_false(arch_aarch64.sdt_operand("x31", 3, &o));
	assert_false(arch_aarch64.sdt_operand("[]", 2, &o));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_lead_where_they_say),
		cmocka_unit_test(a_page_is_counted_from_the_page),
		cmocka_unit_test(what_is_cut_off_leads_nowhere),
		cmocka_unit_test(calls_link),
		cmocka_unit_test(stubs_may_have_code_for_branch_protection),
		cmocka_unit_test(operands_are_the_assemblers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
