/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "arch/arch.h"
#include "leaf-rules.h"

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

static void code_can_be_read(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);
	uint32_t code = 0;

	(void)state;
	assert_ptr_equal(cfi_rules_arch(r), &arch_aarch64);
	assert_int_equal(cfi_rules_code(r, text + LEAF_RETURNS, &code, sizeof(code)), 4);
	assert_int_equal(code, leaf_code[LEAF_RETURNS / 4]);
	assert_int_equal(cfi_rules_code(r, UINT64_MAX, &code, sizeof(code)), 0);
}

static void where_nobody_called_there_is_no_caller(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_int_equal(cfi_rules_find(r, text + LEAF_START)->ra, UNWIND_UNDEFINED);
	assert_true(cfi_rules_find(r, text + LEAF_SIGNAL)->is_signal);
	assert_true(cfi_rules_is_signal(r, text + LEAF_SIGNAL));
	assert_true(cfi_rules_ends_handlers(r, text + LEAF_SIGNAL));
	assert_false(cfi_rules_ends_handlers(r, text + LEAF_START));
	assert_false(cfi_rules_ends_handlers(r, UINT64_MAX));
	assert_false(cfi_rules_is_signal(r, text + LEAF_START));
}

static void of_other_code_nothing_is_known(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_int_equal(cfi_rules_find(r, text + LEAF_PAST)->ra, UNWIND_OTHER);
	assert_int_equal(cfi_rules_find(r, UINT64_MAX)->ra, UNWIND_OTHER);
	assert_false(cfi_rules_is_signal(r, text + LEAF_PAST));
	assert_false(cfi_rules_is_signal(r, UINT64_MAX));
	assert_int_equal(cfi_rules_find(r, 1 << 20)->ra, UNWIND_OTHER);
}

/* Makes a .debug_frame for the leaf; its CIE has another id and needs no augmentation. */
static size_t make_debug_frame(uint8_t *to, uint64_t leaf)
{
	static const uint8_t cie[] = { 0x14, 0,    0,  0, 0xff, 0xff, 0xff, 0xff, 1, 0, 4, 0x78,
				       30,   0x0c, 31, 0, 0,    0,    0,    0,    0, 0, 0, 0 };
	uint32_t length = 20, zero = 0;
	uint64_t size = LEAF_STUB - LEAF_LEAF;

	memcpy(to, cie, sizeof(cie));
	memcpy(to + 24, &length, 4);
	memcpy(to + 28, &zero, 4);
	memcpy(to + 32, &leaf, 8);
	memcpy(to + 40, &size, 8);
	return 48;
}

/* Builds the example without CFI, or with that of @frames alone. Returns the offset of its code. */
static uint64_t build_without(const uint8_t *frames, size_t size, uint64_t *ret_addr)
{
	size_t text;

	built_begin(&built);
	text = built_add(&built, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, leaf_code,
			 sizeof(leaf_code));
	*ret_addr = built.sections[text].sh_addr;
	if (frames)
		built_add(&built, ".debug_frame", SHT_PROGBITS, 0, frames, size);
	built_end(&built, EM_AARCH64, ET_DYN);
	return built.sections[text].sh_offset;
}

static void debug_frame_serves_as_well(void **state)
{
	uint8_t frames[64] = { 0 };
	uint64_t addr, text;

	(void)state;
	build_without(NULL, 0, &addr);
	text = build_without(frames, make_debug_frame(frames, addr + LEAF_LEAF), &addr);

	_cleanup_(cfi_rules_freep) struct cfi_rules *r = rules_of(built.bytes, built.size);

	assert_int_equal(cfi_rules_find(r, text + LEAF_LEAF)->cfa_register, SP);
	assert_int_equal(cfi_rules_find(r, text + LEAF_LEAF)->ra, UNWIND_SAME);
}

static void a_debug_file_tells_what_the_file_does_not(void **state)
{
	static struct built_elf stripped;
	uint8_t frames[64] = { 0 };
	struct elf_file *debug = NULL;
	uint64_t addr, text;

	(void)state;
	text = build_without(NULL, 0, &addr);
	stripped = built;
	build_without(frames, make_debug_frame(frames, addr + LEAF_LEAF), &addr);

	_cleanup_(cfi_rules_freep) struct cfi_rules *r = rules_of(stripped.bytes, stripped.size);

	assert_int_equal(cfi_rules_find(r, text + LEAF_LEAF)->ra, UNWIND_OTHER);
	assert_int_equal(elf_file_open_memory(built.bytes, built.size, &debug), 0);
	cfi_rules_add_debug_file(r, debug);
	assert_int_equal(cfi_rules_find(r, text + LEAF_LEAF)->ra, UNWIND_SAME);
}

#define JIT 0x7f0000001000

struct jit {
	struct leaf_frames frames;
	int asked;
};

static bool find_jit(void *arg, uint64_t addr, struct cfi_piece *ret)
{
	struct jit *m = arg;

	m->asked++;
	if (addr < JIT || addr >= JIT + 0x40)
		return false;
	*ret = (struct cfi_piece){ .start = JIT,
				   .end = JIT + 0x40,
				   .bytes = m->frames.bytes,
				   .size = m->frames.n,
				   .addr = JIT + 0x40 };
	return true;
}

static void jit_code_brings_its_own(void **state)
{
	static const uint8_t program[] = { 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3 };
	struct jit m = { .asked = 0 };
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = cfi_rules_new_jit(&arch_aarch64, find_jit,
									   &m);
	uint32_t code;

	(void)state;
	leaf_fde(&m.frames, leaf_cie(&m.frames, "zR"), JIT, 0x40, program, sizeof(program));
	assert_ptr_equal(cfi_rules_arch(r), &arch_aarch64);
	assert_int_equal(cfi_rules_find(r, JIT)->cfa_offset, 0);
	assert_int_equal(cfi_rules_find(r, JIT + 8)->cfa_offset, 32);
	assert_int_equal(cfi_rules_find_running(r, JIT + 8)->ra_offset, -24);
	assert_int_equal(cfi_rules_find(r, JIT + 0x40)->ra, UNWIND_OTHER);
	/* The code of the JIT is not known. */
	assert_int_equal(cfi_rules_code(r, JIT, &code, sizeof(code)), 0);
	assert_false(cfi_rules_lacks(r, JIT + 0x80));
}

static void code_of_the_program_may_lack_rules(void **state)
{
	uint64_t text;
	_cleanup_(cfi_rules_freep) struct cfi_rules *r = example(&text);

	(void)state;
	assert_true(cfi_rules_lacks(r, text + LEAF_STUB));
	assert_false(cfi_rules_lacks(r, text + LEAF_LEAF));
	assert_false(cfi_rules_lacks(r, text - 1)); /* not in .text */
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

		for (uint64_t pc = 0; pc <= LEAF_PAST; pc += 4) {
			assert_non_null(cfi_rules_find(r, text + pc));
			assert_non_null(cfi_rules_find_running(r, text + pc));
			cfi_rules_is_leaf(r, text + pc);
		}
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
		cmocka_unit_test(code_can_be_read),
		cmocka_unit_test(where_nobody_called_there_is_no_caller),
		cmocka_unit_test(of_other_code_nothing_is_known),
		cmocka_unit_test(debug_frame_serves_as_well),
		cmocka_unit_test(a_debug_file_tells_what_the_file_does_not),
		cmocka_unit_test(jit_code_brings_its_own),
		cmocka_unit_test(code_of_the_program_may_lack_rules),
		cmocka_unit_test(damaged_frames_are_survived),
		cmocka_unit_test(threads_get_the_same_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
