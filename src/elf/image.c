/* SPDX-License-Identifier: MIT */
#include "elf/image.h"

#include <elf.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

static const char names_name[] = ".shstrtab";

/*
 * Lays out the file: the ELF header; section headers (null, the pieces, the names); the names; the
 * pieces.
 */
static size_t image_lay_out(struct elf_piece *pieces, size_t n, size_t *ret_names)
{
	size_t at = sizeof(Elf64_Ehdr) + (n + 2) * sizeof(Elf64_Shdr);

	*ret_names = at;
	at += 1 + sizeof(names_name);
	for (size_t i = 0; i < n; i++)
		at += strlen(pieces[i].name) + 1;
	for (size_t i = 0; i < n; i++) {
		at = (at + 7) & ~(size_t)7;
		pieces[i].offset = at;
		at += pieces[i].size;
	}
	return at;
}

static void image_put_header(uint8_t *bytes, size_t n, uint16_t machine)
{
	Elf64_Ehdr e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										: ELFDATA2MSB,
				      EV_CURRENT },
			 .e_type = ET_EXEC,
			 .e_machine = machine,
			 .e_version = EV_CURRENT,
			 .e_shoff = sizeof(e),
			 .e_ehsize = sizeof(e),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = (uint16_t)(n + 2),
			 .e_shstrndx = (uint16_t)(n + 1) };

	memcpy(bytes, &e, sizeof(e));
}

uint8_t *elf_image_new(struct elf_piece *pieces, size_t n, uint16_t machine, size_t *ret_size)
{
	_cleanup_(freep) Elf64_Shdr *headers = xcalloc(n + 2, sizeof(headers[0]));
	size_t names, at = 1, size = image_lay_out(pieces, n, &names);
	uint8_t *bytes = xcalloc(1, size);

	for (size_t i = 0; i <= n; i++) {
		const char *name = i < n ? pieces[i].name : names_name;
		size_t length = strlen(name) + 1;

		memcpy(bytes + names + at, name, length);
		headers[i + 1] = (Elf64_Shdr){ .sh_name = (uint32_t)at,
					       .sh_type = SHT_PROGBITS,
					       .sh_offset = i < n ? pieces[i].offset : names,
					       .sh_size = i < n ? pieces[i].size : at + length,
					       .sh_addralign = 1 };
		at += length;
	}
	headers[n + 1].sh_type = SHT_STRTAB;
	image_put_header(bytes, n, machine);
	memcpy(bytes + sizeof(Elf64_Ehdr), headers, (n + 2) * sizeof(headers[0]));
	*ret_size = size;
	return bytes;
}
