/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "built-elf.h"
#include "elf/file.h"
#include "elf/plt.h"

static void add_sections(struct built_elf *b)
{
	built_begin(b);
	built_add(b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, "0123456789abcdef", 16);
}

static void collect(const struct elf_symbol *s, void *arg)
{
	text_addf(arg, "%s:%c:%x+%x ", s->name, s->binding, (unsigned)s->addr, (unsigned)s->size);
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
	assert_int_equal(plt_read(f, collect_kind, &seen), 0);
	assert_string_equal(seen.chars, expected.chars);
	text_done(&seen);
	text_done(&expected);
}

/*
 * Checks the symbols of a file with @stubs in section @name and @relocations in @of, for puts and
 * exit.
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
	assert_int_equal(plt_read(f, collect, &seen), 0);
	assert_string_equal(seen.chars, expected);
}

/* As in x86_64's libc, relocations of ifuncs come last, but their stubs do not. */
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
	/*
	 * Eight bytes for thread-local variables follow each of the two stubs: as many bytes as
	 * above.
	 */
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

static const struct built_symbol called[] = {
	{ "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
	{ "exit", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
};

/* The sections of a file of x86_64 with one stub. Tests change them before built_end(). */
struct one_stub {
	struct built_elf b;
	size_t plt, rela, symbols;
};

static void one_stub_init(struct one_stub *o)
{
	static const Elf64_Rela relocation = { 0x2000, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0 };
	static const uint8_t plt[32];

	add_sections(&o->b);
	o->plt = built_add(&o->b, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, plt, 32);
	o->symbols = built_add_symbols(&o->b, SHT_DYNSYM, called, 2);
	o->rela = built_add(&o->b, ".rela.plt", SHT_RELA, SHF_ALLOC, &relocation,
			    sizeof(relocation));
	o->b.sections[o->plt].sh_addr = 0x1000;
	o->b.sections[o->rela].sh_link = (uint32_t)o->symbols;
	o->b.sections[o->rela].sh_entsize = sizeof(Elf64_Rela);
}

static void assert_read(const void *bytes, size_t size, int result, const char *expected)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(text_done) struct text seen = TEXT_EMPTY;

	assert_int_equal(elf_file_open_memory(bytes, size, &f), 0);
	assert_int_equal(plt_read(f, collect, &seen), result);
	assert_string_equal(seen.length ? seen.chars : "", expected);
}

static void assert_one_stub(struct one_stub *o, const char *expected)
{
	built_end(&o->b, EM_X86_64, ET_DYN);
	assert_read(o->b.bytes, o->b.size, 0, expected);
}

static void relocations_that_make_no_sense_name_nothing(void **state)
{
	static struct one_stub o;

	(void)state;
	one_stub_init(&o);
	assert_one_stub(&o, ".plt:g:1000+10 puts@plt:g:1010+10 ");
	one_stub_init(&o);
	o.b.sections[o.rela].sh_entsize = 0;
	assert_one_stub(&o, ".plt:g:1000+20 ");
	one_stub_init(&o);
	o.b.sections[o.rela].sh_type = SHT_PROGBITS;
	assert_one_stub(&o, ".plt:g:1000+20 ");
	one_stub_init(&o);
	o.b.sections[o.rela].sh_link = 1; /* .text */
	assert_one_stub(&o, ".plt:g:1000+20 ");
	one_stub_init(&o);
	o.b.sections[o.rela].sh_link = 99;
	assert_one_stub(&o, ".plt:g:1000+20 ");
	one_stub_init(&o);
	o.b.sections[o.symbols].sh_type = SHT_SYMTAB;
	assert_one_stub(&o, ".plt:g:1000+20 ");
	one_stub_init(&o);
	o.b.sections[o.rela].sh_size = 0;
	assert_one_stub(&o, ".plt:g:1000+20 ");
}

static void a_table_needs_a_header_and_may_have_nothing_else(void **state)
{
	static struct one_stub o;

	(void)state;
	one_stub_init(&o);
	o.b.sections[o.plt].sh_size = 15;
	assert_one_stub(&o, ".plt:g:1000+f ");
	one_stub_init(&o);
	o.b.sections[o.plt].sh_size = 16;
	assert_one_stub(&o, ".plt:g:1000+10 ");
}

/* If there are two tables, the one with addends counts; a table without addends is used as well. */
static void relocations_may_have_no_addends(void **state)
{
	static const Elf64_Rel relocation = { 0x2000, ELF64_R_INFO(2, R_X86_64_JUMP_SLOT) };
	static struct one_stub o;

	(void)state;
	for (int both = 0; both < 2; both++) {
		one_stub_init(&o);

		size_t rel = built_add(&o.b, ".rel.plt", SHT_REL, SHF_ALLOC, &relocation,
				       sizeof(relocation));

		o.b.sections[rel].sh_link = (uint32_t)o.symbols;
		o.b.sections[rel].sh_entsize = sizeof(relocation);
		if (!both)
			o.b.names[o.b.sections[o.rela].sh_name] = 'x';
		assert_one_stub(&o, both ? ".plt:g:1000+10 puts@plt:g:1010+10 "
					 : ".plt:g:1000+10 exit@plt:g:1010+10 ");
	}
}

static void a_stub_of_the_got_may_have_16_bytes(void **state)
{
	static const Elf64_Rela relocations[] = {
		{ 0x2010, ELF64_R_INFO(1, R_X86_64_GLOB_DAT), 0 },
		{ 0x2018, ELF64_R_INFO(2, R_X86_64_GLOB_DAT), 0 },
	};
	static const uint8_t stubs[32] = {
		/* endbr64; bnd jmp *0x2010; endbr64; jmp *0x2018 */
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x05, 0x10, 0, 0, 0, 0, 0, 0, 0,
		0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xfe, 0x0f, 0,    0, 0, 0, 0, 0, 0, 0,
	};
	static struct built_elf b;

	(void)state;
	for (int entry = 0; entry < 2; entry++) {
		add_sections(&b);

		size_t got = built_add(&b, ".plt.got", SHT_PROGBITS, SHF_ALLOC, stubs, 32);
		size_t table = built_add_symbols(&b, SHT_DYNSYM, called, 2);
		size_t rela = built_add(&b, ".rela.dyn", SHT_RELA, SHF_ALLOC, relocations,
					sizeof(relocations));

		b.sections[got].sh_addr = 0x1000;
		b.sections[got].sh_entsize = entry ? 16 : 8;
		b.sections[rela].sh_link = (uint32_t)table;
		b.sections[rela].sh_entsize = sizeof(Elf64_Rela);
		built_end(&b, EM_X86_64, ET_DYN);
		/* Half of a stub has no jump. */
		assert_read(b.bytes, b.size, 0,
			    entry ? "puts@plt:g:1000+10 exit@plt:g:1010+10 " : "");
	}
}

/* Checks a file with @size bytes of relocations, the first of which names the one stub. */
static void assert_large_got(size_t size, const char *expected)
{
	static const Elf64_Rel relocation = { 0x2010, ELF64_R_INFO(1, R_X86_64_GLOB_DAT) };
	static const uint8_t stub[] = { 0xff, 0x25, 0x0a, 0x10, 0, 0, 0x66, 0x90 };
	static struct built_elf b;
	_cleanup_(freep) uint8_t *bytes = xcalloc(1, sizeof(b.bytes) + size);

	add_sections(&b);

	size_t got = built_add(&b, ".plt.got", SHT_PROGBITS, SHF_ALLOC, stub, sizeof(stub));
	size_t table = built_add_symbols(&b, SHT_DYNSYM, called, 2);
	size_t rela = built_add(&b, ".rela.dyn", SHT_REL, SHF_ALLOC, NULL, 0);

	b.sections[got].sh_addr = 0x1000;
	b.sections[rela].sh_link = (uint32_t)table;
	b.sections[rela].sh_entsize = sizeof(relocation);
	b.sections[rela].sh_offset = sizeof(b.bytes);
	b.sections[rela].sh_size = size;
	built_end(&b, EM_X86_64, ET_DYN);
	memcpy(bytes, b.bytes, sizeof(b.bytes));
	memcpy(bytes + sizeof(b.bytes), &relocation, sizeof(relocation));
	assert_read(bytes, sizeof(b.bytes) + size, 0, expected);
}

/* Relocations without addends fill exactly 1 MiB. */
static void more_than_1_mib_of_relocations_are_not_read_for_one_stub(void **state)
{
	(void)state;
	assert_large_got(1 << 20, "puts@plt:g:1000+8 ");
	assert_large_got((1 << 20) + 16, ".plt.got:g:1000+8 ");
}

/* Returns the start of the lowest table of those at these addresses; 0: the table is missing. */
static uint64_t start_of(uint64_t plt, uint64_t got, uint64_t second)
{
	static const char *const names[] = { ".plt", ".plt.got", ".plt.sec" };
	const uint64_t at[] = { plt, got, second };
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	static struct built_elf b;
	uint64_t start = 77;

	add_sections(&b);
	for (size_t i = 0; i < 3; i++) {
		if (!at[i])
			continue;
		b.sections[built_add(&b, names[i], SHT_PROGBITS, SHF_ALLOC, "0123", 4)].sh_addr =
			at[i];
	}
	built_end(&b, EM_X86_64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(plt_start(f, &start), plt || got || second);
	return start;
}

static void the_tables_begin_where_the_lowest_does(void **state)
{
	(void)state;
	assert_int_equal(start_of(0, 0, 0), 77);
	assert_int_equal(start_of(0x1000, 0, 0), 0x1000);
	assert_int_equal(start_of(0x1000, 0x2000, 0x3000), 0x1000);
	assert_int_equal(start_of(0x3000, 0x2000, 0x1000), 0x1000);
	assert_int_equal(start_of(0x3000, 0x2000, 0), 0x2000);
	assert_int_equal(start_of(0, 0, 0x5000), 0x5000);
}

static void without_tables_there_is_nothing_to_read(void **state)
{
	static struct built_elf b;

	(void)state;
	add_sections(&b);
	built_end(&b, EM_X86_64, ET_DYN);
	assert_read(b.bytes, b.size, -ENODATA, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_two_stubs_for_a_function_the_one_that_is_called_is_a_function),
		cmocka_unit_test(stubs_are_in_the_order_of_the_words_they_take),
		cmocka_unit_test(stubs_with_branch_protection_are_longer),
		cmocka_unit_test(stubs_of_the_got_tell_by_their_jump),
		cmocka_unit_test(a_table_that_is_not_understood_has_the_name_of_its_section),
		cmocka_unit_test(relocations_that_make_no_sense_name_nothing),
		cmocka_unit_test(a_table_needs_a_header_and_may_have_nothing_else),
		cmocka_unit_test(relocations_may_have_no_addends),
		cmocka_unit_test(a_stub_of_the_got_may_have_16_bytes),
		cmocka_unit_test(more_than_1_mib_of_relocations_are_not_read_for_one_stub),
		cmocka_unit_test(the_tables_begin_where_the_lowest_does),
		cmocka_unit_test(without_tables_there_is_nothing_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
