/* SPDX-License-Identifier: MIT */
#include "dwarf/die-file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cursor.h"
#include "base/memory.h"

/*
 * Returns the field of @f for the section .debug_@name (.zdebug_@name, .debug_@name.dwo), or NULL.
 */
static struct die_bytes *die_file_find_place(struct die_file *f, const char *name)
{
	const struct {
		const char *name;
		struct die_bytes *to;
	} places[] = {
		{ "info", &f->info },
		{ "abbrev", &f->abbrev },
		{ "str", &f->str },
		{ "line_str", &f->line_str },
		{ "str_offsets", &f->str_offsets },
		{ "line", &f->line },
	};
	size_t n;

	name += !strncmp(name, ".z", 2) ? 2 : 1;
	if (strncmp(name, "debug_", 6))
		return NULL;
	name += 6;
	n = strcspn(name, ".");
	if (name[n] && strcmp(name + n, ".dwo"))
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (strlen(places[i].name) == n && !memcmp(places[i].name, name, n))
			return places[i].to;
	return NULL;
}

void die_file_init(struct die_file *f, struct Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	const char *identity = elf_getident(elf, NULL);
	uint8_t own = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	size_t names;

	*f = (struct die_file){ .swap = identity && identity[EI_DATA] != own };
	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr h;
		const char *name = gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;
		struct die_bytes *to = name && name[0] ? die_file_find_place(f, name) : NULL;
		Elf_Data *data = to && !to->at && h.sh_type != SHT_NOBITS ? elf_getdata(scn, NULL)
									  : NULL;

		if (data && data->d_buf)
			*to = (struct die_bytes){ data->d_buf, data->d_size };
	}
}

/* Skips the fields of a unit header of DWARF 5 that depend on the unit's type. */
static void skip_type(struct cursor *c, struct die_unit *u)
{
	switch (u->type) {
	case DW_UT_skeleton:
		u->is_split = true;
		/* fall through */
	case DW_UT_split_compile:
		cursor_u64(c);
		break;
	case DW_UT_type:
	case DW_UT_split_type:
		cursor_u64(c);
		cursor_bytes(c, u->offset_size);
		break;
	default:
		break;
	}
}

static uint64_t die_file_take_offset(struct cursor *c, const struct die_unit *u)
{
	return u->offset_size == 8 ? cursor_u64(c) : cursor_u32(c);
}

/* Reads a unit header and moves @c to the next unit. */
static bool die_file_read_head(const struct die_file *f, struct cursor *c, struct die_unit *ret)
{
	struct die_unit u = { .start = (uint64_t)(c->at - f->info.at), .offset_size = 4 };
	uint64_t length = cursor_u32(c);
	const uint8_t *bytes;

	if (length == UINT32_MAX) {
		u.offset_size = 8;
		length = cursor_u64(c);
	}
	bytes = cursor_bytes(c, length);

	struct cursor head = cursor_over(bytes, bytes ? length : 0, f->swap);

	u.version = cursor_u16(&head);
	u.type = u.version >= 5 ? cursor_u8(&head) : DW_UT_compile;
	if (u.version >= 5)
		u.address_size = cursor_u8(&head);
	u.abbrevs = die_file_take_offset(&head, &u);
	if (u.version < 5)
		u.address_size = cursor_u8(&head);
	else
		skip_type(&head, &u);
	u.entry = (uint64_t)(head.at - f->info.at);
	u.end = (uint64_t)(c->at - f->info.at);
	u.lines = DIE_NONE;
	/*
	 * Split units do not contain it: their offsets begin after the header, which came with
	 * DWARF 5.
	 */
	u.str_offsets = u.version < 5 ? 0 : u.offset_size == 8 ? 16 : 8;
	*ret = u;
	return !head.bad && u.version >= 2 && u.version <= 5;
}

struct die_unit *die_file_read_units(const struct die_file *f, size_t *ret_n)
{
	struct cursor c = cursor_over(f->info.at, f->info.size, f->swap);
	struct die_unit *units = NULL;
	size_t n = 0, room = 0;

	while (cursor_left(&c)) {
		units = array_reserve(units, &room, n + 1, sizeof(units[0]));
		if (!die_file_read_head(f, &c, &units[n]))
			break;
		n++;
	}
	*ret_n = n;
	return units;
}

const struct die_unit *die_file_unit(const struct die_file *f, uint64_t offset)
{
	size_t n = BISECT(i, f->n_units, f->units[i].start <= offset);

	if (!n || offset < f->units[n - 1].entry || offset >= f->units[n - 1].end)
		return NULL;
	return &f->units[n - 1];
}

const char *die_text_at(const struct die_bytes *section, uint64_t offset)
{
	if (offset >= section->size || !memchr(section->at + offset, 0, section->size - offset))
		return NULL;
	return (const char *)section->at + offset;
}
