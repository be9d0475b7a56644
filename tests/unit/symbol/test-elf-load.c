/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "elf/built-elf.h"
#include "elf/file.h"
#include "symbol/elf-load.h"
#include "symbol/table.h"
#include "skip.h"

static const char *name_at(struct symbol_table *t, uint64_t offset)
{
	const struct symbol *s = symbol_table_find(t, offset);

	return s ? s->name : "-";
}

/* The layout is that of linkers: .init, whose _init has no size, .plt, then .text. */
static void a_function_without_a_size_does_not_reach_into_the_stubs(void **state)
{
	static const uint8_t code[32 + 2 * 16];
	static const struct built_symbol calls[] = {
		{ "puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
		{ "exit", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF, STV_DEFAULT },
	};
	static const Elf64_Rela relocations[] = {
		{ 8, ELF64_R_INFO(1, R_AARCH64_JUMP_SLOT), 0 },
		{ 16, ELF64_R_INFO(2, R_AARCH64_JUMP_SLOT), 0 },
	};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct symbol_table t;
	struct built_elf b;

	(void)state;
	built_begin(&b);

	uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
	size_t init = built_add(&b, ".init", SHT_PROGBITS, flags, code, 16);
	size_t plt = built_add(&b, ".plt", SHT_PROGBITS, flags, code, sizeof(code));
	size_t text = built_add(&b, ".text", SHT_PROGBITS, flags, code, 16);
	const struct built_symbol symbols[] = {
		{ "_init", b.sections[init].sh_addr, 0, STB_GLOBAL, STT_FUNC, (uint16_t)init,
		  STV_HIDDEN },
		{ "_start", b.sections[text].sh_addr, 16, STB_GLOBAL, STT_FUNC, (uint16_t)text,
		  STV_DEFAULT },
	};
	size_t table = built_add_symbols(&b, SHT_DYNSYM, calls, 2);
	size_t rela = built_add(&b, ".rela.plt", SHT_RELA, SHF_ALLOC, relocations,
				sizeof(relocations));
	uint64_t stubs = b.sections[plt].sh_offset;

	b.sections[rela].sh_link = (uint32_t)table;
	b.sections[rela].sh_entsize = sizeof(Elf64_Rela);
	built_add_symbols(&b, SHT_SYMTAB, symbols, 2);
	built_end(&b, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	symbol_table_init(&t, NULL);
	assert_int_equal(elf_load_by_offset(f, f, &t), 0);
	assert_string_equal(name_at(&t, stubs - 16), "_init");
	assert_string_equal(name_at(&t, stubs - 1), "_init");
	assert_string_equal(name_at(&t, stubs), ".plt");
	assert_string_equal(name_at(&t, stubs + 31), ".plt");
	assert_string_equal(name_at(&t, stubs + 32), "puts@plt");
	assert_string_equal(name_at(&t, stubs + 48), "exit@plt");
	assert_string_equal(name_at(&t, stubs + 64), "_start");
	symbol_table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_without_a_size_does_not_reach_into_the_stubs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
