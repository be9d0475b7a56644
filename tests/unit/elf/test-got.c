/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built-elf.h"
#include "elf/file.h"
#include "elf/got.h"

/* The address of the table: behind the headers of the file. */
#define GOT_ADDR (BUILT_BASE + 0x80)

static Elf64_Rela relocation(uint64_t word, uint32_t symbol, uint32_t type, int64_t addend)
{
	return (Elf64_Rela){ .r_offset = GOT_ADDR + 8 * word,
			     .r_info = ELF64_R_INFO((uint64_t)symbol, type),
			     .r_addend = addend };
}

/* Returns a file with a table of six words, the last of which has no relocation. */
static struct elf_file *open_file(struct built_elf *b, const Elf64_Rela *rows, size_t n,
				  uint64_t entry_size)
{
	static const uint64_t words[6] = { 0, 0, 0, 0, 0, 0x404100 };
	static const struct built_symbol symbols[] = {
		{ "here", 0x404008, 8, STB_GLOBAL, STT_OBJECT, 1, 0 },
		{ "elsewhere", 0, 0, STB_GLOBAL, STT_OBJECT, SHN_UNDEF, 0 },
		{ "local", 24, 8, STB_GLOBAL, STT_TLS, 1, 0 },
	};
	struct elf_file *f = NULL;
	size_t table, got, rela;

	built_begin(b);
	got = built_add(b, ".got", SHT_PROGBITS, SHF_ALLOC, words, sizeof(words));
	assert_int_equal(b->sections[got].sh_addr, GOT_ADDR);
	table = built_add_symbols(b, SHT_DYNSYM, symbols, 3);
	rela = built_add(b, ".rela.dyn", SHT_RELA, SHF_ALLOC, rows, n * sizeof(rows[0]));
	b->sections[rela].sh_entsize = entry_size;
	b->sections[rela].sh_link = (uint32_t)table;
	built_end(b, EM_X86_64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b->bytes, b->size, &f), 0);
	return f;
}

static void check_word(const struct elf_got *g, uint64_t word, enum got_kind kind, uint64_t value)
{
	struct got_entry e;

	assert_true(elf_got_find(g, GOT_ADDR + 8 * word, &e));
	assert_int_equal(e.kind, kind);
	assert_int_equal(e.value, value);
}

static void relocations_say_what_words_hold(void **state)
{
	const Elf64_Rela rows[] = {
		relocation(4, 3, R_X86_64_TPOFF64, 8),
		relocation(0, 0, R_X86_64_RELATIVE, 0x404010),
		relocation(1, 1, R_X86_64_GLOB_DAT, 0),
		relocation(2, 2, R_X86_64_GLOB_DAT, 0),
		relocation(3, 0, R_X86_64_TPOFF64, 16),
	};
	static struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *f = open_file(&b, rows, 5, sizeof(rows[0]));
	_cleanup_(elf_got_freep) struct elf_got *g = elf_got_read(f);
	struct got_entry e;

	(void)state;
	check_word(g, 0, GOT_ADDRESS, 0x404010);
	check_word(g, 1, GOT_ADDRESS, 0x404008);
	assert_true(elf_got_find(g, GOT_ADDR + 16, &e));
	assert_int_equal(e.kind, GOT_SYMBOL);
	assert_string_equal(e.name, "elsewhere");
	check_word(g, 3, GOT_THREAD, 16);
	check_word(g, 4, GOT_THREAD, 32);
	check_word(g, 5, GOT_ADDRESS, 0x404100);
	assert_false(elf_got_find(g, GOT_ADDR + 48, &e));
	assert_false(elf_got_find(g, GOT_ADDR + 44, &e));
	assert_false(elf_got_find(g, 0, &e));
}

static void relocations_that_say_nothing_are_left_out(void **state)
{
	const Elf64_Rela rows[] = {
		relocation(0, 99, R_X86_64_GLOB_DAT, 0),       /* no such symbol */
		relocation(1, 2, R_X86_64_TPOFF64, 0),         /* of another file */
		relocation(2, 0, 77, 0x404010),                /* an unknown type */
		relocation(9, 0, R_X86_64_RELATIVE, 0x404010), /* not in the table */
	};
	static struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *f = open_file(&b, rows, 4, sizeof(rows[0]));
	_cleanup_(elf_got_freep) struct elf_got *g = elf_got_read(f);
	struct got_entry e;

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		assert_false(elf_got_find(g, GOT_ADDR + 8 * i, &e));
	assert_false(elf_got_find(g, GOT_ADDR + 8 * 9, &e));
}

static void a_table_without_entry_size_is_not_read(void **state)
{
	const Elf64_Rela row = relocation(0, 0, R_X86_64_RELATIVE, 0x404010);
	static struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *f = open_file(&b, &row, 1, 0);
	_cleanup_(elf_got_freep) struct elf_got *g = elf_got_read(f);
	struct got_entry e;

	(void)state;
	assert_false(elf_got_find(g, GOT_ADDR, &e));
	check_word(g, 5, GOT_ADDRESS, 0x404100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relocations_say_what_words_hold),
		cmocka_unit_test(relocations_that_say_nothing_are_left_out),
		cmocka_unit_test(a_table_without_entry_size_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
