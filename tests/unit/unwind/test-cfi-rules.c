/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <pthread.h>

#include "elf/elf-file.h"
#include "unwind/cfi-rules.h"
#include "unwind/leaf-elf.h"

#define SP 31
#define LR 30

static struct built_elf built;

static struct cfi_rules *rules_of(const void *bytes, size_t size)
{
	struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(bytes, size, &f), 0);
	return cfi_rules_new(f);
}

static struct cfi_rules *example(uint64_t *ret_text)
{
	*ret_text = leaf_elf_build(&built, ".eh_frame");
	return rules_of(built.bytes, built.size);
}

static void a_frame_record_is_found_below_the_cfa(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);
	const struct unwind_rule *rule = cfi_rules_find(r, text + LEAF_CALLS);

	(void)state;
	assert_int_equal(rule->cfa_register, SP);
	assert_int_equal(rule->cfa_offset, 32);
	assert_int_equal(rule->ra, UNWIND_AT_CFA);
	assert_int_equal(rule->ra_offset, -24);
	assert_int_equal(rule->fp, UNWIND_AT_CFA);
	assert_int_equal(rule->fp_offset, -32);
	assert_false(rule->is_signal);
}

static void a_leaf_has_all_in_registers(void **state)
{
	static const uint64_t places[] = { LEAF_CALLER, LEAF_RETURNS, LEAF_LEAF, LEAF_LEAF + 4 };
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const struct unwind_rule *rule = cfi_rules_find(r, text + places[i]);

		assert_int_equal(rule->cfa_register, SP);
		assert_int_equal(rule->cfa_offset, 0);
		assert_int_equal(rule->ra, UNWIND_SAME);
		assert_int_equal(rule->ra_register, LR);
		assert_int_equal(rule->fp, UNWIND_SAME);
	}
}

static void a_record_that_is_not_in_use_does_not_count(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	/* Once each way round: what is known of one place must not hide the other. */
	assert_int_equal(cfi_rules_find(r, text + LEAF_SETS_FP)->ra, UNWIND_SAME);
	assert_int_equal(cfi_rules_find(r, text + LEAF_CALLS)->ra, UNWIND_AT_CFA);
	assert_int_equal(cfi_rules_find(r, text + LEAF_RESTORED)->ra, UNWIND_SAME);
	assert_int_equal(cfi_rules_find(r, text + LEAF_RESTORED)->cfa_offset, 32);
	assert_int_equal(cfi_rules_find(r, text + LEAF_RESTORED - 4)->ra, UNWIND_AT_CFA);
}

static void a_stub_needs_no_cfi(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (uint64_t at = LEAF_STUB; at < LEAF_START; at += 4) {
		assert_int_equal(cfi_rules_find(r, text + at)->ra, UNWIND_SAME);
		assert_int_equal(cfi_rules_find(r, text + at)->ra_register, LR);
		assert_int_equal(cfi_rules_find(r, text + at)->cfa_register, UNWIND_NO_REGISTER);
	}
}

static void where_nobody_called_there_is_no_caller(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_int_equal(cfi_rules_find(r, text + LEAF_START)->ra, UNWIND_UNDEFINED);
	assert_true(cfi_rules_find(r, text + LEAF_SIGNAL)->is_signal);
}

static void of_other_code_nothing_is_known(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_int_equal(cfi_rules_find(r, text + LEAF_PAST)->ra, UNWIND_OTHER);
	assert_int_equal(cfi_rules_find(r, UINT64_MAX)->ra, UNWIND_OTHER);
	assert_int_equal(cfi_rules_find(r, 1 << 20)->ra, UNWIND_OTHER);
}

static void debug_frame_serves_as_well(void **state)
{
	/* The CIE of .debug_frame has another id and needs no augmentation. */
	static const uint8_t cie[] = { 0x14, 0,    0,  0, 0xff, 0xff, 0xff, 0xff, 1, 0, 4, 0x78,
				       30,   0x0c, 31, 0, 0,    0,    0,    0,    0, 0, 0, 0 };
	uint8_t frames[64] = { 0 };
	uint32_t length = 20, zero = 0;
	uint64_t addr, size = LEAF_STUB - LEAF_LEAF;

	(void)state;
	built_begin(&built);

	size_t text = built_add(&built, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, leaf_code,
				sizeof(leaf_code));

	addr = built.sections[text].sh_addr + LEAF_LEAF;
	memcpy(frames, cie, sizeof(cie));
	memcpy(frames + 24, &length, 4);
	memcpy(frames + 28, &zero, 4);
	memcpy(frames + 32, &addr, 8);
	memcpy(frames + 40, &size, 8);
	built_add(&built, ".debug_frame", SHT_PROGBITS, 0, frames, 48);
	built_end(&built, EM_AARCH64, ET_DYN);

	_cleanup_(cfi_rules_freep) struct cfi_rules *r = rules_of(built.bytes, built.size);
	uint64_t offset = built.sections[text].sh_offset;

	assert_int_equal(cfi_rules_find(r, offset + LEAF_LEAF)->cfa_register, SP);
	assert_int_equal(cfi_rules_find(r, offset + LEAF_LEAF)->ra, UNWIND_SAME);
}

static void damaged_frames_are_survived(void **state)
{
	uint64_t text;

	(void)state;
	for (size_t at = 0; at < 512; at++) {
		text = leaf_elf_build(&built, ".eh_frame");
		built.bytes[built.sections[2].sh_offset + at % built.sections[2].sh_size] ^=
			(uint8_t)(0x81 + at);

		_cleanup_(cfi_rules_freep) struct cfi_rules *r = rules_of(built.bytes, built.size);

		for (uint64_t pc = 0; pc <= LEAF_PAST; pc += 4)
			assert_non_null(cfi_rules_find(r, text + pc));
	}
}

struct asking {
	struct cfi_rules *rules;
	uint64_t text;
	const struct unwind_rule *answers[LEAF_PAST / 4];
};

static void *ask_all(void *arg)
{
	struct asking *a = arg;

	for (size_t i = 0; i < ARRAY_SIZE(a->answers); i++)
		a->answers[i] = cfi_rules_find(a->rules, a->text + 4 * i);
	return NULL;
}

static void threads_get_the_same_answers(void **state)
{
	struct asking a[4];
	pthread_t threads[ARRAY_SIZE(a)];
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(a); i++) {
		a[i] = (struct asking){ .rules = r, .text = text };
		assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &a[i]), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(a); i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 1; i < ARRAY_SIZE(a); i++)
		assert_memory_equal(a[i].answers, a[0].answers, sizeof(a[0].answers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_record_is_found_below_the_cfa),
		cmocka_unit_test(a_leaf_has_all_in_registers),
		cmocka_unit_test(a_record_that_is_not_in_use_does_not_count),
		cmocka_unit_test(a_stub_needs_no_cfi),
		cmocka_unit_test(where_nobody_called_there_is_no_caller),
		cmocka_unit_test(of_other_code_nothing_is_known),
		cmocka_unit_test(debug_frame_serves_as_well),
		cmocka_unit_test(damaged_frames_are_survived),
		cmocka_unit_test(threads_get_the_same_answers),
	};

	return HAVE_LIBELF && HAVE_LIBDW ? cmocka_run_group_tests(tests, NULL, NULL) : built_skip();
}
