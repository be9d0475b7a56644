/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "dwarf/unwind/cfi-program.h"
#include "dwarf/unwind/cfi-section.h"

#define START 0x1000
#define END   0x1100

struct rows {
	struct cfi_row items[16];
	size_t n;
};

static void keep(void *arg, const struct cfi_row *row)
{
	struct rows *r = arg;

	assert_true(r->n < ARRAY_SIZE(r->items));
	r->items[r->n++] = *row;
}

/* Runs a CIE with CFA = r7 + 8 and r16 at CFA - 8, and then @program. */
static struct rows run_over(const uint8_t *program, size_t n, uint64_t start, uint64_t end,
			    uint64_t align)
{
	static const uint8_t cie[] = { 0x0c, 7, 8, 0x90, 1 };
	const struct cfi_section s = { .o = { .bytes = program, .size = n, .is_64 = true } };
	const struct cfi_fde fde = {
		.start = start,
		.end = end,
		.cie = { .code_align = align,
			 .data_align = -8,
			 .ra_register = 16,
			 .program = cie,
			 .end = cie + sizeof(cie) },
		.program = program,
		.program_end = program + n,
	};
	struct rows r = { .n = 0 };

	cfi_program_run(&s, &fde, keep, &r);
	return r;
}

static struct rows run(const uint8_t *program, size_t n)
{
	return run_over(program, n, START, END, 1);
}

#define RUN(...)                                                                                   \
	({                                                                                         \
		static const uint8_t bytes_[] = { __VA_ARGS__ };                                   \
		run(bytes_, sizeof(bytes_));                                                       \
	})

static void without_instructions_there_is_one_row(void **state)
{
	struct rows r = run((const uint8_t *)"", 0);

	(void)state;
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].start, START);
	assert_int_equal(r.items[0].end, END);
	assert_int_equal(r.items[0].cfa.where, CFI_REGISTER);
	assert_int_equal(r.items[0].cfa.reg, 7);
	assert_int_equal(r.items[0].cfa.offset, 8);
	assert_int_equal(r.items[0].regs[16].where, CFI_AT_CFA);
	assert_int_equal(r.items[0].regs[16].offset, -8);
	assert_int_equal(r.items[0].regs[3].where, CFI_UNSAID);
	assert_int_equal(r.items[0].said, 1 << 16);
}

static void a_push_begins_a_row(void **state)
{
	/* advance 1; def_cfa_offset 16; offset r6 at 2; advance 3; def_cfa_register r6 */
	struct rows r = RUN(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6);

	(void)state;
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[1].start, START + 1);
	assert_int_equal(r.items[1].cfa.offset, 16);
	assert_int_equal(r.items[1].regs[6].offset, -16);
	assert_int_equal(r.items[2].start, START + 4);
	assert_int_equal(r.items[2].cfa.reg, 6);
	assert_int_equal(r.items[2].cfa.offset, 16);
}

static void a_state_is_remembered_and_restored(void **state)
{
	/* 16; remember; advance 2; 32; restore r16; advance 2; restore */
	struct rows r = RUN(0x0e, 16, 0x0a, 0x42, 0x0e, 32, 0x08, 16, 0x42, 0x0b);

	(void)state;
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[1].cfa.offset, 32);
	assert_int_equal(r.items[1].regs[16].where, CFI_SAME);
	assert_int_equal(r.items[2].start, START + 4);
	assert_int_equal(r.items[2].cfa.offset, 16);
	assert_int_equal(r.items[2].regs[16].where, CFI_AT_CFA);
}

static void a_register_goes_back_to_what_was_said_first(void **state)
{
	/* offset r3; undefined r16; advance 1; restore r3; restore_extended r16 */
	struct rows r = RUN(0x83, 2, 0x07, 16, 0x41, 0xc3, 0x06, 16);

	(void)state;
	assert_int_equal(r.items[0].regs[3].where, CFI_AT_CFA);
	assert_int_equal(r.items[0].regs[16].where, CFI_UNDEFINED);
	assert_int_equal(r.items[1].regs[3].where, CFI_UNSAID);
	assert_int_equal(r.items[1].regs[16].where, CFI_AT_CFA);
	assert_int_equal(r.items[1].said, 1 << 16);
}

static void offsets_come_in_many_forms(void **state)
{
	/* offset_extended 12 3; _sf 13 -2; val_offset 14 1; val_offset_sf 15 -1; negative 3 2 */
	struct rows r = RUN(0x05, 12, 3, 0x11, 13, 0x7e, 0x14, 14, 1, 0x15, 15, 0x7f, 0x2f, 3, 2);
	const struct cfi_place *regs = r.items[0].regs;

	(void)state;
	assert_int_equal(regs[12].offset, -24);
	assert_int_equal(regs[13].offset, 16);
	assert_int_equal(regs[14].where, CFI_IS_CFA);
	assert_int_equal(regs[14].offset, -8);
	assert_int_equal(regs[15].offset, 8);
	assert_int_equal(regs[3].offset, 16);
	r = RUN(0x12, 6, 0x7e, 0x41, 0x13, 0x7c, 0x41, 0x09, 3, 12);
	assert_int_equal(r.items[0].cfa.offset, 16);
	assert_int_equal(r.items[1].cfa.offset, 32);
	assert_int_equal(r.items[2].regs[3].where, CFI_REGISTER);
	assert_int_equal(r.items[2].regs[3].reg, 12);
}

static void expressions_are_lent(void **state)
{
	/* def_cfa_expression of 2 bytes; expression r6 of 1; val_expression r7 of 1 */
	struct rows r = RUN(0x0f, 2, 0x76, 0x78, 0x10, 6, 1, 0x30, 0x16, 7, 1, 0x31);
	const struct cfi_row *row = &r.items[0];

	(void)state;
	assert_int_equal(row->cfa.where, CFI_IS_EXPRESSION);
	assert_int_equal(row->cfa.size, 2);
	assert_int_equal(row->cfa.expression[0], 0x76);
	assert_int_equal(row->regs[6].where, CFI_AT_EXPRESSION);
	assert_int_equal(row->regs[6].expression[0], 0x30);
	assert_int_equal(row->regs[7].where, CFI_IS_EXPRESSION);
}

static void code_is_advanced_over_in_many_forms(void **state)
{
	struct rows r = RUN(0x02, 4, 0x0e, 16, 0x03, 4, 0, 0x0e, 24, 0x04, 4, 0, 0, 0, 0x0e, 32);

	(void)state;
	assert_int_equal(r.n, 4);
	assert_int_equal(r.items[1].start, START + 4);
	assert_int_equal(r.items[2].start, START + 8);
	assert_int_equal(r.items[3].start, START + 12);
	/* set_loc, an address of eight bytes */
	r = RUN(0x01, 0x20, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 16);
	assert_int_equal(r.items[1].start, 0x1020);
}

static void nothing_is_said_of_code_behind_the_end(void **state)
{
	struct rows r = RUN(0x03, 0x00, 0x10, 0x0e, 16);

	(void)state;
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].end, END);
}

static void what_is_of_no_interest_is_passed_over(void **state)
{
	/* nop; GNU_args_size; AArch64_negate_ra_state; a vector register's place */
	struct rows r = RUN(0x00, 0x2e, 0x10, 0x2d, 0x05, 72, 2, 0x0e, 16);

	(void)state;
	assert_int_equal(r.n, 1);
	assert_int_equal(r.items[0].cfa.offset, 16);
}

static void behind_damage_there_are_no_rows(void **state)
{
	(void)state;
	assert_int_equal(RUN(0x41, 0x3c).n, 1);                 /* an unknown instruction */
	assert_int_equal(RUN(0x41, 0x0b).n, 1);                 /* nothing was remembered */
	assert_int_equal(RUN(0x41, 0x0e, 16, 0x42, 0x0e).n, 2); /* cut off */
	assert_int_equal(RUN(0x41, 0x0f, 100).n, 1);            /* a long expression */
	/* Backwards. */
	assert_int_equal(RUN(0x42, 0x01, 0, 0x10, 0, 0, 0, 0, 0, 0).n, 1);
	/* More states are remembered than can be needed. */
	assert_int_equal(RUN(0x41, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a).n, 1);
}

static void code_is_counted_in_units_of_its_alignment(void **state)
{
	static const uint8_t program[] = { 0x42, 0x0e, 16, 0x02, 3, 0x0e, 32 };
	struct rows r = run_over(program, sizeof(program), START, END, 4);

	(void)state;
	assert_int_equal(r.n, 3);
	assert_int_equal(r.items[0].end, START + 8);
	assert_int_equal(r.items[1].start, START + 8);
	assert_int_equal(r.items[1].end, START + 20);
	assert_int_equal(r.items[2].start, START + 20);
	assert_int_equal(r.items[2].end, END);
	assert_int_equal(r.items[2].cfa.offset, 32);
}

static void an_advance_may_be_larger_than_the_address_but_not_go_round(void **state)
{
	static const uint8_t program[] = { 0x02, 0x20, 0x0e, 16 };
	struct rows r = run_over(program, sizeof(program), 0x10, 0x100, 1);

	(void)state;
	assert_int_equal(r.n, 2);
	assert_int_equal(r.items[1].start, 0x30);
	assert_int_equal(r.items[1].end, 0x100);
	r = run_over(program, sizeof(program), UINT64_MAX - 0x10, UINT64_MAX, 1);
	assert_int_equal(r.n, 1);
	assert_true(r.items[0].end == UINT64_MAX);
}

/*
 * Register 33 is the last one that is recorded, and the eighth row the last one that can be
 * remembered.
 */
static void limits_of_registers_and_rows(void **state)
{
	struct rows r = RUN(0x08, 33, 0x08, 34, 0x41, 0x06, 33, 0x06, 34);

	(void)state;
	assert_int_equal(CFI_REGISTERS, 34);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.items[0].regs[33].where, CFI_SAME);
	assert_true(r.items[0].said == (1UL << 33 | 1 << 16));
	assert_int_equal(r.items[1].regs[33].where, CFI_UNSAID);
	assert_int_equal(r.items[1].said, 1 << 16);
	r = RUN(0x41, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0e, 16);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.items[1].cfa.offset, 16);
	r = RUN(0x0c, 33, 8, 0x41, 0x0c, 34, 8, 0x41, 0x09, 3, 33, 0x41, 0x09, 3, 34);
	assert_int_equal(r.items[0].cfa.where, CFI_REGISTER);
	assert_int_equal(r.items[1].cfa.where, CFI_UNSAID);
	assert_int_equal(r.items[2].regs[3].where, CFI_REGISTER);
	assert_int_equal(r.items[3].regs[3].where, CFI_UNDEFINED);
}

/* def_cfa_expression; def_cfa_offset, or _sf, or def_cfa_register */
static void an_offset_needs_a_register_to_count_from(void **state)
{
	struct rows r = RUN(0x0f, 1, 0x30, 0x41, 0x0d, 6);

	(void)state;
	assert_int_equal(RUN(0x0f, 1, 0x30, 0x41, 0x0e, 16).n, 1);
	assert_int_equal(RUN(0x0f, 1, 0x30, 0x41, 0x13, 2).n, 1);
	assert_int_equal(r.n, 2);
	assert_int_equal(r.items[1].cfa.reg, 6);
	assert_int_equal(r.items[1].cfa.offset, 0);
}

static void a_cie_that_is_damaged_or_describes_code_gives_no_rows(void **state)
{
	static const uint8_t cies[][2] = { { 0x41, 0x00 }, { 0x00, 0x3c }, { 0x00, 0x00 } };
	static const uint8_t program[] = { 0x00 };
	const struct cfi_section s = { .o = { .bytes = program, .size = 1, .is_64 = true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cies); i++) {
		const struct cfi_fde fde = {
			.start = START,
			.end = END,
			.cie = { .code_align = 1, .program = cies[i], .end = cies[i] + 2 },
			.program = program,
			.program_end = program + 1,
		};
		struct rows r = { .n = 0 };

		cfi_program_run(&s, &fde, keep, &r);
		/* A CIE that advances may already have returned its own row. */
		if (i == 0)
			assert_true(!r.n || r.items[r.n - 1].end == START + 1);
		else
			assert_int_equal(r.n, i == 1 ? 0 : 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_instructions_there_is_one_row),
		cmocka_unit_test(a_push_begins_a_row),
		cmocka_unit_test(a_state_is_remembered_and_restored),
		cmocka_unit_test(a_register_goes_back_to_what_was_said_first),
		cmocka_unit_test(offsets_come_in_many_forms),
		cmocka_unit_test(expressions_are_lent),
		cmocka_unit_test(code_is_advanced_over_in_many_forms),
		cmocka_unit_test(nothing_is_said_of_code_behind_the_end),
		cmocka_unit_test(what_is_of_no_interest_is_passed_over),
		cmocka_unit_test(behind_damage_there_are_no_rows),
		cmocka_unit_test(code_is_counted_in_units_of_its_alignment),
		cmocka_unit_test(an_advance_may_be_larger_than_the_address_but_not_go_round),
		cmocka_unit_test(limits_of_registers_and_rows),
		cmocka_unit_test(an_offset_needs_a_register_to_count_from),
		cmocka_unit_test(a_cie_that_is_damaged_or_describes_code_gives_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
