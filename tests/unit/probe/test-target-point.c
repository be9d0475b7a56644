/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/dwarf-elf.h"
#include "elf/file.h"
#include "kernel/kernel-text.h"
#include "made-target.h"
#include "symbol/scratch.h"

static const struct probe_symbol symbols[] = {
	{ .name = "early", .addr = 0x800, .size = 0x10, .is_function = true },
	{ .name = "_text", .addr = 0x1000, .is_label = true },
	{ .name = "_stext", .addr = 0x1100, .is_label = true },
	{ .name = "alpha", .addr = 0x1100, .size = 0x20, .is_function = true },
	{ .name = "beta", .addr = 0x1140, .size = 0x20, .is_function = true },
};

static struct probe_target *kernel(void)
{
	return made_kernel(symbols, ARRAY_SIZE(symbols));
}

static struct target_point point(struct probe_target *t, uint64_t addr, bool is_link)
{
	struct target_point p = { .offset = 77 };
	struct diag diag = { 0 };

	if (probe_target_point(t, addr, is_link, &p, &diag) != 0)
		fail_msg("%s", diag.message);
	assert_null(diag.message);
	return p;
}

static void assert_point(struct target_point p, const char *symbol, uint64_t offset,
			 bool is_function)
{
	assert_string_equal(p.symbol, symbol);
	assert_int_equal(p.offset, offset);
	assert_int_equal(p.is_function, is_function);
	assert_null(p.refused);
}

static void nothing_is(struct probe_target *t, uint64_t addr, bool is_link, const char *message)
{
	struct target_point p = { .offset = 77 };
	struct diag diag = { 0 };

	assert_int_equal(probe_target_point(t, addr, is_link, &p, &diag), -EINVAL);
	assert_string_equal(diag.message, message);
	assert_int_equal(p.offset, 77);
	diag_done(&diag);
}

static void places_of_the_kernel_count_from_its_first_symbol(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	assert_point(point(t, 0x1000, false), "_text", 0, false);
	assert_point(point(t, 0x1144, false), "_text", 0x144, false);
	assert_point(point(t, 0x1144, true), "_text", 0x144, false);
	/* Functions before _text are given by their own names. */
	assert_point(point(t, 0x804, false), "early", 4, true);
	assert_point(point(t, 0x804, true), "early", 4, true);
	nothing_is(t, 0x700, false, "there is no code at the address 0x700");
	nothing_is(t, 0xfff, true, "there is no code at the address 0xfff");
	probe_target_free(t);
}

static void addresses_of_the_file_count_from_where_it_has_that_symbol(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	t->text.link = 0x800;
	assert_point(point(t, 0x944, true), "_text", 0x144, false);
	assert_point(point(t, 0x1144, false), "_text", 0x144, false);
	kernel_forbidden_parse(&t->forbidden, "0x1144-0x1148\tx\n");
	assert_string_equal(point(t, 0x944, true).refused, "blacklisted function");
	assert_null(point(t, 0x940, true).refused);
	assert_null(point(t, 0x1144, true).refused);
	probe_target_free(t);
}

static void what_the_kernel_forbids_is_refused(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	kernel_forbidden_parse(&t->forbidden, "0x1144-0x1148\tx\n");
	assert_string_equal(point(t, 0x1144, false).refused, TARGET_BLACKLISTED);
	assert_string_equal(point(t, 0x1147, false).refused, TARGET_BLACKLISTED);
	assert_null(point(t, 0x1148, false).refused);
	assert_null(point(t, 0x1143, false).refused);
	probe_target_free(t);
}

static void without_the_first_symbol_functions_are_used(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	t->text.state = -EPERM;
	assert_point(point(t, 0x1144, false), "beta", 4, true);
	assert_point(point(t, 0x1144, true), "beta", 4, true);
	probe_target_free(t);
}

static void places_of_a_module_are_functions(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	t->kind = PROBE_MODULE;
	assert_point(point(t, 0x1140, false), "beta", 0, true);
	assert_point(point(t, 0x115f, true), "beta", 0x1f, true);
	assert_string_equal(point(t, 0x700, false).refused, "out of .text");
	assert_string_equal(point(t, 0x700, true).refused, TARGET_OUT_OF_TEXT);
	assert_null(point(t, 0x700, true).symbol);
	probe_target_free(t);
}

static void a_kernel_that_does_not_run_counts_from_stext(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	t->options.offline = true;
	t->options.vmlinux = "/vmlinux";
	assert_point(point(t, 0x1144, false), "_stext", 0x44, false);
	assert_point(point(t, 0x1100, false), "_stext", 0, false);
	/* Addresses in the debug information, and those before _stext, are given by name. */
	assert_point(point(t, 0x1144, true), "beta", 4, true);
	assert_point(point(t, 0x808, false), "early", 8, true);
	nothing_is(t, 0x700, false, "there is no code at the address 0x700");
	probe_target_free(t);
}

static void a_module_of_a_kernel_that_does_not_run_has_functions(void **state)
{
	struct probe_target *t = kernel();

	(void)state;
	t->options.offline = true;
	t->options.vmlinux = "/vmlinux";
	t->kind = PROBE_MODULE;
	assert_point(point(t, 0x1144, false), "beta", 4, true);
	probe_target_free(t);
}

static struct trace_probe probe(const char *symbol, uint64_t offset)
{
	return (struct trace_probe){ .symbol = (char *)symbol, .offset = offset };
}

static void address_is(struct probe_target *t, struct trace_probe p, uint64_t expected)
{
	uint64_t addr = 1;

	assert_true(probe_target_address(t, &p, &addr));
	assert_int_equal(addr, expected);
}

static void probes_have_an_address_in_the_file(void **state)
{
	struct probe_target *t = kernel();
	uint64_t addr = 77;

	(void)state;
	address_is(t, probe("_text", 0x20), 0x1020);
	address_is(t, probe(NULL, 0x1234), 0x1234);
	address_is(t, probe("beta", 4), 0x1144);
	t->text.link = 0x800;
	address_is(t, probe("_text", 0x20), 0x820);
	address_is(t, probe(NULL, 0x1234), 0xa34);
	address_is(t, probe("beta", 4), 0x1144);
	assert_false(
		probe_target_address(t, &(struct trace_probe){ .symbol = (char *)"gamma" }, &addr));
	t->text.state = -EPERM;
	address_is(t, probe("_text", 0x20), 0x1020);
	assert_false(probe_target_address(t, &(struct trace_probe){ .offset = 4 }, &addr));
	assert_int_equal(addr, 77);
	probe_target_free(t);
}

static void probes_of_modules_have_symbols(void **state)
{
	struct probe_target *t = kernel();
	uint64_t addr;

	(void)state;
	t->kind = PROBE_MODULE;
	address_is(t, probe("_text", 0x20), 0x1020);
	t->text.link = 0x800;
	address_is(t, probe("_text", 0x20), 0x1020);
	assert_false(probe_target_address(t, &(struct trace_probe){ .offset = 4 }, &addr));
	probe_target_free(t);
}

/*
 * Stores a program with .text of 8 bytes, .data, and .more of 4 bytes of code; one segment contains
 * all of them.
 */
static struct probe_target *program(const char *dir, bool has_sections, uint64_t *text)
{
	_cleanup_(freep) char *path = scratch_path(dir, "program");
	struct probe_target *t = NULL;
	struct diag diag = { 0 };
	struct built_elf b;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "01234567", 8);
	built_add(&b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "0123456789abcdef", 16);
	built_add(&b, ".more", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	*text = b.sections[1].sh_addr;
	built_end(&b, EM_AARCH64, ET_DYN);
	if (!has_sections) {
		Elf64_Ehdr *e = (void *)b.bytes;

		e->e_shoff = e->e_shnum = e->e_shstrndx = 0;
	}
	assert_true(built_store(&b, path));
	assert_int_equal(
		probe_target_open(&(struct probe_target_options){ .program = path }, &t, &diag), 0);
	return t;
}

static void places_of_a_program_are_in_its_code(void **state)
{
	uint64_t text;
	struct probe_target *t = program(*state, true, &text);
	char message[80];

	assert_int_equal(point(t, text, true).offset, text - BUILT_BASE);
	assert_int_equal(point(t, text + 7, false).offset, text + 7 - BUILT_BASE);
	assert_null(point(t, text, true).symbol);
	assert_null(point(t, text, true).refused);
	assert_int_equal(point(t, text + 32, true).offset, text + 32 - BUILT_BASE);
	snprintf(message, sizeof(message), "there is no code at the address %#llx",
		 (unsigned long long)text + 8);
	nothing_is(t, text + 8, true, message);
	snprintf(message, sizeof(message), "there is no code at the address %#llx",
		 (unsigned long long)text - 1);
	nothing_is(t, text - 1, true, message);
	snprintf(message, sizeof(message), "there is no code at the address %#llx",
		 (unsigned long long)text + 36);
	nothing_is(t, text + 36, true, message);
	snprintf(message, sizeof(message), "there is no code at the address %#llx",
		 (unsigned long long)text + 20);
	nothing_is(t, text + 20, true, message);
	address_is(t, probe(NULL, text + 4 - BUILT_BASE), text + 4);
	probe_target_free(t);
}

static void a_program_without_sections_is_trusted(void **state)
{
	uint64_t text;
	struct probe_target *t = program(*state, false, &text);

	assert_int_equal(point(t, text + 8, true).offset, text + 8 - BUILT_BASE);
	nothing_is(t, 0x10, true, "there is no code at the address 0x10");
	probe_target_free(t);
}

static void the_first_symbol_of_what_runs_is_looked_for_once(void **state)
{
	struct probe_target *t = kernel();
	struct kernel_text text;

	(void)state;
	if (kernel_text_read("", &text) < 0) {
		print_message("# the kernel hides its symbols\n");
		probe_target_free(t);
		skip();
	}
	t->text.state = NOT_TRIED;
	assert_point(point(t, text.start + 0x40, false), text.reference, 0x40, false);
	assert_int_equal(t->text.state, 0);
	assert_int_equal(t->text.start, text.start);
	assert_int_equal(t->text.link, 0);
	t->text.start = 0x1000;
	assert_point(point(t, 0x1040, false), text.reference, 0x40, false);
	probe_target_free(t);
}

static void the_file_tells_where_it_has_the_first_symbol(void **state)
{
	struct probe_target *t = kernel();
	struct kernel_text text;
	struct elf_file *f;
	struct built_elf b;

	(void)state;
	if (kernel_text_read("", &text) < 0) {
		print_message("# the kernel hides its symbols\n");
		probe_target_free(t);
		skip();
	}
	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });

	const struct built_symbol s = {
		text.reference, dwarf_text_addr(&b), 0, STB_GLOBAL, STT_NOTYPE, 1, 0
	};

	built_add_symbols(&b, SHT_SYMTAB, &s, 1);
	built_end(&b, EM_AARCH64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &t->debug), 0);
	t->debug_state = 0;
	t->text.state = NOT_TRIED;
	assert_point(point(t, s.value + 0x40, true), text.reference, 0x40, false);
	assert_int_equal(t->text.link, s.value);
	probe_target_free(t);
}

static void code_that_was_thrown_away_is_refused(void **state)
{
	struct probe_target *t = kernel();
	struct elf_file *f;
	struct built_elf b;

	(void)state;
	built_begin(&b);
	dwarf_add(&b, &(struct dwarf_change){ .depth = 0 });

	size_t init = built_add(&b, ".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
				"01234567", 8);
	uint64_t start = b.sections[init].sh_addr, text = dwarf_text_addr(&b);

	built_end(&b, EM_AARCH64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &t->debug), 0);
	t->text.link = BUILT_BASE;
	assert_string_equal(point(t, start, true).refused, TARGET_OUT_OF_TEXT);
	assert_string_equal(point(t, start + 7, true).refused, TARGET_OUT_OF_TEXT);
	assert_null(point(t, start + 8, true).refused);
	assert_null(point(t, text, true).refused);
	/* Addresses of the running kernel are not those of the file. */
	assert_null(point(t, start, false).refused);
	probe_target_free(t);
}

#define SCRATCH_TEST(f) cmocka_unit_test_setup_teardown(f, scratch_make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_of_the_kernel_count_from_its_first_symbol),
		cmocka_unit_test(addresses_of_the_file_count_from_where_it_has_that_symbol),
		cmocka_unit_test(what_the_kernel_forbids_is_refused),
		cmocka_unit_test(without_the_first_symbol_functions_are_used),
		cmocka_unit_test(places_of_a_module_are_functions),
		cmocka_unit_test(a_kernel_that_does_not_run_counts_from_stext),
		cmocka_unit_test(a_module_of_a_kernel_that_does_not_run_has_functions),
		cmocka_unit_test(probes_have_an_address_in_the_file),
		cmocka_unit_test(probes_of_modules_have_symbols),
		SCRATCH_TEST(places_of_a_program_are_in_its_code),
		SCRATCH_TEST(a_program_without_sections_is_trusted),
		cmocka_unit_test(the_first_symbol_of_what_runs_is_looked_for_once),
		cmocka_unit_test(the_file_tells_where_it_has_the_first_symbol),
		cmocka_unit_test(code_that_was_thrown_away_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
