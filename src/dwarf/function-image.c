/* SPDX-License-Identifier: MIT */
#include "dwarf/function-image.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "dwarf/function-debug.h"

#define BUILD_ID_NAME "GNU"

_Static_assert(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) <= FUNCTION_IMAGE_TEXT,
	       "the headers fit before the code");

/* In the order of their headers; empty sections have none. */
enum section {
	SECTION_NULL,
	SECTION_TEXT,
	SECTION_EH_FRAME,
	SECTION_EH_FRAME_HDR,
	SECTION_SYMTAB,
	SECTION_STRTAB,
	SECTION_BUILD_ID,
	SECTION_DEBUG_LINE,
	SECTION_DEBUG_INFO,
	SECTION_DEBUG_ABBREV,
	SECTION_SHSTRTAB,
	SECTION_COUNT,
};

static const struct {
	const char *name;
	uint32_t type;
	uint64_t flags;
	uint64_t align;
	uint64_t entry_size;
} kinds[SECTION_COUNT] = {
	[SECTION_NULL] = { "", SHT_NULL, 0, 0, 0 },
	[SECTION_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 0 },
	[SECTION_EH_FRAME] = { ".eh_frame", SHT_PROGBITS, SHF_ALLOC, 8, 0 },
	[SECTION_EH_FRAME_HDR] = { ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4, 0 },
	[SECTION_SYMTAB] = { ".symtab", SHT_SYMTAB, 0, 8, sizeof(Elf64_Sym) },
	[SECTION_STRTAB] = { ".strtab", SHT_STRTAB, 0, 1, 0 },
	[SECTION_BUILD_ID] = { ".note.gnu.build-id", SHT_NOTE, 0, 4, 0 },
	[SECTION_DEBUG_LINE] = { ".debug_line", SHT_PROGBITS, 0, 1, 0 },
	[SECTION_DEBUG_INFO] = { ".debug_info", SHT_PROGBITS, 0, 1, 0 },
	[SECTION_DEBUG_ABBREV] = { ".debug_abbrev", SHT_PROGBITS, 0, 1, 0 },
	[SECTION_SHSTRTAB] = { ".shstrtab", SHT_STRTAB, 0, 1, 0 },
};

struct layout {
	size_t start; /* offset of the file in the output */
	Elf64_Shdr headers[SECTION_COUNT];
	unsigned numbers[SECTION_COUNT]; /* section numbers; 0: left out */
	unsigned n;
	struct bytes names; /* .shstrtab */
};

static void begin_section(struct layout *l, enum section s, struct bytes *out)
{
	bytes_pad(out, l->start, kinds[s].align);
	l->headers[s].sh_offset = out->n - l->start;
}

static void end_section(struct layout *l, enum section s, const struct bytes *out)
{
	Elf64_Shdr *h = &l->headers[s];

	h->sh_size = out->n - l->start - h->sh_offset;
	h->sh_type = kinds[s].type;
	h->sh_flags = kinds[s].flags;
	h->sh_addralign = kinds[s].align;
	h->sh_entsize = kinds[s].entry_size;
	h->sh_addr = h->sh_flags & SHF_ALLOC ? h->sh_offset : 0;
	h->sh_name = (uint32_t)l->names.n;
	bytes_string(&l->names, kinds[s].name, 1);
	l->numbers[s] = ++l->n;
}

static void put_section(struct layout *l, enum section s, const void *data, size_t size,
			struct bytes *out)
{
	begin_section(l, s, out);
	bytes_add(out, data, size);
	end_section(l, s, out);
}

static void put_symbols(struct layout *l, const struct function_image *f, struct bytes *out)
{
	uint32_t name = 1;

	begin_section(l, SECTION_SYMTAB, out);
	bytes_zero(out, sizeof(Elf64_Sym));
	for (size_t i = 0; i < f->n_functions; i++) {
		const Elf64_Sym symbol = {
			.st_name = name,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = (uint16_t)l->numbers[SECTION_TEXT],
			.st_value = FUNCTION_IMAGE_TEXT + f->functions[i].offset,
			.st_size = f->functions[i].size,
		};

		bytes_add(out, &symbol, sizeof(symbol));
		name += (uint32_t)f->functions[i].name_length + 1;
	}
	end_section(l, SECTION_SYMTAB, out);
	l->headers[SECTION_SYMTAB].sh_info = 1; /* the first symbol that is not local */
	l->headers[SECTION_SYMTAB].sh_link = l->n + 1;

	begin_section(l, SECTION_STRTAB, out);
	bytes_u8(out, 0);
	for (size_t i = 0; i < f->n_functions; i++) {
		bytes_add(out, f->functions[i].name, f->functions[i].name_length);
		bytes_u8(out, 0);
	}
	end_section(l, SECTION_STRTAB, out);
}

static void put_code(struct layout *l, const struct function_image *f, struct bytes *out)
{
	begin_section(l, SECTION_TEXT, out);
	if (f->code)
		bytes_add(out, f->code, f->code_size);
	else
		bytes_zero(out, f->code_size);
	end_section(l, SECTION_TEXT, out);
}

/* Adds @size bytes to the FNV-1a hash @h. */
static void hash_into(uint64_t *h, const void *data, size_t size)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < size; i++)
		*h = (*h ^ p[i]) * UINT64_C(0x100000001b3);
}

/* Makes a build-id, which only has to be unique, not secret. */
static struct build_id make_build_id(const struct function_image *f)
{
	struct build_id id = { .size = BUILD_ID_SIZE_MAX };
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < f->n_functions; i++)
		hash_into(&h, f->functions[i].name, f->functions[i].name_length);
	hash_into(&h, &f->code_size, sizeof(f->code_size));
	if (f->code)
		hash_into(&h, f->code, f->code_size);
	for (size_t i = 0; i < f->n_lines; i++)
		hash_into(&h, &f->lines[i].line, sizeof(f->lines[i].line));
	for (size_t i = 0; i < BUILD_ID_SIZE_MAX; i++) {
		hash_into(&h, &i, sizeof(i));
		id.bytes[i] = (uint8_t)(h >> 32);
	}
	return id;
}

static void function_image_put_build_id(struct layout *l, const struct build_id *id,
					struct bytes *out)
{
	const Elf64_Nhdr note = { .n_namesz = sizeof(BUILD_ID_NAME),
				  .n_descsz = id->size,
				  .n_type = NT_GNU_BUILD_ID };

	begin_section(l, SECTION_BUILD_ID, out);
	bytes_add(out, &note, sizeof(note));
	bytes_add(out, BUILD_ID_NAME, sizeof(BUILD_ID_NAME));
	bytes_add(out, id->bytes, id->size);
	end_section(l, SECTION_BUILD_ID, out);
}

/*
 * Appends the unwind tables. They refer to each other and to the code by relative addresses, so
 * they keep the compiler's layout. An .eh_frame_hdr alone, which V8 writes for code without frames,
 * is left out.
 */
static void put_unwind(struct layout *l, const struct function_image *f, struct bytes *out)
{
	if (!f->eh_frame_size)
		return;
	put_section(l, SECTION_EH_FRAME, f->eh_frame, f->eh_frame_size, out);
	l->headers[SECTION_EH_FRAME_HDR].sh_offset = out->n - l->start;
	bytes_add(out, f->eh_frame_hdr, f->eh_frame_hdr_size);
	end_section(l, SECTION_EH_FRAME_HDR, out);
}

static void put_debug(struct layout *l, const struct function_image *f, struct bytes *out)
{
	if (!f->n_lines)
		return;
	begin_section(l, SECTION_DEBUG_LINE, out);
	function_lines_put(f, out);
	end_section(l, SECTION_DEBUG_LINE, out);
	begin_section(l, SECTION_DEBUG_INFO, out);
	function_info_put(f, out);
	end_section(l, SECTION_DEBUG_INFO, out);
	begin_section(l, SECTION_DEBUG_ABBREV, out);
	function_abbrev_put(out);
	end_section(l, SECTION_DEBUG_ABBREV, out);
}

static void put_names(struct layout *l, struct bytes *out)
{
	begin_section(l, SECTION_SHSTRTAB, out);
	bytes_add(out, l->names.data, l->names.n);
	bytes_string(out, kinds[SECTION_SHSTRTAB].name, 1);
	end_section(l, SECTION_SHSTRTAB, out);
}

/* Returns the header of the loaded segment: from the code to the end of the unwind tables. */
static Elf64_Phdr program_header(const struct layout *l)
{
	const Elf64_Shdr *last = &l->headers[SECTION_TEXT];

	if (l->numbers[SECTION_EH_FRAME_HDR])
		last = &l->headers[SECTION_EH_FRAME_HDR];

	uint64_t size = last->sh_offset + last->sh_size - FUNCTION_IMAGE_TEXT;

	return (Elf64_Phdr){ .p_type = PT_LOAD,
			     .p_flags = PF_R | PF_X,
			     .p_offset = FUNCTION_IMAGE_TEXT,
			     .p_vaddr = FUNCTION_IMAGE_TEXT,
			     .p_paddr = FUNCTION_IMAGE_TEXT,
			     .p_filesz = size,
			     .p_memsz = size,
			     .p_align = 8 };
}

static Elf64_Ehdr file_header(const struct layout *l, uint16_t machine, uint64_t sections)
{
	return (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = machine,
		.e_version = EV_CURRENT,
		.e_entry = FUNCTION_IMAGE_TEXT,
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_shoff = sections,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)(l->n + 1),
		.e_shstrndx = (uint16_t)l->numbers[SECTION_SHSTRTAB],
	};
}

/* Writes the section headers, and into the space at the start the ELF and program headers. */
static void put_headers(const struct layout *l, uint16_t machine, struct bytes *out)
{
	Elf64_Phdr segment = program_header(l);
	Elf64_Ehdr file;

	bytes_pad(out, l->start, 8);
	file = file_header(l, machine, out->n - l->start);
	bytes_zero(out, sizeof(Elf64_Shdr));
	for (unsigned i = 0; i < SECTION_COUNT; i++)
		if (l->numbers[i])
			bytes_add(out, &l->headers[i], sizeof(l->headers[i]));
	memcpy(out->data + l->start, &file, sizeof(file));
	memcpy(out->data + l->start + sizeof(file), &segment, sizeof(segment));
}

void function_image_put(const struct function_image *f, struct bytes *out, struct build_id *ret)
{
	struct layout l = { .start = out->n };
	struct build_id id = f->build_id ? *f->build_id : make_build_id(f);

	bytes_u8(&l.names, 0);
	bytes_zero(out, FUNCTION_IMAGE_TEXT);
	put_code(&l, f, out);
	put_unwind(&l, f, out);
	put_symbols(&l, f, out);
	function_image_put_build_id(&l, &id, out);
	put_debug(&l, f, out);
	put_names(&l, out);
	put_headers(&l, f->machine, out);
	bytes_done(&l.names);
	*ret = id;
}
