/* SPDX-License-Identifier: MIT */
#include "elf/got.h"

#include <stdlib.h>

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/cursor.h"
#include "base/memory.h"
#include "elf/file.h"

struct relocated_word {
	uint64_t addr;
	struct got_entry entry;
};

/* A section of the table: .got, .got.plt. */
struct got_section {
	uint64_t start, end;
	const uint8_t *bytes; /* contents before relocation; NULL: there are none */
};

struct elf_got {
	bool is_swapped;
	struct {
		struct got_section *items;
		size_t n, room;
	} sections;
	struct {
		struct relocated_word *items;
		size_t n, room;
	} words; /* sorted by address */
};

/* Finds the sections. The words of a 32-bit file are not read. */
static void find_sections(struct elf_file *f, struct elf_got *g)
{
	struct elf_section s;

	for (size_t i = 1; elf_file_is_64(f) && elf_file_section(f, i, &s); i++) {
		size_t size = 0;
		const uint8_t *bytes;

		if (strcmp(s.name, ".got") != 0 && strcmp(s.name, ".got.plt") != 0)
			continue;
		bytes = elf_file_section_bytes(f, i, &size);
		*ARRAY_ADD(&g->sections) = (struct got_section){
			.start = s.addr,
			.end = s.addr + s.size,
			.bytes = size == s.size ? bytes : NULL,
		};
	}
}

static const struct got_section *section_at(const struct elf_got *g, uint64_t addr)
{
	for (size_t i = 0; i < g->sections.n; i++) {
		const struct got_section *s = &g->sections.items[i];

		if (s->start <= addr && addr < s->end && s->end - addr >= 8)
			return s;
	}
	return NULL;
}

/* Relocations of one section, and the symbols to which they refer. */
struct relocation_table {
	Elf *elf;
	const struct arch_plt *types;
	Elf_Data *entries, *symbols;
	size_t n, strings;
};

/*
 * Makes the entry of a symbol. A symbol of the file itself has an address, one of another file has
 * only a name.
 */
static bool entry_of_symbol(const struct relocation_table *t, const GElf_Rela *r,
			    struct got_entry *ret)
{
	GElf_Sym s;

	if (!t->symbols || !gelf_getsym(t->symbols, (int)GELF_R_SYM(r->r_info), &s))
		return false;
	if (s.st_shndx == SHN_UNDEF) {
		ret->kind = GOT_SYMBOL;
		ret->name = elf_strptr(t->elf, t->strings, s.st_name);
		return ret->name && *ret->name && !r->r_addend;
	}
	ret->value = s.st_value + (uint64_t)r->r_addend;
	return true;
}

static bool elf_got_read_entry(const struct relocation_table *t, const GElf_Rela *r,
			       struct got_entry *ret)
{
	uint32_t type = (uint32_t)GELF_R_TYPE(r->r_info);

	*ret = (struct got_entry){ .kind = GOT_ADDRESS, .value = (uint64_t)r->r_addend };
	if (type == t->types->relative)
		return true;
	if (type == t->types->thread) {
		/* A variable of another file is in another file's storage. */
		if (GELF_R_SYM(r->r_info) &&
		    (!entry_of_symbol(t, r, ret) || ret->kind == GOT_SYMBOL))
			return false;
		ret->kind = GOT_THREAD;
		return true;
	}
	return (type == t->types->glob_dat || type == t->types->absolute) &&
	       entry_of_symbol(t, r, ret);
}

static void elf_got_read_words(struct elf_got *g, const struct relocation_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct got_entry e;
		GElf_Rela r;

		if (gelf_getrela(t->entries, (int)i, &r) && section_at(g, r.r_offset) &&
		    elf_got_read_entry(t, &r, &e))
			*ARRAY_ADD(&g->words) = (struct relocated_word){ r.r_offset, e };
	}
}

static void read_relocations(struct elf_file *f, struct elf_got *g, const struct arch_plt *types)
{
	Elf *elf = elf_file_handle(f);

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h, symbols;
		Elf_Scn *linked;
		struct relocation_table t = { .elf = elf, .types = types };

		if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_RELA || !(h.sh_flags & SHF_ALLOC) ||
		    !h.sh_entsize || !(t.entries = elf_getdata(scn, NULL)))
			continue;
		t.n = t.entries->d_size / h.sh_entsize;
		linked = elf_getscn(elf, h.sh_link);
		if (linked && gelf_getshdr(linked, &symbols) && symbols.sh_type == SHT_DYNSYM) {
			t.symbols = elf_getdata(linked, NULL);
			t.strings = symbols.sh_link;
		}
		elf_got_read_words(g, &t);
	}
}

static int elf_got_by_addr(const void *a, const void *b)
{
	const struct relocated_word *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

struct elf_got *elf_got_read(struct elf_file *f)
{
	struct elf_got *g = xcalloc(1, sizeof(*g));
	const struct arch *arch = arch_of_elf(elf_file_machine(f));

	g->is_swapped = elf_file_is_swapped(f);
	find_sections(f, g);
	if (g->sections.n && arch && arch->plt && arch->plt->relative)
		read_relocations(f, g, arch->plt);
	if (g->words.n)
		qsort(g->words.items, g->words.n, sizeof(g->words.items[0]), elf_got_by_addr);
	return g;
}

void elf_got_free(struct elf_got *g)
{
	if (!g)
		return;
	free(g->sections.items);
	free(g->words.items);
	free(g);
}

/*
 * Reads a word without a relocation of its own (static programs, SHT_RELR), which has its address
 * already.
 */
static bool find_plain(const struct elf_got *g, const struct got_section *s, uint64_t addr,
		       struct got_entry *ret)
{
	struct cursor c;
	uint64_t value;

	if (!s->bytes)
		return false;
	c = cursor_over(s->bytes + (addr - s->start), 8, g->is_swapped);
	value = cursor_u64(&c);
	if (!value)
		return false;
	*ret = (struct got_entry){ .kind = GOT_ADDRESS, .value = value };
	return true;
}

bool elf_got_find(const struct elf_got *g, uint64_t addr, struct got_entry *ret)
{
	const struct got_section *s = section_at(g, addr);
	size_t at = BISECT(k, g->words.n, g->words.items[k].addr < addr);

	if (!s)
		return false;
	if (at == g->words.n || g->words.items[at].addr != addr)
		return find_plain(g, s, addr, ret);
	*ret = g->words.items[at].entry;
	return true;
}
