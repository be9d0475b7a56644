/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>

#include "base/text.h"
#include "elf/built-elf.h"
#include "elf/file.h"
#include "elf/symbols.h"

enum {
	TEXT = 1,
	DATA,
	TABLE, /* loaded, but neither code nor data by its name */
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

/* What a file of @machine with one symbol table shows. */
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

static void collect_kind(const struct elf_symbol *s, void *arg)
{
	text_addf(arg, "%s:%jx:%s ", s->name, (uintmax_t)s->addr,
		  s->kind == ELF_SYMBOL_BINDER ? "binder" : "function");
}

static void of_two_stubs_for_a_function_the_one_that_is_called_is_a_function(void **state)
{
	static const struct built_symbol calls[] = {
		{ "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
	};
	static const Elf64_Rela relocation = { 0, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0 };
	static const uint8_t plt[32] = { 0 };
	struct text seen = TEXT_EMPTY, expected = TEXT_EMPTY;
	struct built_elf b;

	(void)state;
	add_sections(&b);

	size_t first = built_add(&b, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, plt, 32);
	size_t second = built_add(&b, ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, plt, 16);
	size_t table = built_add_symbols(&b, SHT_DYNSYM, calls, 1);
	size_t rela = built_add(&b, ".rela.plt", SHT_RELA, SHF_ALLOC, &relocation,
				sizeof(relocation));

	b.sections[rela].sh_link = (uint32_t)table;
	b.sections[rela].sh_entsize = sizeof(Elf64_Rela);
	text_addf(&expected, ".plt:%jx:binder puts@plt:%jx:binder puts@plt:%jx:function ",
		  (uintmax_t)b.sections[first].sh_addr, (uintmax_t)b.sections[first].sh_addr + 16,
		  (uintmax_t)b.sections[second].sh_addr);
	built_end(&b, EM_X86_64, ET_DYN);

	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_PLT, collect_kind, &seen), 0);
	assert_string_equal(seen.chars, expected.chars);
	text_done(&seen);
	text_done(&expected);
}

/* What is told of a file with @stubs in section @name and @relocations in @of, for puts and exit.
 */
static void assert_stubs(uint16_t machine, const char *name, const void *stubs, size_t size,
			 const char *of, const Elf64_Rela *relocations, size_t n,
			 const char *expected)
{
	static const struct built_symbol calls[] = {
		{ "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
		{ "exit", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
	};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(text_done) struct text seen = TEXT_EMPTY;
	struct built_elf b;

	add_sections(&b);

	size_t code = built_add(&b, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, stubs, size);
	size_t table = built_add_symbols(&b, SHT_DYNSYM, calls, 2);
	size_t rela = built_add(&b, of, SHT_RELA, SHF_ALLOC, relocations, n * sizeof(*relocations));

	b.sections[code].sh_addr = 0x1000;
	b.sections[rela].sh_link = (uint32_t)table;
	b.sections[rela].sh_entsize = sizeof(Elf64_Rela);
	built_end(&b, machine, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(elf_symbols_read(f, ELF_PLT, collect, &seen), 0);
	assert_string_equal(seen.chars, expected);
}

/* As x86_64's libc has them: relocations of ifuncs come last, their stubs do not. */
static void stubs_are_in_the_order_of_the_words_they_take(void **state)
{
	static const Elf64_Rela relocations[] = {
		{ 0x2008, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0 },
		{ 0x2018, ELF64_R_INFO(2, R_X86_64_JUMP_SLOT), 0 },
		{ 0x2000, ELF64_R_INFO(0, R_X86_64_IRELATIVE), 0x1234 },
		{ 0x2010, ELF64_R_INFO(0, R_X86_64_IRELATIVE), 0x1234 },
	};
	static const uint8_t plt[16 + 4 * 16];

	(void)state;
	assert_stubs(EM_X86_64, ".plt", plt, sizeof(plt), ".rela.plt", relocations, 4,
		     ".plt:g:1000+10 @plt:g:1010+10 puts@plt:g:1020+10 @plt:g:1030+10 "
		     "exit@plt:g:1040+10 ");
}

static void stubs_with_branch_protection_are_longer(void **state)
{
	static const Elf64_Rela relocations[] = {
		{ 8, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0 },
		{ 16, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT), 0 },
	};
	enum {
		BR_X17 = 0xd61f0220
	};
	static const uint32_t simple[8 + 8] = { [8 + 3] = BR_X17, [8 + 7] = BR_X17 };
	static const uint32_t one[8 + 12] = { [8 + 4] = BR_X17, [8 + 10] = BR_X17 };
	static const uint32_t both[8 + 12] = { [8 + 5] = BR_X17, [8 + 11] = BR_X17 };
	/* Eight bytes for thread-local variables behind each of two: as many bytes as above. */
	static const uint32_t with_rest[8 + 12] = { [8 + 3] = BR_X17, [8 + 7] = BR_X17 };

	(void)state;
	assert_stubs(EM_AARCH64, ".plt", simple, sizeof(simple), ".rela.plt", relocations, 2,
		     ".plt:g:1000+20 puts@plt:g:1020+10 exit@plt:g:1030+10 ");
	assert_stubs(EM_AARCH64, ".plt", one, sizeof(one), ".rela.plt", relocations, 2,
		     ".plt:g:1000+20 puts@plt:g:1020+18 exit@plt:g:1038+18 ");
	assert_stubs(EM_AARCH64, ".plt", both, sizeof(both), ".rela.plt", relocations, 2,
		     ".plt:g:1000+20 puts@plt:g:1020+18 exit@plt:g:1038+18 ");
	assert_stubs(EM_AARCH64, ".plt", with_rest, sizeof(with_rest), ".rela.plt", relocations, 2,
		     ".plt:g:1000+20 puts@plt:g:1020+10 exit@plt:g:1030+10 .plt:g:1040+10 ");
}

static void stubs_of_the_got_tell_by_their_jump(void **state)
{
	static const Elf64_Rela relocations[] = {
		{ 0x2000, ELF64_R_INFO(0, R_X86_64_RELATIVE), 0 },
		{ 0x2018, ELF64_R_INFO(2, R_X86_64_GLOB_DAT), 0 },
		{ 0x2010, ELF64_R_INFO(1, R_X86_64_GLOB_DAT), 0 },
	};
	static const uint8_t stubs[] = {
		0xff, 0x25, 0x0a, 0x10, 0,    0,    0x66, 0x90, /* jmp *0x2010 */
		0xff, 0x25, 0x0a, 0x10, 0,    0,    0x66, 0x90, /* jmp *0x2018 */
		0xff, 0x25, 0xff, 0xff, 0xff, 0xff, 0x66, 0x90, /* of nothing */
		0xff, 0x25, 0x0a,                               /* cut off */
	};

	(void)state;
	assert_stubs(EM_X86_64, ".plt.got", stubs, sizeof(stubs), ".rela.dyn", relocations, 3,
		     "puts@plt:g:1000+8 exit@plt:g:1008+8 ");
}

static void a_table_that_is_not_understood_has_the_name_of_its_section(void **state)
{
	static const uint8_t plt[64];

	(void)state;
	assert_stubs(EM_PPC64, ".plt", plt, sizeof(plt), ".rela.plt", NULL, 0, ".plt:g:1000+40 ");
	assert_stubs(EM_X86_64, ".plt", plt, sizeof(plt), ".rela.plt", NULL, 0, ".plt:g:1000+40 ");
	assert_stubs(EM_X86_64, ".plt", plt, 8, ".rela.plt", NULL, 0, ".plt:g:1000+8 ");
	assert_stubs(EM_AARCH64, ".plt.got", plt, 16, ".rela.dyn", NULL, 0, ".plt.got:g:1000+10 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_objects_and_labels_are_told_in_order),
		cmocka_unit_test(what_names_no_address_is_left_out),
		cmocka_unit_test(labels_count_only_in_code_and_data),
		cmocka_unit_test(hidden_labels_are_no_names),
		cmocka_unit_test(marks_of_code_and_data_are_no_names_on_arm),
		cmocka_unit_test(stubs_are_named_after_what_they_call),
		cmocka_unit_test(of_two_stubs_for_a_function_the_one_that_is_called_is_a_function),
		cmocka_unit_test(stubs_are_in_the_order_of_the_words_they_take),
		cmocka_unit_test(stubs_with_branch_protection_are_longer),
		cmocka_unit_test(stubs_of_the_got_tell_by_their_jump),
		cmocka_unit_test(a_table_that_is_not_understood_has_the_name_of_its_section),
	};

	return HAVE_LIBELF ? cmocka_run_group_tests(tests, NULL, NULL) : built_skip();
}
