/* SPDX-License-Identifier: MIT */
/*
 * An entry of `maps` is a struct that begins with the numbers type, key_size, value_size,
 * max_entries and map_flags. In BTF each number is a member `int (*NAME)[NUMBER]` of the type of a
 * variable in the section `.maps`:
 *
 *	ARRAY of NUMBER ints <- PTR <- member of STRUCT <- VAR <- DATASEC ".maps"
 *
 * All members lie at offset 0; neither libbpf nor the kernel minds, and the variable keeps its
 * size. Changed parts are added after the end of the file: the names of sections, BTF, and the
 * table of sections with one more entry if there was no BTF.
 */
#include "bpf/old-maps.h"

#include <elf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "wire/btf.h"

/* A kernel accepts no more maps for a program, and a name is that of a C variable. */
#define MAPS_MAX        64
#define NAME_MAX_LENGTH 256

/* The numbers that libbpf knows: those after them must be 0. */
static const char *const numbers[] = { "type", "key_size", "value_size", "max_entries",
				       "map_flags" };

struct old_map {
	const char *name;
	uint32_t number[ARRAY_SIZE(numbers)];
	uint32_t at, size; /* offset and size in the section */
};

struct converting {
	const uint8_t *file;
	size_t size;
	Elf64_Ehdr header;
	Elf64_Shdr *sections;
	size_t n_sections, maps_section, btf_section; /* 0: there is none */
	struct old_map maps[MAPS_MAX];
	size_t n_maps;
	struct bytes *out;
	struct diag *diag;
};

static int old_maps_refuse(const struct converting *c, const char *what)
{
	diag_set(c->diag, -EINVAL, "the maps of this BPF object cannot be read: %s", what);
	diag_hint(c->diag, "Maps in a section \"maps\" are structs of five numbers at most; in "
			   "\".maps\" they are described by types: man bpf-helpers, libbpf.");
	return -EINVAL;
}

static const uint8_t *old_maps_part(const struct converting *c, uint64_t at, uint64_t n)
{
	return at <= c->size && n <= c->size - at ? c->file + at : NULL;
}

/*
 * Returns the text at @at of the strings in section @i; NULL: it does not end within the section.
 */
static const char *old_maps_string(const struct converting *c, size_t i, uint64_t at)
{
	const Elf64_Shdr *s = i < c->n_sections ? &c->sections[i] : NULL;
	const uint8_t *p = s && at < s->sh_size ? old_maps_part(c, s->sh_offset, s->sh_size) : NULL;

	return p && memchr(p + at, 0, s->sh_size - at) ? (const char *)p + at : NULL;
}

static bool old_maps_is_called(const struct converting *c, size_t section, const char *name)
{
	const char *there = old_maps_string(c, c->header.e_shstrndx, c->sections[section].sh_name);

	return there && !strcmp(there, name);
}

/*
 * Reads the sections. False: it is not a 64-bit ELF file of this byte order, which libbpf reports.
 */
static bool old_maps_read_sections(struct converting *c)
{
	const uint8_t *p = old_maps_part(c, 0, sizeof(c->header));
	const unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
									      : ELFDATA2MSB;

	if (!p)
		return false;
	memcpy(&c->header, p, sizeof(c->header));
	if (memcmp(c->header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    c->header.e_ident[EI_CLASS] != ELFCLASS64 || c->header.e_ident[EI_DATA] != order ||
	    c->header.e_shentsize != sizeof(Elf64_Shdr) || !c->header.e_shnum)
		return false;
	p = old_maps_part(c, c->header.e_shoff, (uint64_t)c->header.e_shnum * sizeof(Elf64_Shdr));
	if (!p)
		return false;
	c->n_sections = c->header.e_shnum;
	c->sections = xcalloc(c->n_sections, sizeof(c->sections[0]));
	memcpy(c->sections, p, c->n_sections * sizeof(c->sections[0]));
	for (size_t i = 1; i < c->n_sections; i++) {
		if (old_maps_is_called(c, i, "maps"))
			c->maps_section = i;
		if (old_maps_is_called(c, i, ".BTF"))
			c->btf_section = i;
	}
	return true;
}

static int old_maps_add_map(struct converting *c, const Elf64_Sym *symbol, const char *name)
{
	const Elf64_Shdr *s = &c->sections[c->maps_section];
	const uint8_t *p = old_maps_part(c, s->sh_offset, s->sh_size);
	struct old_map *m = &c->maps[c->n_maps];
	uint32_t word;

	if (c->n_maps == MAPS_MAX)
		return old_maps_refuse(c, "there are too many");
	if (!p || !name || !*name || strlen(name) > NAME_MAX_LENGTH ||
	    symbol->st_value > s->sh_size || symbol->st_size > s->sh_size - symbol->st_value ||
	    symbol->st_size > 1024)
		return old_maps_refuse(c, "a map lies outside of its section");
	if (symbol->st_size < 4 * sizeof(word))
		return old_maps_refuse(
			c, "a map is smaller than type, key_size, value_size, max_entries");
	*m = (struct old_map){ .name = name,
			       .at = (uint32_t)symbol->st_value,
			       .size = (uint32_t)symbol->st_size };
	for (size_t i = 0; (i + 1) * sizeof(word) <= symbol->st_size; i++) {
		memcpy(&word, p + symbol->st_value + i * sizeof(word), sizeof(word));
		if (i < ARRAY_SIZE(numbers))
			m->number[i] = word;
		else if (word)
			return old_maps_refuse(c, "a map has a sixth number that is not 0");
	}
	c->n_maps++;
	return 0;
}

static int read_symbols(struct converting *c, const Elf64_Shdr *table)
{
	const uint8_t *p = old_maps_part(c, table->sh_offset, table->sh_size);
	int r = p ? 0 : old_maps_refuse(c, "the symbols lie outside of the file");

	for (size_t i = 0; r >= 0 && i < table->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, p + i * sizeof(symbol), sizeof(symbol));
		if (symbol.st_shndx == c->maps_section &&
		    ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT)
			r = old_maps_add_map(c, &symbol,
					     old_maps_string(c, table->sh_link, symbol.st_name));
	}
	return r;
}

static int old_maps_read(struct converting *c)
{
	int r = 0;

	for (size_t i = 1; i < c->n_sections && r >= 0; i++)
		if (c->sections[i].sh_type == SHT_SYMTAB)
			r = read_symbols(c, &c->sections[i]);
	if (r >= 0 && !c->n_maps)
		return old_maps_refuse(c, "no variable lies in the section \"maps\"");
	return r;
}

/* The BTF that is being made. */
struct old_maps_making {
	struct bytes types, strings;
	struct {
		size_t *items;
		size_t n, room;
	} at; /* offsets in @types, by the type's number - 1 */
};

static void making_done(struct old_maps_making *m)
{
	free(m->at.items);
	bytes_done(&m->types);
	bytes_done(&m->strings);
}

static uint32_t old_maps_add_string(struct old_maps_making *m, const char *s)
{
	uint32_t at = (uint32_t)m->strings.n;

	bytes_add(&m->strings, s, strlen(s) + 1);
	return at;
}

static uint32_t old_maps_add_type(struct old_maps_making *m, uint32_t name, uint32_t kind,
				  uint32_t members, uint32_t size_or_type)
{
	const struct btf_type t = { .name_off = name,
				    .info = kind << 24 | members,
				    .size = size_or_type };

	*ARRAY_ADD(&m->at) = m->types.n;
	bytes_add(&m->types, &t, sizeof(t));
	return (uint32_t)m->at.n;
}

static int old_maps_read_btf(struct converting *c, struct old_maps_making *m)
{
	const Elf64_Shdr *s = &c->sections[c->btf_section];
	const uint8_t *p = old_maps_part(c, s->sh_offset, s->sh_size);
	struct btf_header h;
	uint64_t types, strings;

	if (!p || s->sh_size < sizeof(h))
		return old_maps_refuse(c, "its BTF lies outside of the file");
	memcpy(&h, p, sizeof(h));
	types = (uint64_t)h.hdr_len + h.type_off;
	strings = (uint64_t)h.hdr_len + h.str_off;
	if (h.magic != BTF_MAGIC || types + h.type_len > s->sh_size ||
	    strings + h.str_len > s->sh_size || !h.str_len || p[strings + h.str_len - 1])
		return old_maps_refuse(c, "its BTF is damaged");
	bytes_add(&m->types, p + types, h.type_len);
	bytes_add(&m->strings, p + strings, h.str_len);
	return 0;
}

static struct btf_type get_type(const struct old_maps_making *m, uint32_t number)
{
	struct btf_type t = { 0 };

	if (number && number <= m->at.n)
		memcpy(&t, m->types.data + m->at.items[number - 1], sizeof(t));
	return t;
}

static void old_maps_set_type(struct old_maps_making *m, uint32_t number, const struct btf_type *t)
{
	memcpy(m->types.data + m->at.items[number - 1], t, sizeof(*t));
}

/*
 * Notes the offset of each type, and finds the number of the section "maps" among the types; 0:
 * there is none.
 */
static int index_types(struct converting *c, struct old_maps_making *m, uint32_t *ret)
{
	size_t at = 0;

	*ret = 0;
	while (at < m->types.n) {
		struct btf_type t;
		size_t tail;

		if (m->types.n - at < sizeof(t))
			return old_maps_refuse(c, "its BTF ends within a type");
		memcpy(&t, m->types.data + at, sizeof(t));
		tail = btf_kind_bytes(BTF_INFO_KIND(t.info), BTF_INFO_VLEN(t.info));
		if (tail > m->types.n - at - sizeof(t))
			return old_maps_refuse(c,
					       "its BTF has an unknown type, or ends within one");
		*ARRAY_ADD(&m->at) = at;
		if (BTF_INFO_KIND(t.info) == BTF_KIND_DATASEC && t.name_off < m->strings.n &&
		    !strcmp((const char *)m->strings.data + t.name_off, "maps"))
			*ret = (uint32_t)m->at.n;
		at += sizeof(t) + tail;
	}
	return 0;
}

static const struct old_map *old_maps_find_map(const struct converting *c,
					       const struct old_maps_making *m,
					       const struct btf_type *var)
{
	if (BTF_INFO_KIND(var->info) != BTF_KIND_VAR || var->name_off >= m->strings.n)
		return NULL;
	for (size_t i = 0; i < c->n_maps; i++)
		if (!strcmp(c->maps[i].name, (const char *)m->strings.data + var->name_off))
			return &c->maps[i];
	return NULL;
}

/* Adds struct { int (*type)[TYPE]; ... }; and returns its number. */
static uint32_t add_struct(struct old_maps_making *m, const struct old_map *map)
{
	uint32_t pointers[ARRAY_SIZE(numbers)], type, n = 0;
	uint32_t integer = old_maps_add_type(m, old_maps_add_string(m, "int"), BTF_KIND_INT, 0, 4);

	bytes_u32(&m->types, BTF_INT_SIGNED << 24 | 32);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		uint32_t array = old_maps_add_type(m, 0, BTF_KIND_ARRAY, 0, 0);
		const struct btf_array a = { integer, integer, map->number[i] };

		bytes_add(&m->types, &a, sizeof(a));
		pointers[i] = old_maps_add_type(m, 0, BTF_KIND_PTR, 0, array);
		n += map->number[i] != 0;
	}
	type = old_maps_add_type(m, 0, BTF_KIND_STRUCT, n, map->size);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (map->number[i]) {
			bytes_u32(&m->types, old_maps_add_string(m, numbers[i]));
			bytes_u32(&m->types, pointers[i]);
			bytes_u32(&m->types, 0);
		}
	return type;
}

/* Gives the variables of @section, which is still called "maps", their new types. */
static int change_section(struct converting *c, struct old_maps_making *m, uint32_t section)
{
	struct btf_type s = get_type(m, section), var;
	size_t n = BTF_INFO_VLEN(s.info), first = m->at.items[section - 1] + sizeof(s);

	if (n != c->n_maps)
		return old_maps_refuse(c, "its BTF has other maps than its symbols");
	for (size_t i = 0; i < n; i++) {
		struct btf_var_secinfo info;
		const struct old_map *map;

		memcpy(&info, m->types.data + first + i * sizeof(info), sizeof(info));
		var = get_type(m, info.type);
		map = old_maps_find_map(c, m, &var);
		if (!map)
			return old_maps_refuse(c, "its BTF has other maps than its symbols");
		var.type = add_struct(m, map);
		old_maps_set_type(m, info.type, &var);
		info.offset = map->at;
		info.size = map->size;
		memcpy(m->types.data + first + i * sizeof(info), &info, sizeof(info));
	}
	s.name_off = old_maps_add_string(m, ".maps");
	old_maps_set_type(m, section, &s);
	return 0;
}

/* Adds the section for an object that was compiled without -g. */
static void old_maps_add_section(struct converting *c, struct old_maps_making *m)
{
	uint32_t vars[MAPS_MAX];

	for (size_t i = 0; i < c->n_maps; i++) {
		uint32_t type = add_struct(m, &c->maps[i]);

		vars[i] = old_maps_add_type(m, old_maps_add_string(m, c->maps[i].name),
					    BTF_KIND_VAR, 0, type);
		bytes_u32(&m->types, BTF_VAR_GLOBAL_ALLOCATED);
	}
	old_maps_add_type(m, old_maps_add_string(m, ".maps"), BTF_KIND_DATASEC, (uint32_t)c->n_maps,
			  (uint32_t)c->sections[c->maps_section].sh_size);
	for (size_t i = 0; i < c->n_maps; i++) {
		const struct btf_var_secinfo info = { vars[i], c->maps[i].at, c->maps[i].size };

		bytes_add(&m->types, &info, sizeof(info));
	}
}

static int make_btf(struct converting *c, struct old_maps_making *m)
{
	uint32_t section = 0;
	int r = 0;

	if (c->btf_section)
		r = old_maps_read_btf(c, m);
	else
		bytes_u8(&m->strings, 0);
	if (r >= 0)
		r = index_types(c, m, &section);
	if (r < 0)
		return r;
	if (section)
		return change_section(c, m, section);
	old_maps_add_section(c, m);
	return 0;
}

/* Appends @new to the file, as the bytes of section @s. */
static void old_maps_append(struct converting *c, Elf64_Shdr *s, const struct bytes *new)
{
	bytes_pad(c->out, 0, 8);
	s->sh_offset = c->out->n;
	s->sh_size = new->n;
	bytes_add(c->out, new->data, new->n);
}

static void append_btf(struct converting *c, Elf64_Shdr *s, const struct old_maps_making *m)
{
	_cleanup_(bytes_done) struct bytes all = { 0 };
	const struct btf_header h = { .magic = BTF_MAGIC,
				      .version = BTF_VERSION,
				      .hdr_len = sizeof(h),
				      .type_len = (uint32_t)m->types.n,
				      .str_off = (uint32_t)m->types.n,
				      .str_len = (uint32_t)m->strings.n };

	bytes_add(&all, &h, sizeof(h));
	bytes_add(&all, m->types.data, m->types.n);
	bytes_add(&all, m->strings.data, m->strings.n);
	old_maps_append(c, s, &all);
}

static int write_object(struct converting *c, const struct old_maps_making *m)
{
	const Elf64_Shdr *old_names = &c->sections[c->header.e_shstrndx];
	const uint8_t *p = old_maps_part(c, old_names->sh_offset, old_names->sh_size);
	_cleanup_(bytes_done) struct bytes names = { 0 };
	_cleanup_(freep) Elf64_Shdr *table = xcalloc(c->n_sections + 1, sizeof(*table));
	size_t n = c->n_sections;

	if (!p || n + 1 >= SHN_LORESERVE)
		return old_maps_refuse(c, "its sections have no names");
	memcpy(table, c->sections, n * sizeof(*table));
	bytes_add(&names, p, old_names->sh_size);
	table[c->maps_section].sh_name = (Elf64_Word)names.n;
	bytes_add(&names, ".maps", sizeof(".maps"));
	bytes_add(c->out, c->file, c->size);
	if (!c->btf_section) {
		table[n].sh_name = (Elf64_Word)names.n;
		table[n].sh_type = SHT_PROGBITS;
		table[n].sh_addralign = 4;
		bytes_add(&names, ".BTF", sizeof(".BTF"));
	}
	append_btf(c, &table[c->btf_section ? c->btf_section : n], m);
	old_maps_append(c, &table[c->header.e_shstrndx], &names);
	n += !c->btf_section;
	bytes_pad(c->out, 0, 8);
	c->header.e_shoff = c->out->n;
	c->header.e_shnum = (Elf64_Half)n;
	bytes_add(c->out, table, n * sizeof(*table));
	memcpy(c->out->data, &c->header, sizeof(c->header));
	return 1;
}

int bpf_old_maps_convert(const void *object, size_t size, struct bytes *ret, struct diag *diag)
{
	_cleanup_(bytes_done) struct bytes out = { 0 };
	_cleanup_(making_done) struct old_maps_making m = { 0 };
	struct converting c = { .file = object, .size = size, .out = &out, .diag = diag };
	int r = 0;

	if (old_maps_read_sections(&c) && c.maps_section && c.header.e_shstrndx < c.n_sections) {
		r = old_maps_read(&c);
		if (r >= 0)
			r = make_btf(&c, &m);
		if (r >= 0)
			r = write_object(&c, &m);
	}
	free(c.sections);
	if (r == 1) {
		*ret = out;
		out = (struct bytes){ 0 };
	}
	return r;
}
