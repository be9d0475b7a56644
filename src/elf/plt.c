/* SPDX-License-Identifier: MIT */
#include "elf/plt.h"

#include <config.h>
#include <errno.h>

#if HAVE_LIBELF
#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "elf/elf-file.h"

/* The stub that resolves names comes first and is larger; these are the psABIs' sizes. */
static const struct shape {
	uint16_t machine;
	uint16_t header, entry;
} shapes[] = {
	{ EM_X86_64, 16, 16 }, { EM_386, 16, 16 },   { EM_AARCH64, 32, 16 },
	{ EM_ARM, 20, 12 },    { EM_RISCV, 32, 16 }, { EM_S390, 32, 32 },
};

struct relocations {
	Elf_Data *entries, *symbols;
	size_t n, strings;
	bool with_addend;
};

static const struct shape *shape_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].machine == machine)
			return &shapes[i];
	return NULL;
}

static Elf_Data *section_data(Elf *elf, size_t index, GElf_Shdr *ret)
{
	Elf_Scn *scn = elf_getscn(elf, index);

	return scn && gelf_getshdr(scn, ret) ? elf_getdata(scn, NULL) : NULL;
}

static bool open_relocations(struct elf_file *f, struct relocations *ret)
{
	Elf *elf = elf_file_handle(f);
	struct elf_section s;
	GElf_Shdr h, symbols;
	size_t index = elf_file_section_find(f, ".rela.plt", &s);

	if (!index)
		index = elf_file_section_find(f, ".rel.plt", &s);

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

/* The name that relocation @i is about, "" for a stub that chooses among functions (IRELATIVE). */
static const char *called_name(Elf *elf, const struct relocations *r, size_t i)
{
	GElf_Rela with;
	GElf_Rel without;
	GElf_Sym s;
	uint64_t info;

	if (r->with_addend) {
		if (!gelf_getrela(r->entries, (int)i, &with))
			return NULL;
		info = with.r_info;
	} else {
		if (!gelf_getrel(r->entries, (int)i, &without))
			return NULL;
		info = without.r_info;
	}
	if (!gelf_getsym(r->symbols, (int)GELF_R_SYM(info), &s))
		return NULL;
	return elf_strptr(elf, r->strings, s.st_name);
}

/* A table of stubs, and how they lie in it. */
struct stubs {
	uint64_t addr, end, entry;
	enum elf_symbol_kind kind;
};

static void name_stubs(struct elf_file *f, const struct relocations *r, struct stubs s,
		       elf_symbol_fn *fn, void *arg)
{
	struct text name = TEXT_EMPTY;

	/* Relocations of thread-local variables come last and have no stub. */
	for (size_t i = 0; i < r->n && s.addr < s.end; i++, s.addr += s.entry) {
		const char *called = called_name(elf_file_handle(f), r, i);

		if (!called)
			continue;
		text_clear(&name);
		text_add(&name, called);
		text_add(&name, "@plt");
		fn(&(struct elf_symbol){ .addr = s.addr,
					 .size = s.entry,
					 .name = name.chars,
					 .binding = 'g',
					 .kind = s.kind },
		   arg);
	}
	text_done(&name);
}

/*
 * With branch protection a stub of aarch64 has 24 bytes instead of 16: what remains after the
 * header tells. x86 then has a second table, .plt.sec, without a header, which the code calls.
 */
int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg)
{
	const struct shape *shape = shape_of(elf_file_machine(f));
	struct elf_section plt, section;
	struct relocations r;

	if (!shape || !elf_file_section_find(f, ".plt", &plt) || !open_relocations(f, &r) || !r.n)
		return -ENODATA;

	bool has_second = elf_file_section_find(f, ".plt.sec", &section);
	struct stubs first = { plt.addr + shape->header, plt.addr + plt.size, shape->entry,
			       has_second ? ELF_SYMBOL_BINDER : ELF_SYMBOL_FUNCTION };

	if (shape->machine == EM_AARCH64 && plt.size > shape->header &&
	    (plt.size - shape->header) / r.n == 24)
		first.entry = 24;
	name_stubs(f, &r, first, fn, arg);
	if (has_second) {
		struct stubs second = { section.addr, section.addr + section.size, shape->entry,
					ELF_SYMBOL_FUNCTION };

		name_stubs(f, &r, second, fn, arg);
	}
	return 0;
}
#else
int plt_read(struct elf_file *f, elf_symbol_fn *fn, void *arg)
{
	(void)f, (void)fn, (void)arg;
	return -ENOTSUP;
}
#endif
