/* SPDX-License-Identifier: MIT */
/*
 * .debug_cu_index is a hash table from ids to rows, and tables of offsets and sizes with a column
 * for each kind of section (DWARF 5, 7.3.5.3; version 2 is GNU's before it):
 *
 *	u16 version, padding (version 2: u32 version)
 *	u32 columns, units, slots
 *	u64 ids[slots]
 *	u32 rows[slots]			from 1; 0: the slot is free
 *	u32 kinds[columns]
 *	u32 offsets[units][columns]
 *	u32 sizes[units][columns]
 */
#include "dwarf/package.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/file.h"
#include "elf/image.h"

#define HEADER_SIZE 16

/* No package has more columns than there are kinds of sections. */
#define COLUMNS_MAX 16

/* The sections of a unit, in the order of the file that is made. */
enum part {
	PART_INFO,
	PART_ABBREV,
	PART_LINE,
	PART_STR_OFFSETS,
	PART_RNGLISTS,
	PART_LOCLISTS,
	PART_STR,
	PART_ADDR,
	N_PARTS,
};

/* The name of a section in the package and in the file, and its kind in the index. */
static const struct {
	const char *packed, *plain;
	uint32_t kind; /* 0: not split by unit */
} parts[N_PARTS] = {
	[PART_INFO] = { ".debug_info.dwo", ".debug_info", 1 },
	[PART_ABBREV] = { ".debug_abbrev.dwo", ".debug_abbrev", 3 },
	[PART_LINE] = { ".debug_line.dwo", ".debug_line", 4 },
	[PART_STR_OFFSETS] = { ".debug_str_offsets.dwo", ".debug_str_offsets", 6 },
	[PART_RNGLISTS] = { ".debug_rnglists.dwo", ".debug_rnglists", 8 },
	[PART_LOCLISTS] = { ".debug_loclists.dwo", ".debug_loclists", 5 },
	[PART_STR] = { ".debug_str.dwo", ".debug_str", 0 },
	[PART_ADDR] = { NULL, ".debug_addr", 0 },
};

struct bytes {
	const uint8_t *at;
	size_t size;
};

struct dwarf_package_unit {
	struct bytes parts[N_PARTS];
	uint8_t *strings, *offsets; /* replace the sections of the package */
};

static uint32_t u32_at(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static struct bytes package_section(struct elf_file *f, const char *name)
{
	struct elf_section s;
	struct bytes b = { .size = 0 };
	size_t index = elf_file_section_find(f, name, &s);

	if (index && !(s.flags & SHF_COMPRESSED))
		b.at = elf_file_section_bytes(f, index, &b.size);
	return b.at ? b : (struct bytes){ .size = 0 };
}

struct index {
	uint32_t columns, units, slots;
	const uint8_t *ids, *rows, *kinds, *offsets, *sizes;
};

/* Checks all sizes, so that the functions below need not. */
static int read_index(struct elf_file *package, struct index *ret)
{
	struct bytes b = package_section(package, ".debug_cu_index");

	if (b.size < HEADER_SIZE)
		return b.size ? -EBADMSG : -ENODATA;

	uint16_t version;
	struct index x = {
		u32_at(b.at + 4), u32_at(b.at + 8), u32_at(b.at + 12), NULL, NULL, NULL, NULL, NULL
	};

	memcpy(&version, b.at, sizeof(version));
	if (version != 5)
		return -ENOTSUP;
	if (!x.columns || x.columns > COLUMNS_MAX || x.slots > b.size / 12 ||
	    x.units > b.size / (8 * (size_t)x.columns))
		return -EBADMSG;
	x.ids = b.at + HEADER_SIZE;
	x.rows = x.ids + 8 * (size_t)x.slots;
	x.kinds = x.rows + 4 * (size_t)x.slots;
	x.offsets = x.kinds + 4 * (size_t)x.columns;
	x.sizes = x.offsets + 4 * (size_t)x.units * x.columns;
	if ((size_t)(x.sizes - b.at) + 4 * (size_t)x.units * x.columns > b.size)
		return -EBADMSG;
	*ret = x;
	return 0;
}

/* Finds the row of unit @id, from 0; or -ENODATA. A linear search is enough. */
static int package_find_row(const struct index *x, uint64_t id, size_t *ret)
{
	for (size_t i = 0; i < x->slots; i++) {
		uint32_t row = u32_at(x->rows + 4 * i);

		if (!row || row > x->units || memcmp(x->ids + 8 * i, &id, sizeof(id)) != 0)
			continue;
		*ret = row - 1;
		return 0;
	}
	return -ENODATA;
}

/*
 * Finds the part of the section @part that belongs to @row's unit; *@ret is unchanged if there is
 * none.
 */
static int package_find_part(struct elf_file *package, const struct index *x, size_t row,
			     enum part part, struct bytes *ret)
{
	struct bytes all = package_section(package, parts[part].packed);

	for (size_t i = 0; i < x->columns; i++) {
		size_t cell = row * x->columns + i;
		uint32_t offset = u32_at(x->offsets + 4 * cell), size = u32_at(x->sizes + 4 * cell);

		if (u32_at(x->kinds + 4 * i) != parts[part].kind)
			continue;
		if (offset > all.size || size > all.size - offset)
			return -EBADMSG;
		if (size)
			*ret = (struct bytes){ all.at + offset, size };
		return 0;
	}
	return 0;
}

/*
 * The size of the header of .debug_str_offsets, which is followed by an offset for each string of
 * the unit.
 */
#define STR_OFFSETS_HEADER 8

/* Returns the string at @from with its NUL; empty if it lies outside. */
static struct bytes package_string_at(struct bytes all, uint32_t from)
{
	const uint8_t *end = from < all.size ? memchr(all.at + from, 0, all.size - from) : NULL;

	if (!end)
		return (struct bytes){ .size = 0 };
	return (struct bytes){ all.at + from, (size_t)(end - (all.at + from)) + 1 };
}

/*
 * Copies the strings of this unit only, because all units share one table of strings, which may be
 * large. Strings outside of the table become the empty string at 0.
 */
static int take_strings(struct dwarf_package_unit *u, struct bytes all)
{
	struct bytes *offsets = &u->parts[PART_STR_OFFSETS];
	size_t n = 1, room = 0;

	if (offsets->size < STR_OFFSETS_HEADER)
		return 0;
	/* The 64-bit DWARF format begins with this. */
	if (u32_at(offsets->at) == UINT32_MAX)
		return -ENOTSUP;
	u->offsets = xmalloc(offsets->size);
	memcpy(u->offsets, offsets->at, offsets->size);
	u->strings = array_reserve(NULL, &room, n, 1);
	u->strings[0] = 0;
	for (size_t at = STR_OFFSETS_HEADER; at + 4 <= offsets->size; at += 4) {
		struct bytes string = package_string_at(all, u32_at(offsets->at + at));
		uint32_t to = string.size ? (uint32_t)n : 0;

		/*
		 * The table has each string once, so a unit that refers to more than all of it is
		 * damaged.
		 */
		if (string.size > all.size + 1 - n)
			return -EBADMSG;
		u->strings = array_reserve(u->strings, &room, n + string.size, 1);
		if (string.size)
			memcpy(u->strings + n, string.at, string.size);
		n += string.size;
		memcpy(u->offsets + at, &to, sizeof(to));
	}
	offsets->at = u->offsets;
	u->parts[PART_STR] = (struct bytes){ u->strings, n };
	return 0;
}

static void unit_done(struct dwarf_package_unit *u)
{
	free(u->strings);
	free(u->offsets);
}

static int package_take_unit(struct elf_file *package, struct elf_file *program,
			     const struct dwarf_skeleton *s, struct dwarf_package_unit *u)
{
	struct bytes addresses = package_section(program, ".debug_addr");
	struct index x;
	size_t row;
	int r = read_index(package, &x);

	if (r >= 0)
		r = package_find_row(&x, s->id, &row);
	for (enum part i = 0; r >= 0 && i < N_PARTS; i++)
		if (parts[i].kind)
			r = package_find_part(package, &x, row, i, &u->parts[i]);
	if (r >= 0)
		r = take_strings(u, package_section(package, parts[PART_STR].packed));
	if (r >= 0 && s->addr_base < addresses.size)
		u->parts[PART_ADDR] = (struct bytes){ addresses.at + s->addr_base,
						      addresses.size - s->addr_base };
	return r;
}

static void package_write_file(const struct dwarf_package_unit *u, uint16_t machine, uint8_t **ret,
			       size_t *ret_size)
{
	struct elf_piece pieces[N_PARTS];

	for (size_t i = 0; i < N_PARTS; i++)
		pieces[i] = (struct elf_piece){ .name = parts[i].plain, .size = u->parts[i].size };

	uint8_t *bytes = elf_image_new(pieces, N_PARTS, machine, ret_size);

	for (size_t i = 0; i < N_PARTS; i++)
		if (u->parts[i].size)
			memcpy(bytes + pieces[i].offset, u->parts[i].at, u->parts[i].size);
	*ret = bytes;
}

int dwarf_package_unit(struct elf_file *package, struct elf_file *program,
		       const struct dwarf_skeleton *s, uint8_t **ret, size_t *ret_size)
{
	_cleanup_(unit_done) struct dwarf_package_unit u = { .strings = NULL };

	if (!elf_file_is_64(program) || elf_file_is_swapped(program) ||
	    elf_file_is_swapped(package))
		return -ENOTSUP;

	int r = package_take_unit(package, program, s, &u);

	if (r < 0)
		return r;
	package_write_file(&u, elf_file_machine(program), ret, ret_size);
	return 0;
}
