/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "code/decoder.h"
#include "code/disassembler.h"
#include "code/target.h"
#include "skip.h"

/* Returns a disassembler, or skips the test if no library is installed. */
static struct disassembler *made(const struct arch *arch, enum disassembler_syntax syntax)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct disassembler *d;

	if (disassembler_new(arch, syntax, &d, &diag) < 0) {
		print_message("# %s: %s\n", diag.message, diag.hint);
		skip();
	}
	return d;
}

static bool has_llvm(void)
{
	void *decoder = decoder_llvm.make(&disasm_aarch64, false);

	if (decoder)
		decoder_llvm.free(decoder);
	return decoder;
}

static struct instruction one(struct disassembler *d, const char *bytes, size_t n)
{
	struct instruction in;

	disassemble(d, (const uint8_t *)bytes, n, 0x400, &in);
	return in;
}

static void both_machines_are_read_on_any_machine(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *arm = made(&arch_aarch64, SYNTAX_ATT);
	_cleanup_(disassembler_freep) struct disassembler *x86 = made(&arch_x86_64, SYNTAX_ATT);
	struct instruction in = one(arm, "\xe3\x03\x00\x2a", 4);

	(void)state;
	assert_string_equal(in.text, "mov\tw3, w0");
	assert_int_equal(in.length, 4);
	in = one(x86, "\x48\x89\xe5\x90", 4);
	assert_string_equal(in.text, "mov    %rsp,%rbp");
	assert_int_equal(in.length, 3);
}

static void a_branch_has_its_target_apart(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *arm = made(&arch_aarch64, SYNTAX_ATT);
	struct instruction in = one(arm, "\xa1\xfe\xff\x54", 4);

	(void)state;
	assert_string_equal(in.text, "b.ne\t");
	assert_true(in.flow.has_target);
	assert_int_equal(in.flow.target, 0x400 - 0x2c);
	assert_string_equal(in.comment, "  // b.any");
}

/* Instructions that capstone 4 does not know: LSE atomics, SVE; AVX-512. */
static void extensions_of_recent_machines_are_known(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *arm = made(&arch_aarch64, SYNTAX_ATT);
	_cleanup_(disassembler_freep) struct disassembler *x86 = made(&arch_x86_64, SYNTAX_ATT);
	struct instruction in;

	(void)state;
	if (!has_llvm())
		skip_because("there is no LLVM");
	in = one(arm, "\x20\x00\xe1\xb8", 4);
	assert_string_equal(in.text, "ldaddal\tw1, w0, [x1]");
	in = one(arm, "\x20\xa0\x00\xa4", 4);
	assert_memory_equal(in.text, "ld1b\t{z0.b}", 11);
	in = one(x86, "\x62\xf1\x7c\x48\x58\xc1", 6);
	assert_string_equal(in.text, "vaddps %zmm1,%zmm0,%zmm0");
	in = one(x86, "\x62\xf1\x7c\xc9\x58\xc1", 6);
	assert_string_equal(in.text, "vaddps %zmm1,%zmm0,%zmm0{%k1}{z}");
}

static void a_prefix_belongs_to_its_instruction(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *x86 = made(&arch_x86_64, SYNTAX_ATT);
	struct instruction in = one(x86, "\xf0\x0f\xb1\x11\x90", 5);

	(void)state;
	assert_int_equal(in.length, 4);
	assert_string_equal(in.text, "lock cmpxchg %edx,(%rcx)");
}

static void bytes_that_are_no_instruction_are_shown_as_such(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *arm = made(&arch_aarch64, SYNTAX_ATT);
	_cleanup_(disassembler_freep) struct disassembler *x86 = made(&arch_x86_64, SYNTAX_ATT);
	struct instruction in = one(arm, "\xff\xff\xff\xff", 4);

	(void)state;
	assert_true(in.is_unknown);
	assert_string_equal(in.text, ".inst\t0xffffffff ; undefined");
	assert_int_equal(in.length, 4);
	in = one(arm, "\x01\x02", 2);
	assert_string_equal(in.text, ".byte\t0x01");
	assert_int_equal(in.length, 1);
	in = one(x86, "\x06", 1);
	assert_string_equal(in.text, "(bad)");
	in = one(x86, "\xe8\x01", 2); /* cut off */
	assert_true(in.is_unknown);
	assert_int_equal(in.length, 1);
}

static void intels_syntax_is_there_on_request(void **state)
{
	_cleanup_(disassembler_freep) struct disassembler *x86 = made(&arch_x86_64, SYNTAX_INTEL);

	(void)state;
	assert_string_equal(one(x86, "\x48\x89\x7d\xe8", 4).text,
			    "mov    QWORD PTR [rbp-0x18],rdi");
}

static void styles_that_nobody_knows_are_refused(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	enum disassembler_syntax syntax = SYNTAX_ATT;

	(void)state;
	assert_int_equal(disassembler_syntax_parse("intel", &syntax, &diag), 0);
	assert_int_equal(syntax, SYNTAX_INTEL);
	assert_int_equal(disassembler_syntax_parse("klingon", &syntax, &diag), -EINVAL);
	assert_int_equal(syntax, SYNTAX_INTEL);
	assert_string_equal(diag.message, "there is no disassembler style 'klingon'");
}

static void a_machine_that_is_not_known_is_told(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct disassembler *d = NULL;

	(void)state;
	assert_int_equal(disassembler_new(NULL, SYNTAX_ATT, &d, &diag), -ENOTSUP);
	assert_null(d);
	assert_non_null(diag.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_machines_are_read_on_any_machine),
		cmocka_unit_test(a_branch_has_its_target_apart),
		cmocka_unit_test(extensions_of_recent_machines_are_known),
		cmocka_unit_test(a_prefix_belongs_to_its_instruction),
		cmocka_unit_test(bytes_that_are_no_instruction_are_shown_as_such),
		cmocka_unit_test(intels_syntax_is_there_on_request),
		cmocka_unit_test(styles_that_nobody_knows_are_refused),
		cmocka_unit_test(a_machine_that_is_not_known_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
