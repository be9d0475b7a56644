/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "leaf-rules.h"

/* Returns the rules of a file with one function, whose CFI is @program. */
static struct cfi_rules *rules_of_function(const uint32_t *code, size_t size,
					   const uint8_t *program, size_t program_size,
					   uint64_t *ret_text)
{
	struct leaf_frames f = { .n = 0 };
	size_t text;

	built_begin(&built);
	text = built_add(&built, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, size);
	leaf_fde(&f, leaf_cie(&f, "zR"), built.sections[text].sh_addr, size, program, program_size);
	leaf_put(&f, "\0\0\0\0", 4);
	built_add(&built, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, f.bytes, f.n);
	built_end(&built, EM_AARCH64, ET_DYN);
	*ret_text = built.sections[text].sh_offset;
	return rules_of(built.bytes, built.size);
}

static void a_record_that_is_not_in_use_does_not_count(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_true(cfi_rules_is_leaf(r, text + LEAF_SETS_FP));
	assert_false(cfi_rules_is_leaf(r, text + LEAF_CALLS));
	assert_true(cfi_rules_is_leaf(r, text + LEAF_RESTORED));
	assert_int_equal(cfi_rules_find(r, text + LEAF_RESTORED)->cfa_offset, 32);
	assert_false(cfi_rules_is_leaf(r, text + LEAF_RESTORED - 4));
	assert_true(cfi_rules_is_leaf(r, text + LEAF_LEAF));
	assert_false(cfi_rules_is_leaf(r, text + LEAF_START));
}

static void running_code_knows_its_frame_better(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);
	const struct unwind_rule *rule = cfi_rules_find_running(r, text + LEAF_RESTORED);

	(void)state;
	assert_int_equal(rule->cfa_register, SP);
	assert_int_equal(rule->cfa_offset, 32);
	assert_int_equal(rule->ra, UNWIND_SAME);
	assert_int_equal(rule->fp, UNWIND_SAME);
	assert_ptr_equal(rule, cfi_rules_find_running(r, text + LEAF_RESTORED));
	/* If both tables agree, they share one rule. */
	assert_ptr_equal(cfi_rules_find_running(r, text + LEAF_CALLS),
			 cfi_rules_find(r, text + LEAF_CALLS));
	assert_int_equal(cfi_rules_find_running(r, text + LEAF_START)->ra, UNWIND_UNDEFINED);
	assert_true(cfi_rules_find_running(r, text + LEAF_SIGNAL)->is_signal);
}

/* Go also sets x29 in the middle of functions. */
static void a_frame_that_cfi_knows_to_stand_is_not_being_built(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (uint64_t at = LEAF_GO + 4; at < LEAF_GO_RESET; at += 4) {
		const struct unwind_rule *rule = cfi_rules_find_running(r, text + at);

		assert_int_equal(rule->cfa_offset, 32);
		assert_int_equal(rule->ra, UNWIND_AT_CFA);
		assert_int_equal(rule->ra_offset, -32);
	}
	assert_true(cfi_rules_is_leaf(r, text + LEAF_GO_SETS_FP));
	for (uint64_t at = LEAF_GO_STORES; at < LEAF_GO_RETURNED; at += 4)
		assert_false(cfi_rules_is_leaf(r, text + at));
}

static void a_record_may_be_for_a_callee(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (uint64_t at = 0; at < sizeof(leaf_code); at += 4)
		assert_int_equal(cfi_rules_has_callee_record(r, text + at),
				 at == LEAF_GO_CALLS || at == LEAF_GO_RETURNED);
}

/* At the jump, OCaml's CFI gives sp as the CFA, but still has x30 saved below it. */
static void before_a_tail_call_nothing_is_saved(void **state)
{
	static const uint32_t code[] = {
		0xd10103ff, /* 00 sub sp, sp, #0x40 */
		0xf9001ffe, /* 04 str x30, [sp, #56] */
		0x94000100, /* 08 bl */
		0xf9401ffe, /* 0c ldr x30, [sp, #56] */
		0x910103ff, /* 10 add sp, sp, #0x40 */
		0x14000100, /* 14 b */
	};
	static const uint8_t program[] = { 0x41, 0x0e, 0x40, 0x9e, 1, 0x44, 0x0e, 0 };
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r =
		rules_of_function(code, sizeof(code), program, sizeof(program), &text);
	const struct unwind_rule *rule = cfi_rules_find_running(r, text + 0x14);

	(void)state;
	assert_int_equal(cfi_rules_find(r, text + 0x14)->ra, UNWIND_AT_CFA);
	assert_int_equal(rule->cfa_register, SP);
	assert_int_equal(rule->cfa_offset, 0);
	assert_int_equal(rule->ra, UNWIND_SAME);
	assert_int_equal(rule->ra_register, LR);
	assert_int_equal(cfi_rules_find_running(r, text + 0x0c)->ra, UNWIND_AT_CFA);
}

static void a_stub_needs_no_cfi(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (uint64_t at = LEAF_STUB; at < LEAF_START; at += 4) {
		assert_true(cfi_rules_is_leaf(r, text + at));
		assert_int_equal(cfi_rules_find(r, text + at)->cfa_register, UNWIND_NO_REGISTER);
		assert_int_equal(cfi_rules_find_running(r, text + at)->cfa_register, SP);
		assert_int_equal(cfi_rules_find_running(r, text + at)->ra, UNWIND_SAME);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_that_is_not_in_use_does_not_count),
		cmocka_unit_test(running_code_knows_its_frame_better),
		cmocka_unit_test(a_frame_that_cfi_knows_to_stand_is_not_being_built),
		cmocka_unit_test(a_record_may_be_for_a_callee),
		cmocka_unit_test(before_a_tail_call_nothing_is_saved),
		cmocka_unit_test(a_stub_needs_no_cfi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
