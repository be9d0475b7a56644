/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/text.h"
#include "built-elf.h"
#include "elf/file.h"
#include "elf/symbols.h"

enum {
	TEXT = 1,
	DATA,
	TABLE, /* loaded, but its name is of neither code nor data */
	COMMENT,
};

static void add_sections(struct built_elf *b)
{
	built_begin(b);
	built_add(b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
	built_add(b, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, "01234567", 8);
	built_add(b, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, "01234567", 8);
	built_add(b, ".comment", SHT_PROGBITS, 0, "01234567", 8);
}

static void collect(const struct elf_symbol *s, void *arg)
{
	text_addf(arg, "%s:%c:%x+%x ", s->name, s->binding, (unsigned)s->addr, (unsigned)s->size);
}

/* Checks the symbols of a file of @machine with one symbol table. */
static void assert_shows(uint16_t machine, const struct built_symbol *s, size_t n,
			 const char *expected)
{
	struct built_elf b;
	struct text seen = TEXT_EMPTY;

	add_sections(&b);
	built_add_symbols(&b, SHT_SYMTAB, s, n);
	built_end(&b, machine, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_true(elf_has_symtab(f));
	assert_int_equal(elf_symbols_read(f, ELF_SYMTAB, collect, &seen), 0);
	assert_string_equal(seen.chars, expected);
	text_done(&seen);
	assert_int_equal(elf_symbols_read(f, ELF_DYNSYM, collect, &seen), -ENODATA);
}

static void functions_objects_and_labels_are_told_in_order(void **state)
{
	static const struct built_symbol s[] = {
		{ "label", 1, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
		{ "function", 2, 4, STB_GLOBAL, STT_FUNC, TEXT, STV_DEFAULT },
		{ "object", 3, 8, STB_WEAK, STT_OBJECT, DATA, STV_DEFAULT },
		{ "chosen", 4, 4, STB_GLOBAL, STT_GNU_IFUNC, TEXT, STV_DEFAULT },
		{ "only", 5, 4, STB_GNU_UNIQUE, STT_OBJECT, DATA, STV_DEFAULT },
	};

	(void)state;
	assert_shows(EM_AARCH64, s, 5,
		     "label:l:1+0 function:g:2+4 object:w:3+8 chosen:g:4+4 only:u:5+4 ");
}

static void what_names_no_address_is_left_out(void **state)
{
	static const struct built_symbol s[] = {
		{ "file.c", 0, 0, STB_LOCAL, STT_FILE, SHN_ABS, STV_DEFAULT },
		{ ".text", 0, 0, STB_LOCAL, STT_SECTION, TEXT, STV_DEFAULT },
		{ "thread_local", 0, 8, STB_GLOBAL, STT_TLS, DATA, STV_DEFAULT },
		{ "elsewhere", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
		{ "number", 5, 0, STB_GLOBAL, STT_NOTYPE, SHN_ABS, STV_DEFAULT },
		{ "common", 8, 8, STB_GLOBAL, STT_OBJECT, SHN_COMMON, STV_DEFAULT },
		{ "remark", 0, 8, STB_LOCAL, STT_OBJECT, COMMENT, STV_DEFAULT },
		{ "beyond", 0, 8, STB_LOCAL, STT_FUNC, 99, STV_DEFAULT },
		{ "", 0, 8, STB_LOCAL, STT_FUNC, TEXT, STV_DEFAULT },
	};

	(void)state;
	assert_shows(EM_AARCH64, s, 9, "");
}

static void thread_local_variables_are_a_source_of_their_own(void **state)
{
	static const struct built_symbol s[] = {
		{ "object", 3, 8, STB_GLOBAL, STT_OBJECT, DATA, STV_DEFAULT },
		{ "counter", 16, 8, STB_LOCAL, STT_TLS, DATA, STV_DEFAULT },
		{ "errno", 0, 4, STB_GLOBAL, STT_TLS, SHN_UNDEF, STV_DEFAULT },
	};
	struct built_elf b;
	struct text seen = TEXT_EMPTY;

	(void)state;
	add_sections(&b);
	built_add_symbols(&b, SHT_SYMTAB, s, 3);
	built_end(&b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_THREAD, collect, &seen), 0);
	assert_string_equal(seen.chars, "counter:l:10+8 ");
	text_done(&seen);
}

static void labels_count_only_in_code_and_data(void **state)
{
	static const struct built_symbol s[] = {
		{ "__GNU_EH_FRAME_HDR", 1, 0, STB_LOCAL, STT_NOTYPE, TABLE, STV_DEFAULT },
		{ "table", 1, 8, STB_LOCAL, STT_OBJECT, TABLE, STV_DEFAULT },
		{ "data_start", 2, 0, STB_GLOBAL, STT_NOTYPE, DATA, STV_DEFAULT },
	};

	(void)state;
	assert_shows(EM_AARCH64, s, 3, "table:l:1+8 data_start:g:2+0 ");
}

static void hidden_labels_are_no_names(void **state)
{
	static const struct built_symbol s[] = {
		{ "mark", 1, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_HIDDEN },
		{ "inner", 1, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_INTERNAL },
		{ "label", 2, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_PROTECTED },
		{ "function", 3, 4, STB_LOCAL, STT_FUNC, TEXT, STV_HIDDEN },
	};

	(void)state;
	assert_shows(EM_AARCH64, s, 4, "label:l:2+0 function:l:3+4 ");
}

static void marks_of_code_and_data_are_no_names_on_arm(void **state)
{
	static const struct built_symbol s[] = {
		{ "$x", 1, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
		{ "$d.5", 2, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
		{ "$xyz", 3, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
		{ "$", 4, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
	};

	(void)state;
	assert_shows(EM_AARCH64, s, 4, "$xyz:l:3+0 $:l:4+0 ");
	assert_shows(EM_X86_64, s, 2, "$x:l:1+0 $d.5:l:2+0 ");
}

static void stubs_are_named_after_what_they_call(void **state)
{
	static const struct built_symbol calls[] = {
		{ "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
		{ "exit", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
	};
	static const Elf64_Rela relocations[] = {
		{ 8, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT), 0 },
		{ 16, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0 },
		{ 0, ELF64_R_INFO(0, R_AARCH64_TLSDESC), 0 }, /* has no stub */
	};
	struct text seen = TEXT_EMPTY, expected = TEXT_EMPTY;
	uint8_t plt[32 + 2 * 16] = { 0 };
	struct built_elf b;

	(void)state;
	add_sections(&b);

	size_t stubs = built_add(&b, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, plt,
				 sizeof(plt));
	size_t table = built_add_symbols(&b, SHT_DYNSYM, calls, 2);
	size_t rela = built_add(&b, ".rela.plt", SHT_RELA, SHF_ALLOC, relocations,
				sizeof(relocations));
	unsigned first = (unsigned)b.sections[stubs].sh_addr + 32;

	b.sections[rela].sh_link = (uint32_t)table;
	b.sections[rela].sh_entsize = sizeof(Elf64_Rela);
	built_end(&b, EM_AARCH64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_PLT, collect, &seen), 0);
	text_addf(&expected, ".plt:g:%x+20 exit@plt:g:%x+10 puts@plt:g:%x+10 ", first - 32, first,
		  first + 16);
	assert_string_equal(seen.chars, expected.chars);
	text_done(&seen);
	text_done(&expected);
}

/* Section numbers above SHN_LORESERVE are in a table of their own. */
static void long_section_numbers_are_looked_up(void **state)
{
	static const struct built_symbol s[] = {
		{ "near", 1, 4, STB_GLOBAL, STT_FUNC, TEXT, STV_DEFAULT },
		{ "far", 2, 4, STB_GLOBAL, STT_FUNC, SHN_XINDEX, STV_DEFAULT },
		{ "remark", 3, 4, STB_GLOBAL, STT_FUNC, SHN_XINDEX, STV_DEFAULT },
	};
	static const uint32_t numbers[] = { 0, 0, TEXT, COMMENT };
	static const uint32_t others[] = { 0, 0, COMMENT, TEXT };
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(text_done) struct text seen = TEXT_EMPTY;
	struct built_elf b;

	(void)state;
	add_sections(&b);

	size_t table = built_add_symbols(&b, SHT_SYMTAB, s, 3);
	/*
	 * Two sections that must not be used: one that belongs to the table, and the numbers of
	 * another table.
	 */
	size_t hash = built_add(&b, ".hash", SHT_HASH, 0, others, sizeof(others));
	size_t other = built_add(&b, ".other", SHT_SYMTAB_SHNDX, 0, others, sizeof(others));
	size_t own = built_add(&b, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, numbers, sizeof(numbers));

	b.sections[hash].sh_link = b.sections[own].sh_link = (uint32_t)table;
	b.sections[hash].sh_entsize = b.sections[other].sh_entsize = b.sections[own].sh_entsize = 4;
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_SYMTAB, collect, &seen), 0);
	assert_string_equal(seen.chars, "near:g:1+4 far:g:2+4 ");
}

/* The flags of this number of sections fill their memory exactly. */
static void a_section_behind_the_last_is_none(void **state)
{
	static const struct built_symbol s[] = {
		{ "last", 1, 4, STB_GLOBAL, STT_FUNC, 22, STV_DEFAULT },
		{ "beyond", 2, 4, STB_GLOBAL, STT_FUNC, 24, STV_DEFAULT },
	};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(text_done) struct text seen = TEXT_EMPTY;
	struct built_elf b;

	(void)state;
	add_sections(&b);
	built_add_symbols(&b, SHT_SYMTAB, s, 2);
	while (b.n < 23)
		built_add(&b, ".text.x", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123", 4);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(b.n, 24);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_SYMTAB, collect, &seen), 0);
	assert_string_equal(seen.chars, "last:g:1+4 ");
}

static void collect_kinds(const struct elf_symbol *s, void *arg)
{
	text_addf(arg, "%s:%d:%d ", s->name, (int)s->kind, (int)s->section);
}

static void symbols_have_a_kind_and_a_section(void **state)
{
	static const struct built_symbol s[] = {
		{ "label", 1, 0, STB_LOCAL, STT_NOTYPE, TEXT, STV_DEFAULT },
		{ "function", 2, 4, STB_GLOBAL, STT_FUNC, TEXT, STV_DEFAULT },
		{ "object", 3, 8, STB_WEAK, STT_OBJECT, DATA, STV_DEFAULT },
		{ "chosen", 4, 4, STB_GLOBAL, STT_GNU_IFUNC, TEXT, STV_DEFAULT },
	};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(text_done) struct text seen = TEXT_EMPTY, expected = TEXT_EMPTY;
	struct built_elf b;

	(void)state;
	add_sections(&b);
	built_add_symbols(&b, SHT_DYNSYM, s, 4);
	built_end(&b, EM_AARCH64, ET_DYN);
	text_addf(&expected, "label:%d:1 function:%d:1 object:%d:2 chosen:%d:1 ", ELF_SYMBOL_LABEL,
		  ELF_SYMBOL_FUNCTION, ELF_SYMBOL_OBJECT, ELF_SYMBOL_IFUNC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_false(elf_has_symtab(f));
	assert_int_equal(elf_symbols_read(f, ELF_SYMTAB, collect_kinds, &seen), -ENODATA);
	assert_int_equal(elf_symbols_read(f, ELF_PLT, collect_kinds, &seen), -ENODATA);
	assert_int_equal(elf_symbols_read(f, ELF_DYNSYM, collect_kinds, &seen), 0);
	assert_string_equal(seen.chars, expected.chars);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_objects_and_labels_are_told_in_order),
		cmocka_unit_test(what_names_no_address_is_left_out),
		cmocka_unit_test(thread_local_variables_are_a_source_of_their_own),
		cmocka_unit_test(labels_count_only_in_code_and_data),
		cmocka_unit_test(hidden_labels_are_no_names),
		cmocka_unit_test(marks_of_code_and_data_are_no_names_on_arm),
		cmocka_unit_test(stubs_are_named_after_what_they_call),
		cmocka_unit_test(long_section_numbers_are_looked_up),
		cmocka_unit_test(a_section_behind_the_last_is_none),
		cmocka_unit_test(symbols_have_a_kind_and_a_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
