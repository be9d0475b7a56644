/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf/unwind/cfi-function.h"
#include "dwarf/unwind/cfi-section.h"
#include "leaf-elf.h"

#define CODE 0x401000

static struct cfi_section section;
static struct cfi_compiler compiler = { .fp_register = 29 };

/* Compiles the first function of the frames in @f. */
static struct cfi_function *compile(const struct leaf_frames *f)
{
	const struct cfi_section_options o = { .bytes = f->bytes, .size = f->n, .is_64 = true };

	cfi_section_init(&section, &o);
	return cfi_function_compile(&compiler, &section, 0);
}

static int tear_down(void **state)
{
	(void)state;
	cfi_section_done(&section);
	cfi_compiler_done(&compiler);
	compiler = (struct cfi_compiler){ .fp_register = 29 };
	return 0;
}

static void rows_become_rules(void **state)
{
	/* advance 4; CFA + 32; x29 at -32, x30 at -24 */
	static const uint8_t program[] = { 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 };
	struct leaf_frames f = { .n = 0 };
	const struct unwind_rule *rule;
	const struct cfi_function *fn;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, program, sizeof(program));
	fn = compile(&f);
	assert_int_equal(fn->start, CODE);
	assert_int_equal(fn->end, CODE + 0x40);
	assert_int_equal(fn->n, 2);
	rule = &cfi_function_row(fn, 3)->rule;
	assert_int_equal(rule->cfa_register, 31);
	assert_int_equal(rule->ra, UNWIND_SAME);
	assert_null(rule->detail);
	rule = &cfi_function_row(fn, 0x3f)->rule;
	assert_int_equal(rule->cfa_offset, 32);
	assert_int_equal(rule->ra, UNWIND_AT_CFA);
	assert_int_equal(rule->ra_offset, -24);
	assert_int_equal(rule->fp_offset, -32);
	assert_int_equal(rule->detail->n, 2);
}

static void a_glance_tells_what_the_rows_do(void **state)
{
	/* As above; then damage: an unknown instruction. */
	static const uint8_t programs[][9] = { { 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0, 0 },
					       { 0x41, 0x0e, 32, 0x9d, 4, 0x44, 0x9e, 3, 0x3f } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct leaf_frames f = { .n = 0 };
		const struct cfi_function *fn;
		struct cfi_function glanced;
		struct unwind_rule rule;

		leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, programs[i], sizeof(programs[i]));
		fn = compile(&f);
		for (uint64_t addr = CODE; addr < fn->end; addr++) {
			const struct unwind_rule *by_row = &cfi_function_row(fn, addr - CODE)->rule;

			assert_true(cfi_function_glance(&section, 0, 29, addr, &glanced, &rule));
			assert_int_equal(glanced.start, fn->start);
			assert_int_equal(glanced.end, fn->end);
			assert_int_equal(rule.cfa_register, by_row->cfa_register);
			assert_int_equal(rule.cfa_offset, by_row->cfa_offset);
			assert_int_equal(rule.ra, by_row->ra);
			assert_int_equal(rule.ra_offset, by_row->ra_offset);
			assert_int_equal(rule.fp, by_row->fp);
			assert_int_equal(rule.fp_offset, by_row->fp_offset);
			assert_null(rule.detail);
		}
		cfi_section_done(&section);
	}
	cfi_section_init(&section, &(struct cfi_section_options){ .is_64 = true });
}

static void a_glance_at_a_long_program_is_refused(void **state)
{
	static const uint8_t nops[600];
	struct leaf_frames f = { .n = 0 };
	struct cfi_function glanced;
	struct unwind_rule rule;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, nops, sizeof(nops));
	assert_int_equal(compile(&f)->end, CODE + 0x40);
	assert_false(cfi_function_glance(&section, 0, 29, CODE, &glanced, &rule));
}

static void rows_share_what_they_have_in_common(void **state)
{
	static const uint8_t program[] = { 0x93, 4, 0x41, 0x0e, 32, 0x41, 0x0e, 64, 0x41, 0x94, 3 };
	struct leaf_frames f = { .n = 0 };
	const struct cfi_function *fn;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, program, sizeof(program));
	fn = compile(&f);
	assert_int_equal(fn->n, 4);
	assert_ptr_equal(fn->rows[0].rule.detail, fn->rows[2].rule.detail);
	assert_int_equal(fn->rows[3].rule.detail->n, 2);
}

static void what_takes_an_expression_is_in_the_detail(void **state)
{
	static const uint8_t program[] = { 0x0f, 2, 0x8f, 0, 0x16, 30, 1, 0x30 };
	struct leaf_frames f = { .n = 0 };
	const struct unwind_rule *rule;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, program, sizeof(program));
	rule = &compile(&f)->rows[0].rule;
	assert_int_equal(rule->cfa_register, UNWIND_NO_REGISTER);
	assert_int_equal(rule->ra, UNWIND_OTHER);
	assert_int_equal(rule->detail->cfa.where, CFI_IS_EXPRESSION);
	assert_int_equal(rule->detail->items[0].reg, 30);
}

/* DW_CFA_expression of x19: the CFA plus 8, then plus 16, in the same number of bytes. */
static void expressions_of_equal_length_are_not_shared(void **state)
{
	static const uint8_t program[] = { 0x10, 19, 2, 0x23, 8, 0x41, 0x10, 19, 2, 0x23, 16 };
	struct leaf_frames f = { .n = 0 };
	const struct cfi_function *fn;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, program, sizeof(program));
	fn = compile(&f);
	assert_int_equal(fn->n, 2);
	assert_int_equal(fn->rows[0].rule.detail->items[0].place.expression[1], 8);
	assert_int_equal(fn->rows[1].rule.detail->items[0].place.expression[1], 16);
}

static void what_makes_no_sense_is_about_nothing(void **state)
{
	struct leaf_frames f = { .n = 0 };
	const struct cfi_function *fn;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, "\x3c", 1);
	fn = compile(&f);
	assert_int_equal(fn->n, 0);
	assert_int_equal(fn->start, fn->end);
	assert_null(cfi_function_row(fn, 0));
}

static void behind_damage_the_function_ends(void **state)
{
	struct leaf_frames f = { .n = 0 };
	const struct cfi_function *fn;

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 0x40, "\x42\x3c", 2);
	fn = compile(&f);
	assert_int_equal(fn->n, 1);
	assert_int_equal(fn->end, CODE + 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(rows_become_rules, tear_down),
		cmocka_unit_test_teardown(a_glance_tells_what_the_rows_do, tear_down),
		cmocka_unit_test_teardown(a_glance_at_a_long_program_is_refused, tear_down),
		cmocka_unit_test_teardown(rows_share_what_they_have_in_common, tear_down),
		cmocka_unit_test_teardown(what_takes_an_expression_is_in_the_detail, tear_down),
		cmocka_unit_test_teardown(expressions_of_equal_length_are_not_shared, tear_down),
		cmocka_unit_test_teardown(what_makes_no_sense_is_about_nothing, tear_down),
		cmocka_unit_test_teardown(behind_damage_the_function_ends, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
