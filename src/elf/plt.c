/* SPDX-License-Identifier: MIT */
#include "elf/plt.h"

#include <errno.h>

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "elf/file.h"

/* Larger tables, as in libLLVM, are not read just to name the one stub of its .plt.got. */
#define RELA_DYN_SIZE_MAX (1u << 20)

struct relocations {
	Elf_Data *entries, *symbols;
	size_t n, strings;
	bool with_addend;
};

static Elf_Data *section_data(Elf *elf, size_t index, GElf_Shdr *ret)
{
	Elf_Scn *scn = elf_getscn(elf, index);

	return scn && gelf_getshdr(scn, ret) ? elf_getdata(scn, NULL) : NULL;
}

/* Opens the section @with (relocations with addends), or else the section @without. */
static bool open_relocations(struct elf_file *f, const char *with, const char *without,
			     struct relocations *ret)
{
	Elf *elf = elf_file_handle(f);
	struct elf_section s;
	GElf_Shdr h, symbols;
	size_t index = elf_file_section_find(f, with, &s);

	if (!index)
		index = elf_file_section_find(f, without, &s);

	struct relocations r = { .entries = index ? section_data(elf, index, &h) : NULL };

	if (!r.entries || !h.sh_entsize || (h.sh_type != SHT_RELA && h.sh_type != SHT_REL))
		return false;
	r.with_addend = h.sh_type == SHT_RELA;
	r.n = r.entries->d_size / h.sh_entsize;
	r.symbols = section_data(elf, h.sh_link, &symbols);
	if (!r.symbols || symbols.sh_type != SHT_DYNSYM)
		return false;
	r.strings = symbols.sh_link;
	*ret = r;
	return true;
}

static bool take_relocation(const struct relocations *r, size_t i, GElf_Rel *ret)
{
	GElf_Rela with;

	if (!r->with_addend)
		return gelf_getrel(r->entries, (int)i, ret);
	if (!gelf_getrela(r->entries, (int)i, &with))
		return false;
	*ret = (GElf_Rel){ .r_offset = with.r_offset, .r_info = with.r_info };
	return true;
}

/* Returns the name of the function to which a relocation belongs; "" for an ifunc (IRELATIVE). */
static const char *called_name(Elf *elf, const struct relocations *r, const GElf_Rel *rel)
{
	GElf_Sym s;

	if (!gelf_getsym(r->symbols, (int)GELF_R_SYM(rel->r_info), &s))
		return NULL;
	return elf_strptr(elf, r->strings, s.st_name);
}

/* A word of the GOT, and the relocation that fills it. */
struct got_word {
	uint64_t addr;
	size_t relocation;
};

struct got_words {
	struct got_word *items;
	size_t n, room;
};

static int plt_by_address(const void *a, const void *b)
{
	const struct got_word *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Reads the words whose relocations are @wanted, by address; the caller frees them. */
static struct got_words read_got_words(const struct relocations *r, const struct arch_plt *shape,
				       bool (*wanted)(const struct arch_plt *shape, uint64_t type))
{
	struct got_words w = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		GElf_Rel rel;

		if (take_relocation(r, i, &rel) && wanted(shape, GELF_R_TYPE(rel.r_info)))
			*ARRAY_ADD(&w) = (struct got_word){ rel.r_offset, i };
	}
	if (w.n)
		qsort(w.items, w.n, sizeof(w.items[0]), plt_by_address);
	return w;
}

/* True if a relocation has a stub. Thread-local variables are in .rela.plt too, but have none. */
static bool has_stub(const struct arch_plt *shape, uint64_t type)
{
	return !shape->jump_slot || type == shape->jump_slot || type == shape->irelative;
}

static bool is_address_of_symbol(const struct arch_plt *shape, uint64_t type)
{
	return type == shape->glob_dat;
}

/* A table of stubs, @entry bytes each. */
struct stubs {
	uint64_t addr, end, entry;
	enum elf_symbol_kind kind;
};

/* The callback that symbols are passed to. */
struct symbol_output {
	elf_symbol_fn *fn;
	void *arg;
	struct text name;
};

static void add_stub(struct symbol_output *t, const char *called, uint64_t addr, uint64_t size,
		     enum elf_symbol_kind kind)
{
	text_clear(&t->name);
	text_add(&t->name, called);
	text_add(&t->name, "@plt");
	t->fn(&(struct elf_symbol){ .addr = addr,
				    .size = size,
				    .name = t->name.chars,
				    .binding = 'g',
				    .kind = kind },
	      t->arg);
}

/*
 * Passes on code that is not the stub of a function: the header, or a table that is not understood.
 */
static void plt_add_table(struct symbol_output *t, const char *name, uint64_t addr, uint64_t size)
{
	t->fn(&(struct elf_symbol){ .addr = addr,
				    .size = size,
				    .name = name,
				    .binding = 'g',
				    .kind = ELF_SYMBOL_BINDER },
	      t->arg);
}

/* Names the stubs, and returns their end. */
static uint64_t name_stubs(struct elf_file *f, const struct relocations *r,
			   const struct got_words *w, struct stubs s, struct symbol_output *t)
{
	for (size_t i = 0; i < w->n && s.addr < s.end; i++, s.addr += s.entry) {
		GElf_Rel rel;
		const char *called = take_relocation(r, w->items[i].relocation, &rel)
					     ? called_name(elf_file_handle(f), r, &rel)
					     : NULL;

		if (called)
			add_stub(t, called, s.addr, s.entry, s.kind);
	}
	return s.addr;
}

/*
 * Returns the size of a stub of the table in section @index: branch protection makes stubs larger.
 */
static size_t entry_size(struct elf_file *f, size_t index, const struct arch_plt *shape)
{
	size_t size = 0;
	const uint8_t *code = shape->entry_size ? elf_file_section_bytes(f, index, &size) : NULL;

	if (!code || size < shape->header)
		return shape->entry;
	return shape->entry_size(code + shape->header, size - shape->header);
}

static const struct arch_plt *plt_shape_of(const struct elf_file *f)
{
	const struct arch *a = arch_of_elf(elf_file_machine(f));

	return a ? a->plt : NULL;
}

/*
 * Reads a table whose stubs are in the order of the GOT words through which they jump. Relocations
 * may be in another order: those of ifuncs (IRELATIVE) come last. After the stubs of aarch64 there
 * may be code for thread-local variables. With -fcf-protection x86 has a second table, .plt.sec,
 * without a header, which the code calls.
 */
static void read_plt(struct elf_file *f, size_t index, const struct elf_section *plt,
		     struct symbol_output *t)
{
	const struct arch_plt *shape = plt_shape_of(f);
	uint64_t end = plt->addr + plt->size, rest;
	struct elf_section section;
	struct relocations r;

	if (!shape || plt->size < shape->header ||
	    !open_relocations(f, ".rela.plt", ".rel.plt", &r) || !r.n) {
		plt_add_table(t, ".plt", plt->addr, plt->size);
		return;
	}

	struct got_words words = read_got_words(&r, shape, has_stub);
	bool has_second = elf_file_section_find(f, ".plt.sec", &section);
	struct stubs first = { plt->addr + shape->header, end, entry_size(f, index, shape),
			       has_second ? ELF_SYMBOL_BINDER : ELF_SYMBOL_FUNCTION };

	plt_add_table(t, ".plt", plt->addr, shape->header);
	rest = name_stubs(f, &r, &words, first, t);
	if (rest < end)
		plt_add_table(t, ".plt", rest, end - rest);
	if (has_second) {
		struct stubs second = { section.addr, section.addr + section.size, shape->entry,
					ELF_SYMBOL_FUNCTION };

		name_stubs(f, &r, &words, second, t);
	}
	free(words.items);
}

/*
 * Reads .plt.got: stubs of functions whose address is in the GOT anyway. They are in no order; the
 * jump in each shows which word of the GOT it uses.
 */
static void read_plt_got(struct elf_file *f, size_t index, const struct elf_section *s,
			 struct symbol_output *t)
{
	const struct arch_plt *shape = plt_shape_of(f);
	size_t size = 0, entry = s->entry_size == 16 ? 16 : 8;
	const uint8_t *code = elf_file_section_bytes(f, index, &size);
	struct elf_section dyn;
	struct relocations r;

	if (!shape || !shape->jump_word || !code || !elf_file_section_find(f, ".rela.dyn", &dyn) ||
	    dyn.size > RELA_DYN_SIZE_MAX || !open_relocations(f, ".rela.dyn", ".rel.dyn", &r)) {
		plt_add_table(t, ".plt.got", s->addr, s->size);
		return;
	}

	struct got_words words = read_got_words(&r, shape, is_address_of_symbol);

	for (size_t at = 0; words.n && at + entry <= size; at += entry) {
		struct got_word key, *found = NULL;
		GElf_Rel rel;
		const char *called = NULL;

		if (shape->jump_word(code + at, entry, s->addr + at, &key.addr))
			found = bsearch(&key, words.items, words.n, sizeof(key), plt_by_address);
		if (found && take_relocation(&r, found->relocation, &rel))
			called = called_name(elf_file_handle(f), &r, &rel);
		if (called)
			add_stub(t, called, s->addr + at, entry, ELF_SYMBOL_FUNCTION);
	}
	free(words.items);
}

int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg)
{
	struct symbol_output t = { .fn = fn, .arg = arg, .name = TEXT_EMPTY };
	struct elf_section plt, got;
	size_t plt_index = elf_file_section_find(f, ".plt", &plt);
	size_t got_index = elf_file_section_find(f, ".plt.got", &got);

	if (plt_index)
		read_plt(f, plt_index, &plt, &t);
	if (got_index)
		read_plt_got(f, got_index, &got, &t);
	text_done(&t.name);
	return plt_index || got_index ? 0 : -ENODATA;
}

bool plt_start(struct elf_file *f, uint64_t *ret)
{
	static const char *const names[] = { ".plt", ".plt.got", ".plt.sec" };
	uint64_t start = UINT64_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct elf_section s;

		if (elf_file_section_find(f, names[i], &s) && s.addr < start)
			start = s.addr;
	}
	if (start == UINT64_MAX)
		return false;
	*ret = start;
	return true;
}
