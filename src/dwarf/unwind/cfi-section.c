/* SPDX-License-Identifier: MIT */
/*
 * The layout is that of the DWARF standard, chapter 6.4, and of the Linux Standard Base for
 * .eh_frame and .eh_frame_hdr. The two differ in how a CIE is distinguished from an FDE, and in
 * addresses.
 */
#include "dwarf/unwind/cfi-section.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/cursor.h"
#include "base/memory.h"

/* DW_EH_PE_*: the format of a value, its base, and whether it is a pointer to the value. */
enum {
	PE_ABSOLUTE = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SIGNED = 0x08,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f,
	PE_PC_RELATIVE = 0x10,
	PE_DATA_RELATIVE = 0x30,
	PE_RELATION = 0x70,
	PE_INDIRECT = 0x80,
	PE_OMIT = 0xff,
};

#define LENGTH_IS_64 0xffffffffu
#define PAIR_SIZE    8

/*
 * Compilers write CIEs of some 20 bytes. A CIE is parsed again for each FDE that refers to it, and
 * its instructions are run for each function, so a large one in a hostile file would cost its size
 * that often.
 */
#define CIE_SIZE_MAX 1024

static struct cursor cursor_at(const struct cfi_section *s, uint64_t at)
{
	struct cursor c = cursor_over(s->o.bytes, s->o.size, s->o.swap);

	cursor_bytes(&c, at);
	return c;
}

static uint64_t cfi_section_take_value(const struct cfi_section *s, struct cursor *c,
				       uint8_t encoding)
{
	switch (encoding & PE_FORMAT) {
	case PE_ABSOLUTE:
		return s->o.is_64 ? cursor_u64(c) : cursor_u32(c);
	case PE_SIGNED:
		return s->o.is_64 ? cursor_u64(c) : (uint64_t)(int32_t)cursor_u32(c);
	case PE_ULEB128:
		return cursor_uleb128(c);
	case PE_SLEB128:
		return (uint64_t)cursor_sleb128(c);
	case PE_UDATA2:
		return cursor_u16(c);
	case PE_SDATA2:
		return (uint64_t)(int16_t)cursor_u16(c);
	case PE_UDATA4:
		return cursor_u32(c);
	case PE_SDATA4:
		return (uint64_t)(int32_t)cursor_u32(c);
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor_u64(c);
	default:
		c->bad = true;
		return 0;
	}
}

uint64_t cfi_section_address(const struct cfi_section *s, struct cursor *c, uint8_t encoding)
{
	uint64_t here = s->o.addr + (uint64_t)(c->at - s->o.bytes);
	uint64_t value = cfi_section_take_value(s, c, encoding);

	switch (encoding & (PE_RELATION | PE_INDIRECT)) {
	case 0:
		return value;
	case PE_PC_RELATIVE:
		return here + value;
	case PE_DATA_RELATIVE:
		return s->o.table_addr + value;
	default:
		c->bad = true;
		return 0;
	}
}

/* Skips the pointer to a personality routine. */
static void skip_pointer(const struct cfi_section *s, struct cursor *c, uint8_t encoding)
{
	if (encoding != PE_OMIT)
		cfi_section_take_value(s, c, encoding);
}

/* An entry of the section: a CIE or an FDE. */
struct cfi_section_entry {
	bool is_cie;
	uint64_t cie_at; /* offset of an FDE's CIE */
	struct cursor body;
};

/* Reads the entry at @c and moves past it. False: there is none, or it is the terminator. */
static bool cfi_section_take_entry(const struct cfi_section *s, struct cursor *c,
				   struct cfi_section_entry *ret)
{
	uint64_t length = cursor_u32(c), id, id_at;
	bool is_64 = length == LENGTH_IS_64;

	if (is_64)
		length = cursor_u64(c);
	if (c->bad || !length || length > cursor_left(c))
		return false;
	ret->body = cursor_over(c->at, length, s->o.swap);
	cursor_bytes(c, length);
	id_at = (uint64_t)(ret->body.at - s->o.bytes);
	if (s->o.is_debug_frame) {
		id = is_64 ? cursor_u64(&ret->body) : cursor_u32(&ret->body);
		ret->is_cie = id == (is_64 ? UINT64_MAX : UINT32_MAX);
		ret->cie_at = id;
	} else {
		id = cursor_u32(&ret->body);
		ret->is_cie = id == 0;
		ret->cie_at = id_at - id;
	}
	return !ret->body.bad;
}

/*
 * Reads the data after the CIE's fields, which the letters describe. 'z' gives the size, so unknown
 * letters can be skipped.
 */
static void take_augmentation(const struct cfi_section *s, struct cursor *c, const char *letters,
			      struct cfi_cie *cie)
{
	const uint8_t *end = NULL;

	for (; *letters && !c->bad; letters++) {
		switch (*letters) {
		case 'z': {
			uint64_t size = cursor_uleb128(c);

			cie->has_augmentation_size = true;
			if (size > cursor_left(c))
				c->bad = true;
			else
				end = c->at + size;
			break;
		}
		case 'R':
			cie->encoding = cursor_u8(c);
			break;
		case 'P':
			skip_pointer(s, c, cursor_u8(c));
			break;
		case 'L':
			cursor_u8(c);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* return addresses are signed with key B */
		case 'G': /* memory is tagged */
			break;
		default:
			c->bad |= !end;
			letters += strlen(letters) - 1;
		}
	}
	if (end && c->at <= end)
		c->at = end;
}

static bool parse_cie(const struct cfi_section *s, uint64_t at, struct cfi_cie *ret)
{
	struct cursor c = cursor_at(s, at), *body;
	struct cfi_cie cie = { .encoding = PE_ABSOLUTE };
	const char *letters;
	struct cfi_section_entry e;
	uint8_t version;

	if (c.bad || !cfi_section_take_entry(s, &c, &e) || !e.is_cie ||
	    cursor_left(&e.body) > CIE_SIZE_MAX)
		return false;
	body = &e.body;
	version = cursor_u8(body);
	letters = cursor_string(body);
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4)
		cursor_bytes(body, 2); /* sizes of addresses and of segments */
	if (!strncmp(letters, "eh", 2)) {
		cursor_bytes(body, s->o.is_64 ? 8 : 4); /* "eh": a pointer, by GCC before 3.0 */
		letters += 2;
	}
	cie.code_align = cursor_uleb128(body);
	cie.data_align = cursor_sleb128(body);
	cie.ra_register = version == 1 ? cursor_u8(body) : cursor_uleb128(body);
	take_augmentation(s, body, letters, &cie);
	if (body->bad)
		return false;
	cie.program = body->at;
	cie.end = body->end;
	*ret = cie;
	return true;
}

/* Reads the addresses of an FDE, whose CIE is known. */
static bool cfi_section_take_range(const struct cfi_section *s, struct cursor *c, uint8_t encoding,
				   struct cfi_fde *ret)
{
	uint64_t start = cfi_section_address(s, c, encoding),
		 size = cfi_section_take_value(s, c, encoding);

	if (c->bad || !size || size > UINT64_MAX - start)
		return false;
	ret->start = start;
	ret->end = start + size;
	return true;
}

static bool parse_fde(const struct cfi_section *s, uint64_t at, struct cfi_fde *ret)
{
	struct cursor c = cursor_at(s, at);
	struct cfi_section_entry e;

	if (c.bad || !cfi_section_take_entry(s, &c, &e) || e.is_cie ||
	    !parse_cie(s, e.cie_at, &ret->cie) ||
	    !cfi_section_take_range(s, &e.body, ret->cie.encoding, ret))
		return false;
	if (ret->cie.has_augmentation_size)
		cursor_bytes(&e.body, cursor_uleb128(&e.body));
	ret->program = e.body.at;
	ret->program_end = e.body.end;
	return !e.body.bad;
}

/*
 * Uses the table if it is valid. Its layout: u8 version; u8 encodings of the section's address, of
 * the count and of the table; then these.
 */
static bool use_table(struct cfi_section *s)
{
	struct cursor c = cursor_over(s->o.table, s->o.table_size, s->o.swap);
	uint8_t version = cursor_u8(&c), section = cursor_u8(&c), count = cursor_u8(&c);
	uint8_t table = cursor_u8(&c);
	uint64_t n;

	if (c.bad || version != 1 || count == PE_OMIT || table != (PE_DATA_RELATIVE | PE_SDATA4))
		return false;
	skip_pointer(s, &c, section);
	n = cfi_section_take_value(s, &c, count);
	if (c.bad || !n || n > cursor_left(&c) / PAIR_SIZE)
		return false;
	s->pairs = c.at;
	s->n = n;
	return true;
}

static int cfi_section_by_start(const void *a, const void *b)
{
	const struct cfi_index_entry *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void make_index(struct cfi_section *s)
{
	struct {
		struct cfi_index_entry *items;
		size_t n, room;
	} found = { 0 };
	struct cursor c = cursor_over(s->o.bytes, s->o.size, s->o.swap);
	uint64_t cie_at = UINT64_MAX;
	struct cfi_fde fde;
	struct cfi_section_entry e;

	for (;;) {
		uint64_t at = (uint64_t)(c.at - s->o.bytes);

		if (!cfi_section_take_entry(s, &c, &e))
			break;
		if (e.is_cie)
			continue;
		/* Most FDEs have the same CIE as the previous one. */
		if (e.cie_at != cie_at && !parse_cie(s, e.cie_at, &fde.cie))
			continue;
		cie_at = e.cie_at;
		if (cfi_section_take_range(s, &e.body, fde.cie.encoding, &fde))
			*ARRAY_ADD(&found) = (struct cfi_index_entry){ .start = fde.start,
								       .at = at };
	}
	if (found.n)
		qsort(found.items, found.n, sizeof(found.items[0]), cfi_section_by_start);
	s->index = found.items;
	s->n = found.n;
}

void cfi_section_init(struct cfi_section *s, const struct cfi_section_options *o)
{
	*s = (struct cfi_section){ .o = *o };
	if (!o->table || !use_table(s))
		make_index(s);
}

void cfi_section_done(struct cfi_section *s)
{
	free(s->index);
}

/*
 * Returns a value of entry @i of the table: @which 0 is the address of the code, 1 that of its FDE.
 */
static uint64_t table_value(const struct cfi_section *s, size_t i, unsigned which)
{
	int32_t v;

	memcpy(&v, s->pairs + i * PAIR_SIZE + which * sizeof(v), sizeof(v));
	if (s->o.swap)
		v = (int32_t)__builtin_bswap32((uint32_t)v);
	return s->o.table_addr + (uint64_t)(int64_t)v;
}

static uint64_t cfi_section_start_of(const struct cfi_section *s, size_t i)
{
	return s->pairs ? table_value(s, i, 0) : s->index[i].start;
}

static uint64_t cfi_section_place_of(const struct cfi_section *s, size_t i)
{
	return s->pairs ? table_value(s, i, 1) - s->o.addr : s->index[i].at;
}

bool cfi_section_number(const struct cfi_section *s, uint64_t addr, size_t *ret)
{
	size_t n = BISECT(i, s->n, cfi_section_start_of(s, i) <= addr);

	if (!n)
		return false;
	*ret = n - 1;
	return true;
}

bool cfi_section_fde(const struct cfi_section *s, size_t number, struct cfi_fde *ret)
{
	struct cfi_fde fde;

	if (!parse_fde(s, cfi_section_place_of(s, number), &fde))
		return false;
	*ret = fde;
	return true;
}
