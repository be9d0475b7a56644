/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small ELF file, made in memory section by section: built_begin(), built_add() and
 * built_add_symbols(), built_end(). One segment loads the whole file at BUILT_BASE, so that a link
 * address is BUILT_BASE plus the offset in the file.
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUILT_BASE 0x400000

struct built_elf {
	uint8_t bytes[16 << 10];
	size_t size;
	Elf64_Shdr sections[24];
	char names[512];
	size_t n, names_size;
};

struct built_symbol {
	const char *name;
	uint64_t value, size;
	uint8_t binding, type;
	uint16_t section;
	uint8_t visibility;
};

static inline void built_begin(struct built_elf *b)
{
	memset(b, 0, sizeof(*b));
	b->size = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
	b->n = 1;
	b->names_size = 1;
}

static inline size_t built_add(struct built_elf *b, const char *name, uint32_t type, uint64_t flags,
			       const void *bytes, size_t size)
{
	Elf64_Shdr *h = &b->sections[b->n];

	b->size = (b->size + 15) & ~(size_t)15;
	*h = (Elf64_Shdr){ .sh_name = (uint32_t)b->names_size,
			   .sh_type = type,
			   .sh_flags = flags,
			   .sh_offset = b->size,
			   .sh_addr = flags & SHF_ALLOC ? BUILT_BASE + b->size : 0,
			   .sh_size = size,
			   .sh_addralign = 1 };
	memcpy(b->names + b->names_size, name, strlen(name) + 1);
	b->names_size += strlen(name) + 1;
	if (type != SHT_NOBITS && size)
		memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
	return b->n++;
}

/* Adds a symbol table of @type with its strings. */
static inline size_t built_add_symbols(struct built_elf *b, uint32_t type,
				       const struct built_symbol *s, size_t n)
{
	Elf64_Sym symbols[64] = { { 0 } };
	char strings[2048] = "";
	size_t used = 1;

	for (size_t i = 0; i < n; i++) {
		symbols[i + 1] = (Elf64_Sym){ .st_name = (uint32_t)used,
					      .st_info = ELF64_ST_INFO(s[i].binding, s[i].type),
					      .st_other = s[i].visibility,
					      .st_shndx = s[i].section,
					      .st_value = s[i].value,
					      .st_size = s[i].size };
		memcpy(strings + used, s[i].name, strlen(s[i].name) + 1);
		used += strlen(s[i].name) + 1;
	}

	size_t link = built_add(b, type == SHT_DYNSYM ? ".dynstr" : ".strtab", SHT_STRTAB, 0,
				strings, used);
	size_t table = built_add(b, type == SHT_DYNSYM ? ".dynsym" : ".symtab", type, 0, symbols,
				 (n + 1) * sizeof(symbols[0]));

	b->sections[table].sh_link = (uint32_t)link;
	b->sections[table].sh_entsize = sizeof(Elf64_Sym);
	return table;
}

/* Adds a note section called @name with one note. */
static inline size_t built_add_note(struct built_elf *b, const char *name, const char *owner,
				    uint32_t type, const void *desc, uint32_t size)
{
	uint8_t note[512] = { 0 };
	uint32_t owner_size = (uint32_t)strlen(owner) + 1, padded = (owner_size + 3) & ~3u;
	Elf64_Nhdr h = { .n_namesz = owner_size, .n_descsz = size, .n_type = type };

	memcpy(note, &h, sizeof(h));
	memcpy(note + sizeof(h), owner, owner_size);
	memcpy(note + sizeof(h) + padded, desc, size);
	return built_add(b, name, SHT_NOTE, SHF_ALLOC, note,
			 sizeof(h) + padded + ((size + 3) & ~3u));
}

/*
 * Adds .note.stapsdt with @n markers, each at the next instruction of the first section. A text is
 * provider, name and arguments, each with its NUL.
 */
static inline void built_add_markers(struct built_elf *b, const char *const *texts,
				     const size_t *sizes, size_t n)
{
	uint8_t notes[512] = { 0 };
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		Elf64_Nhdr h = { 8, (uint32_t)(24 + sizes[i]), 3 };
		uint64_t words[3] = { b->sections[1].sh_addr + 4 * i };

		memcpy(notes + used, &h, sizeof(h));
		memcpy(notes + used + 12, "stapsdt", 8);
		memcpy(notes + used + 20, words, 24);
		memcpy(notes + used + 44, texts[i], sizes[i]);
		used += 44 + ((sizes[i] + 3) & ~(size_t)3);
	}
	built_add(b, ".note.stapsdt", SHT_NOTE, 0, notes, used);
}

static inline void built_end(struct built_elf *b, uint16_t machine, uint16_t type)
{
	size_t names = built_add(b, ".shstrtab", SHT_STRTAB, 0, b->names, sizeof(b->names));
	uint64_t table = (b->size + 15) & ~(size_t)15;
	Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				      EV_CURRENT },
			 .e_type = type,
			 .e_machine = machine,
			 .e_version = EV_CURRENT,
			 .e_phoff = sizeof(e),
			 .e_shoff = table,
			 .e_ehsize = sizeof(e),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = type == ET_REL ? 0 : 1,
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = (uint16_t)b->n,
			 .e_shstrndx = (uint16_t)names };
	Elf64_Phdr p = { .p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_vaddr = BUILT_BASE,
			 .p_filesz = table,
			 .p_memsz = table,
			 .p_align = 0x1000 };

	memcpy(b->bytes, &e, sizeof(e));
	memcpy(b->bytes + sizeof(e), &p, sizeof(p));
	memcpy(b->bytes + table, b->sections, b->n * sizeof(b->sections[0]));
	b->size = table + b->n * sizeof(b->sections[0]);
}

/* Writes the file to @path. Returns whether that worked. */
static inline int built_store(const struct built_elf *b, const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return 0;

	size_t n = fwrite(b->bytes, 1, b->size, f);

	return fclose(f) == 0 && n == b->size;
}
