/* SPDX-License-Identifier: MIT */
#include "symbol/elf-load.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "elf/plt.h"
#include "elf/symbols.h"

struct elf_loading {
	struct symbol_table *table;
	struct elf_file *runtime;
	uint64_t move;
	uint32_t section; /* only symbols of this section */
	const char *wanted;
	uint64_t found;
	bool is_found;
};

static void elf_load_add(struct symbol_table *t, const struct elf_symbol *s, uint64_t start)
{
	uint64_t end = s->size > UINT64_MAX - start ? UINT64_MAX : start + s->size;

	symbol_table_add(
		t,
		(struct symbol){
			.start = start, .end = end, .name = s->name, .binding = s->binding },
		strlen(s->name));
}

static void add_by_offset(const struct elf_symbol *s, void *arg)
{
	struct elf_loading *l = arg;
	uint64_t offset;

	if (elf_file_offset(l->runtime, s->addr, s->section, &offset))
		elf_load_add(l->table, s, offset);
}

/*
 * Limits sizes. A symbol without a size, such as _init, extends to the next symbol, but not into
 * the PLT.
 */
static void end_before_stubs(struct elf_file *runtime, struct symbol_table *t)
{
	uint64_t start, offset;

	if (plt_start(runtime, &start) && elf_file_offset(runtime, start, 0, &offset))
		symbol_table_end_before(t, offset);
}

/*
 * Each symbol table is settled on its own, because that decides which of several names is chosen,
 * and PLT stubs get names only in a file that has other symbols. Linux's perf shows the same. Only
 * labels are treated differently: SYMBOL_RULES_PROGRAM.
 */
int elf_load_by_offset(struct elf_file *symbols, struct elf_file *runtime, struct symbol_table *t)
{
	struct elf_loading l = { .table = t, .runtime = runtime };

	symbol_table_remember(t);
	if (elf_symbols_read(symbols, ELF_SYMTAB, add_by_offset, &l) >= 0 ||
	    elf_symbols_read(runtime, ELF_GO, add_by_offset, &l) >= 0)
		symbol_table_settle(t, SYMBOL_RULES_PROGRAM);
	if (elf_symbols_read(runtime, ELF_DYNSYM, add_by_offset, &l) >= 0)
		symbol_table_settle(t, SYMBOL_RULES_PROGRAM);
	if (!t->n)
		return -ENODATA;
	end_before_stubs(runtime, t);
	if (elf_symbols_read(runtime, ELF_PLT, add_by_offset, &l) >= 0)
		symbol_table_settle(t, SYMBOL_RULES_PROGRAM);
	symbol_table_arrange(t);
	return 0;
}

static void add_by_address(const struct elf_symbol *s, void *arg)
{
	struct elf_loading *l = arg;

	elf_load_add(l->table, s, s->addr + l->move);
}

int elf_load_by_address(struct elf_file *f, uint64_t move, struct symbol_table *t)
{
	struct elf_loading l = { .table = t, .move = move };
	int r = elf_symbols_read(f, ELF_SYMTAB, add_by_address, &l);

	if (r < 0)
		return r;
	symbol_table_settle(t, SYMBOL_RULES_LINKER);
	return t->n ? 0 : -ENODATA;
}

static void elf_load_compare(const struct elf_symbol *s, void *arg)
{
	struct elf_loading *l = arg;

	if (l->is_found || strcmp(s->name, l->wanted) != 0)
		return;
	l->found = s->addr;
	l->is_found = true;
}

int elf_symbol_address(struct elf_file *f, const char *name, uint64_t *ret)
{
	struct elf_loading l = { .wanted = name };
	int r = elf_symbols_read(f, ELF_SYMTAB, elf_load_compare, &l);

	if (r < 0 || !l.is_found)
		return r < 0 ? r : -ENODATA;
	*ret = l.found;
	return 0;
}

static void add_in_section(const struct elf_symbol *s, void *arg)
{
	struct elf_loading *l = arg;

	if (s->section == l->section)
		elf_load_add(l->table, s, s->addr + l->move);
}

/* Only .text is used, because the recording does not say where other sections were loaded. */
int elf_load_module(struct elf_file *f, uint64_t start, struct symbol_table *t)
{
	struct elf_section text;
	struct elf_loading l = { .table = t, .move = start };

	l.section = (uint32_t)elf_file_section_find(f, ".text", &text);
	if (!l.section)
		return -ENODATA;
	/* In a relocatable file, such as a module, symbols are offsets in their section. */
	if (elf_file_type(f) != ET_REL)
		l.move -= text.addr;

	int r = elf_symbols_read(f, ELF_SYMTAB, add_in_section, &l);

	if (r < 0)
		return r;
	symbol_table_settle(t, SYMBOL_RULES_LINKER);
	return t->n ? 0 : -ENODATA;
}
