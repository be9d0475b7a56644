/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/arch.h"
#include "dwarf/unwind/flat-rules.h"
#include "leaf-rules.h"

/* The example, with both of its tables. */
struct tables {
	struct cfi_rules *of;
	uint64_t text;
	struct flat_rules rules;
	struct flat_rows rows[FLAT_TABLES];
};

static void begin(struct tables *t)
{
	*t = (struct tables){ 0 };
	t->of = example(&t->text);
	for (int i = 0; i < FLAT_TABLES; i++)
		flat_chunk_compile(t->of, (enum flat_table)i, 0,
				   &(struct flat_range){ t->text, t->text + sizeof(leaf_code) },
				   &t->rules, &t->rows[i]);
}

static void end(struct tables *t)
{
	for (int i = 0; i < FLAT_TABLES; i++)
		flat_rows_done(&t->rows[i]);
	flat_rules_done(&t->rules);
	cfi_rules_free(t->of);
}

/* Returns the rule of the last row that begins at or before @at. */
static const struct flat_rule *rule_at(const struct tables *t, enum flat_table which, uint64_t at)
{
	const struct flat_rows *rows = &t->rows[which];
	size_t i = 0;

	at += t->text;
	assert_true(rows->n > 0);
	assert_int_equal(FLAT_ROW_AT(rows->items[0]), 0);
	while (i + 1 < rows->n && FLAT_ROW_AT(rows->items[i + 1]) <= at)
		i++;
	assert_true(FLAT_ROW_RULE(rows->items[i]) < t->rules.n);
	return &t->rules.items[FLAT_ROW_RULE(rows->items[i])];
}

static void what_runs_is_found_by_its_address(void **state)
{
	static const uint64_t places[] = {
		LEAF_CALLER, LEAF_SETS_FP, LEAF_CALLS,  LEAF_RESTORED, LEAF_RETURNS,  LEAF_LEAF,
		LEAF_STUB,   LEAF_START,   LEAF_SIGNAL, LEAF_GO,       LEAF_GO_CALLS, LEAF_GO_RESET
	};
	struct tables t;

	(void)state;
	begin(&t);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const struct unwind_rule *rule = cfi_rules_find_running(t.of, t.text + places[i]);
		struct flat_rule flat = flat_rule_of(rule, &arch_aarch64, 0);

		assert_memory_equal(rule_at(&t, FLAT_RUNNING, places[i]), &flat, sizeof(flat));
	}
	end(&t);
}

static void callers_are_found_by_the_return_address(void **state)
{
	struct tables t;
	const struct flat_rule *rule;

	(void)state;
	begin(&t);
	rule = rule_at(&t, FLAT_CALLERS, LEAF_CALLS + 4);
	assert_int_equal(rule->kind, FLAT_FRAME);
	assert_int_equal(rule->cfa, FLAT_CFA_SP);
	assert_int_equal(rule->cfa_offset, 32);
	assert_int_equal(rule->ra, FLAT_RA_AT_CFA);
	assert_int_equal(rule->ra_offset, -24);
	assert_int_equal(rule->fp, FLAT_FP_AT_CFA);
	assert_int_equal(rule->fp_offset, -32);
	assert_int_equal(rule_at(&t, FLAT_CALLERS, LEAF_START + 4)->kind, FLAT_END);
	end(&t);
}

static void a_function_that_is_returned_to_at_its_start_is_the_outermost(void **state)
{
	struct tables t;

	(void)state;
	begin(&t);
	assert_int_equal(rule_at(&t, FLAT_CALLERS, LEAF_LEAF)->kind, FLAT_END_ENTERED);
	assert_int_equal(rule_at(&t, FLAT_CALLERS, LEAF_LEAF + 4)->kind, FLAT_FRAME);
	end(&t);
}

static void code_without_rules_may_be_the_outermost(void **state)
{
	struct tables t;
	const struct flat_rule *rule;

	(void)state;
	begin(&t);
	rule = rule_at(&t, FLAT_CALLERS, LEAF_STUB + 8);
	assert_int_equal(rule->kind, FLAT_END_RECORD);
	assert_int_equal(rule->ra_offset, 8);
	assert_int_equal(rule_at(&t, FLAT_RUNNING, LEAF_STUB + 8)->kind, FLAT_FRAME);
	end(&t);
}

/* A file like the vdso: mapped from its first byte on, and without CFI. */
static void handlers_return_to_an_instruction_of_code_without_rules(void **state)
{
	static const uint32_t code[] = { 0xd503201f, 0xd2801168, 0xd4000001, 0xd503201f };
	struct flat_range range = { .start = 0 };
	struct flat_rules rules = { 0 };
	struct flat_rows rows = { .n = 0 };
	struct elf_file *file;
	struct built_elf b;
	uint64_t at;
	size_t i = 0;

	(void)state;
	built_begin(&b);
	at = b.sections[built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
				  sizeof(code))]
		     .sh_offset +
	     4;
	built_end(&b, EM_AARCH64, ET_DYN);
	range.end = b.size;
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &file), 0);

	struct cfi_rules *r = cfi_rules_new(file);

	flat_chunk_compile(r, FLAT_CALLERS, 0, &range, &rules, &rows);
	while (i + 1 < rows.n && FLAT_ROW_AT(rows.items[i + 1]) <= at)
		i++;
	assert_int_equal(rules.items[FLAT_ROW_RULE(rows.items[i])].kind, FLAT_SIGNAL);
	flat_rows_done(&rows);
	flat_rules_done(&rules);
	cfi_rules_free(r);
}

static void outside_of_the_code_there_are_no_rules(void **state)
{
	struct tables t;

	(void)state;
	begin(&t);
	assert_int_equal(rule_at(&t, FLAT_RUNNING, sizeof(leaf_code))->kind, FLAT_CANNOT);
	if (t.text)
		assert_int_equal(FLAT_ROW_RULE(t.rows[FLAT_RUNNING].items[0]), 0);
	flat_chunk_compile(t.of, FLAT_RUNNING, 1 << 20, &(struct flat_range){ 0, 4096 }, &t.rules,
			   &t.rows[0]);
	assert_int_equal(t.rows[0].n, 1);
	assert_int_equal(t.rows[0].items[0], FLAT_ROW(0, 0));
	end(&t);
}

static void equal_rules_have_one_number(void **state)
{
	struct flat_rules r = { 0 };
	struct flat_rule a = { .kind = FLAT_FRAME, .cfa_offset = 16 }, b = a;

	(void)state;
	b.fp_offset = -8;
	assert_int_equal(flat_rules_number(&r, &a), 1);
	assert_int_equal(flat_rules_number(&r, &b), 2);
	assert_int_equal(flat_rules_number(&r, &a), 1);
	assert_int_equal(r.items[0].kind, FLAT_CANNOT);
	for (int32_t i = 0; i < FLAT_RULES_MAX + 10; i++) {
		a.cfa_offset = i;
		flat_rules_number(&r, &a);
	}
	assert_int_equal(r.n, FLAT_RULES_MAX);
	a.cfa_offset = -1;
	assert_int_equal(flat_rules_number(&r, &a), 0);
	flat_rules_done(&r);
}

/* Returns a rule of x86_64 whose CFA is the expression of @n bytes. */
static struct flat_rule by_expression(const char *bytes, size_t n, uint64_t addr)
{
	struct unwind_detail d = { .is_64 = true,
				   .cfa = { .where = CFI_IS_EXPRESSION,
					    .size = (uint32_t)n,
					    .expression = (const uint8_t *)bytes } };
	struct unwind_rule rule = { .cfa_register = UNWIND_NO_REGISTER,
				    .ra = UNWIND_AT_CFA,
				    .ra_offset = -8,
				    .fp = UNWIND_SAME,
				    .detail = &d };

	return flat_rule_of(&rule, &arch_x86_64, addr);
}

/* rsp + 8 + ((rip & 15) >= 11) << 3 */
static void stubs_of_the_plt_depend_on_the_place(void **state)
{
	static const char plt[] = "\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22";
	struct flat_rule first = by_expression(plt, 11, 0x1020), second;

	(void)state;
	second = by_expression(plt, 11, 0x102b);
	assert_int_equal(first.kind, FLAT_FRAME);
	assert_int_equal(first.cfa, FLAT_CFA_SP);
	assert_int_equal(first.cfa_offset, 8);
	assert_int_equal(second.cfa_offset, 16);
}

static void a_realigned_frame_keeps_its_cfa_in_memory(void **state)
{
	struct flat_rule r = by_expression("\x76\x78\x06", 3, 0);

	(void)state;
	assert_int_equal(r.kind, FLAT_FRAME);
	assert_int_equal(r.cfa, FLAT_CFA_AT_FP);
	assert_int_equal(r.cfa_offset, -8);
	assert_int_equal(r.cfa_added, 0);
	/* The word at rsp - 8 is the stack pointer at the entry of the function. */
	r = by_expression("\x77\x78\x06\x23\x08", 5, 0);
	assert_int_equal(r.kind, FLAT_FRAME);
	assert_int_equal(r.cfa, FLAT_CFA_AT_SP);
	assert_int_equal(r.cfa_offset, -8);
	assert_int_equal(r.cfa_added, 8);
	/* rbx is not tracked, and two reads are too many. */
	assert_int_equal(by_expression("\x73\x08", 2, 0).kind, FLAT_CANNOT);
	assert_int_equal(by_expression("\x76\x78\x06\x06", 4, 0).kind, FLAT_CANNOT);
	assert_int_equal(by_expression("", 0, 0).kind, FLAT_CANNOT);
}

static void what_a_guess_gives_is_no_rule(void **state)
{
	struct unwind_rule rule = unwind_rule_unknown;

	(void)state;
	assert_int_equal(flat_rule_of(&rule, &arch_aarch64, 0).kind, FLAT_CANNOT);
	rule = (struct unwind_rule){ .cfa_register = SP, .ra = UNWIND_SAME, .ra_register = 19 };
	assert_int_equal(flat_rule_of(&rule, &arch_aarch64, 0).kind, FLAT_CANNOT);
	rule.ra_register = LR;
	assert_int_equal(flat_rule_of(&rule, &arch_aarch64, 0).ra, FLAT_RA_LINK);
	rule.hides_sp = 1;
	assert_int_equal(flat_rule_of(&rule, &arch_aarch64, 0).kind, FLAT_CANNOT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_runs_is_found_by_its_address),
		cmocka_unit_test(callers_are_found_by_the_return_address),
		cmocka_unit_test(a_function_that_is_returned_to_at_its_start_is_the_outermost),
		cmocka_unit_test(code_without_rules_may_be_the_outermost),
		cmocka_unit_test(handlers_return_to_an_instruction_of_code_without_rules),
		cmocka_unit_test(outside_of_the_code_there_are_no_rules),
		cmocka_unit_test(equal_rules_have_one_number),
		cmocka_unit_test(stubs_of_the_plt_depend_on_the_place),
		cmocka_unit_test(a_realigned_frame_keeps_its_cfa_in_memory),
		cmocka_unit_test(what_a_guess_gives_is_no_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
