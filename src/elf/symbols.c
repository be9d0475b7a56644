/* SPDX-License-Identifier: MIT */
#include "elf/symbols.h"

#include <errno.h>

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "elf/file.h"
#include "elf/go-functions.h"
#include "elf/plt.h"

/* A symbol table with the strings and long section numbers that go with it. */
struct elf_symbols_table {
	Elf *elf;
	Elf_Data *symbols, *sections;
	size_t n, strings;
};

static Elf_Data *section_numbers(Elf *elf, size_t table)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB_SHNDX && h.sh_link == table)
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

static bool open_table(Elf *elf, uint32_t type, struct elf_symbols_table *ret)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || h.sh_type != type || !h.sh_entsize)
			continue;

		Elf_Data *data = elf_getdata(scn, NULL);

		if (!data || !data->d_buf)
			continue;
		*ret = (struct elf_symbols_table){
			.elf = elf,
			.symbols = data,
			.sections = section_numbers(elf, elf_ndxscn(scn)),
			.n = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT),
			.strings = h.sh_link,
		};
		return true;
	}
	return false;
}

/*
 * True for mapping symbols ($x, $d, $t, $a, also with a suffix, "$x.1"), which mark the beginnings
 * of code and data.
 */
static bool symbols_is_mapping_mark(const char *name)
{
	return name[0] == '$' && name[1] && strchr("xdta", name[1]) &&
	       (name[2] == '\0' || name[2] == '.');
}

static bool has_mapping_marks(uint16_t machine)
{
	const struct arch *a = arch_of_elf(machine);

	return a && a->has_mapping_symbols;
}

static char binding_letter(const GElf_Sym *s)
{
	switch (GELF_ST_BIND(s->st_info)) {
	case STB_GLOBAL:
		return 'g';
	case STB_WEAK:
		return 'w';
	case STB_GNU_UNIQUE:
		return 'u';
	default:
		return 'l';
	}
}

static enum elf_symbol_kind symbols_kind_of(const GElf_Sym *s)
{
	switch (GELF_ST_TYPE(s->st_info)) {
	case STT_FUNC:
		return ELF_SYMBOL_FUNCTION;
	case STT_GNU_IFUNC:
		return ELF_SYMBOL_IFUNC;
	case STT_OBJECT:
	case STT_TLS:
		return ELF_SYMBOL_OBJECT;
	default:
		return ELF_SYMBOL_LABEL;
	}
}

/* The kinds of symbols of a section that are used. */
enum {
	SECTION_LOADED = 1 << 0, /* functions and objects */
	SECTION_LABELS = 1 << 1, /* also labels without a type; elsewhere they are linker marks */
};

/* Returns these flags for each section; the caller frees the array. */
static uint8_t *examine_sections(struct elf_file *f, size_t *ret_n)
{
	struct elf_section s;
	size_t n;

	/* libelf has checked that this number of headers fits into the file. */
	if (elf_getshdrnum(elf_file_handle(f), &n) < 0)
		n = 0;

	uint8_t *use = xcalloc(n, sizeof(*use));

	for (size_t i = 1; i < n; i++) {
		if (!elf_file_section(f, i, &s) || !(s.flags & SHF_ALLOC))
			continue;
		use[i] = SECTION_LOADED;
		if (strstr(s.name, "text") || strstr(s.name, "data"))
			use[i] |= SECTION_LABELS;
	}
	*ret_n = n;
	return use;
}

/* True if a symbol is used. Hidden labels are marks that tools (annobin) put between functions. */
static bool symbols_is_used(const GElf_Sym *s, uint8_t section_use)
{
	unsigned visibility = GELF_ST_VISIBILITY(s->st_other);

	switch (GELF_ST_TYPE(s->st_info)) {
	case STT_NOTYPE:
		return s->st_name && section_use & SECTION_LABELS && visibility != STV_HIDDEN &&
		       visibility != STV_INTERNAL;
	case STT_OBJECT:
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return s->st_name && section_use & SECTION_LOADED;
	default:
		return false;
	}
}

static bool is_thread_local(const GElf_Sym *s, uint8_t section_use)
{
	return GELF_ST_TYPE(s->st_info) == STT_TLS && s->st_name && section_use & SECTION_LOADED;
}

static int symbols_read_table(struct elf_file *f, uint32_t type,
			      bool (*is_wanted)(const GElf_Sym *s, uint8_t section_use),
			      elf_symbol_fn *fn, void *arg)
{
	bool may_have_marks = has_mapping_marks(elf_file_machine(f));
	struct elf_symbols_table t;

	if (!open_table(elf_file_handle(f), type, &t))
		return -ENODATA;

	size_t n_sections;
	_cleanup_(freep) uint8_t *use = examine_sections(f, &n_sections);

	for (size_t i = 0; i < t.n; i++) {
		Elf32_Word section;
		GElf_Sym s;

		if (!gelf_getsymshndx(t.symbols, t.sections, (int)i, &s, &section))
			break;
		if (s.st_shndx != SHN_XINDEX)
			section = s.st_shndx;
		/* SHN_UNDEF, SHN_ABS and similar values are not sections. */
		if (section >= n_sections || !is_wanted(&s, use[section]))
			continue;

		const char *name = elf_strptr(t.elf, t.strings, s.st_name);

		if (!name || !*name || (may_have_marks && symbols_is_mapping_mark(name)))
			continue;
		fn(&(struct elf_symbol){ .addr = s.st_value,
					 .size = s.st_size,
					 .name = name,
					 .section = section,
					 .binding = binding_letter(&s),
					 .kind = symbols_kind_of(&s) },
		   arg);
	}
	return 0;
}

int elf_symbols_read(struct elf_file *f, enum elf_symbol_source source, elf_symbol_fn *fn,
		     void *arg)
{
	switch (source) {
	case ELF_SYMTAB:
		return symbols_read_table(f, SHT_SYMTAB, symbols_is_used, fn, arg);
	case ELF_THREAD:
		return symbols_read_table(f, SHT_SYMTAB, is_thread_local, fn, arg);
	case ELF_DYNSYM:
		return symbols_read_table(f, SHT_DYNSYM, symbols_is_used, fn, arg);
	case ELF_PLT:
		return plt_read(f, fn, arg);
	case ELF_GO:
		return elf_go_functions_read(f, fn, arg);
	}
	return -EINVAL;
}

bool elf_has_symtab(struct elf_file *f)
{
	struct elf_symbols_table t;

	return open_table(elf_file_handle(f), SHT_SYMTAB, &t);
}
