/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small program with debug information, made in memory: one unit, in two files of the directory
 * /src. The debug information describes
 *
 *	outer()            00 .. 80    a.c:10, from 40 a.c:14
 *	  inner()          10 .. 40    h.h:4, called at a.c:12
 *	    innermost()    20 .. 28    h.h:8, called at h.h:5, in a block
 *	  nested()         90 .. a0    within outer(), but not its code
 *	ns::second()       80 .. 90    a.c:20
 *
 * Each test may damage it: dwarf_build() takes the changes.
 */
#include <dwarf.h>
#include <stdbool.h>

#include "elf/built-elf.h"

struct dwarf_bytes {
	uint8_t bytes[1024];
	size_t n;
};

static inline void dwarf_put(struct dwarf_bytes *b, uint64_t value, size_t size)
{
	memcpy(b->bytes + b->n, &value, size);
	b->n += size;
}

static inline void dwarf_text(struct dwarf_bytes *b, const char *text)
{
	memcpy(b->bytes + b->n, text, strlen(text) + 1);
	b->n += strlen(text) + 1;
}

/* Fills in the four bytes of a length at @at. */
static inline void dwarf_close(struct dwarf_bytes *b, size_t at)
{
	uint32_t length = (uint32_t)(b->n - at - 4);

	memcpy(b->bytes + at, &length, 4);
}

/* Ways to damage the program, and other ways of describing the same. */
struct dwarf_change {
	bool no_unit_range;         /* .debug_aranges has the addresses, the unit itself has none */
	bool dead_unit;             /* a second unit at address 0, like one of removed code */
	bool origin_is_itself;      /* inner() refers to itself */
	bool sibling_goes_back;     /* outer() gives the unit's first entry as its sibling */
	bool no_children_end;       /* the lists of entries end with the section */
	unsigned depth;             /* number of nested blocks, before innermost() */
	size_t cut_info, cut_lines; /* number of bytes that are missing */
};

enum {
	ABBREV_UNIT = 1,
	ABBREV_FUNCTION,
	ABBREV_ABSTRACT,
	ABBREV_INLINED,
	ABBREV_NAMESPACE,
	ABBREV_BLOCK,
	ABBREV_METHOD,
	ABBREV_BARE_UNIT,
	ABBREV_SIBLING,
};

#define DWARF_ABBREV(code, tag, children, ...) code, tag, children, __VA_ARGS__, 0, 0

static const uint8_t dwarf_abbrevs[] = {
	DWARF_ABBREV(ABBREV_UNIT, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string,
		     DW_AT_comp_dir, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
		     DW_FORM_data4, DW_AT_stmt_list, DW_FORM_sec_offset),
	DWARF_ABBREV(ABBREV_FUNCTION, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string,
		     DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	DWARF_ABBREV(ABBREV_ABSTRACT, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string,
		     DW_AT_inline, DW_FORM_data1),
	DWARF_ABBREV(ABBREV_INLINED, DW_TAG_inlined_subroutine, 1, DW_AT_abstract_origin,
		     DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
		     DW_AT_call_file, DW_FORM_data1, DW_AT_call_line, DW_FORM_data1),
	DWARF_ABBREV(ABBREV_NAMESPACE, DW_TAG_namespace, 1, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(ABBREV_BLOCK, DW_TAG_lexical_block, 1, DW_AT_decl_line, DW_FORM_data1),
	DWARF_ABBREV(ABBREV_METHOD, DW_TAG_subprogram, 0, DW_AT_linkage_name, DW_FORM_string,
		     DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
		     DW_FORM_data4),
	DWARF_ABBREV(ABBREV_BARE_UNIT, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string,
		     DW_AT_comp_dir, DW_FORM_string, DW_AT_stmt_list, DW_FORM_sec_offset),
	DWARF_ABBREV(ABBREV_SIBLING, DW_TAG_subprogram, 1, DW_AT_sibling, DW_FORM_ref4),
	0,
};

static inline void dwarf_unit_head(struct dwarf_bytes *b)
{
	dwarf_put(b, 0, 4); /* length, filled in later */
	dwarf_put(b, 4, 2); /* version */
	dwarf_put(b, 0, 4); /* abbreviations */
	dwarf_put(b, 8, 1); /* size of addresses */
}

static inline void dwarf_inlined(struct dwarf_bytes *b, size_t origin, uint64_t start,
				 uint32_t size, unsigned file, unsigned line)
{
	dwarf_put(b, ABBREV_INLINED, 1);
	dwarf_put(b, origin, 4);
	dwarf_put(b, start, 8);
	dwarf_put(b, size, 4);
	dwarf_put(b, file, 1);
	dwarf_put(b, line, 1);
}

static inline void dwarf_function(struct dwarf_bytes *b, const char *name, uint64_t start,
				  uint32_t size)
{
	dwarf_put(b, ABBREV_FUNCTION, 1);
	dwarf_text(b, name);
	dwarf_put(b, start, 8);
	dwarf_put(b, size, 4);
}

static inline void dwarf_outer(struct dwarf_bytes *b, uint64_t text, size_t inner, size_t innermost,
			       const struct dwarf_change *c)
{
	dwarf_function(b, "outer", text, 0x80);
	dwarf_inlined(b, c->origin_is_itself ? b->n : inner, text + 0x10, 0x30, 1, 12);
	for (unsigned i = 0; i < c->depth + 1; i++) {
		dwarf_put(b, ABBREV_BLOCK, 1);
		dwarf_put(b, 1, 1);
	}
	dwarf_inlined(b, innermost, text + 0x20, 8, 2, 5);
	for (unsigned i = 0; i < c->depth + 3; i++)
		dwarf_put(b, 0, 1); /* innermost(), blocks, inner() */
	dwarf_function(b, "nested", text + 0x90, 0x10);
	dwarf_put(b, 0, 2); /* nested(), outer() */
}

static inline void dwarf_info(struct dwarf_bytes *b, uint64_t text, const struct dwarf_change *c)
{
	dwarf_unit_head(b);
	dwarf_put(b, c->no_unit_range ? ABBREV_BARE_UNIT : ABBREV_UNIT, 1);
	dwarf_text(b, "a.c");
	dwarf_text(b, "/src");
	if (!c->no_unit_range) {
		dwarf_put(b, text, 8);
		dwarf_put(b, 0xa0, 4);
	}
	dwarf_put(b, 0, 4); /* line table */

	size_t inner = b->n;

	dwarf_put(b, ABBREV_ABSTRACT, 1);
	dwarf_text(b, "inner");
	dwarf_put(b, DW_INL_inlined, 1);

	size_t innermost = b->n;

	dwarf_put(b, ABBREV_ABSTRACT, 1);
	dwarf_text(b, "innermost");
	dwarf_put(b, DW_INL_inlined, 1);
	if (c->sibling_goes_back) {
		dwarf_put(b, ABBREV_SIBLING, 1);
		dwarf_put(b, inner, 4);
		dwarf_put(b, 0, 1);
	}
	dwarf_outer(b, text, inner, innermost, c);
	dwarf_put(b, ABBREV_NAMESPACE, 1);
	dwarf_text(b, "ns");
	dwarf_put(b, ABBREV_METHOD, 1);
	dwarf_text(b, "_ZN2ns6secondEv");
	dwarf_text(b, "second");
	dwarf_put(b, text + 0x80, 8);
	dwarf_put(b, 0x10, 4);
	if (!c->no_children_end)
		dwarf_put(b, 0, 2); /* ns, the unit */
	dwarf_close(b, 0);
}

/* Appends the remains that the linker leaves of a unit that it left out. */
static inline void dwarf_info_dead(struct dwarf_bytes *b)
{
	size_t start = b->n;

	dwarf_unit_head(b);
	dwarf_put(b, ABBREV_UNIT, 1);
	dwarf_text(b, "dead.c");
	dwarf_text(b, "/src");
	dwarf_put(b, 0, 8);
	dwarf_put(b, 0x7fffffff, 4);
	dwarf_put(b, 0, 4);
	dwarf_function(b, "dead", 0, 0x7fffffff);
	dwarf_put(b, 0, 2);
	dwarf_close(b, start);
}

/* Appends a row, @advance bytes further. */
static inline void dwarf_row(struct dwarf_bytes *b, unsigned advance, unsigned file, int lines)
{
	dwarf_put(b, DW_LNS_advance_pc, 1);
	dwarf_put(b, advance, 1);
	dwarf_put(b, DW_LNS_set_file, 1);
	dwarf_put(b, file, 1);
	dwarf_put(b, DW_LNS_advance_line, 1);
	dwarf_put(b, (uint64_t)lines & 0x7f, 1); /* SLEB128 of a number of at most six bits */
	dwarf_put(b, DW_LNS_copy, 1);
}

static inline void dwarf_sequence(struct dwarf_bytes *b, uint64_t start)
{
	dwarf_put(b, 0, 1);
	dwarf_put(b, 9, 1);
	dwarf_put(b, DW_LNE_set_address, 1);
	dwarf_put(b, start, 8);
}

static inline void dwarf_sequence_end(struct dwarf_bytes *b, unsigned advance)
{
	dwarf_put(b, DW_LNS_advance_pc, 1);
	dwarf_put(b, advance, 2); /* ULEB128 of two bytes */
	dwarf_put(b, 0, 1);
	dwarf_put(b, 1, 1);
	dwarf_put(b, DW_LNE_end_sequence, 1);
}

static inline void dwarf_lines(struct dwarf_bytes *b, uint64_t text)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t header;

	dwarf_put(b, 0, 4);
	dwarf_put(b, 4, 2);
	header = b->n;
	dwarf_put(b, 0, 4);
	dwarf_put(b, 1, 1);                   /* bytes in the shortest instruction */
	dwarf_put(b, 1, 1);                   /* operations in an instruction */
	dwarf_put(b, 1, 1);                   /* rows begin statements */
	dwarf_put(b, (uint8_t)-5, 1);         /* line base */
	dwarf_put(b, 14, 1);                  /* line range */
	dwarf_put(b, sizeof(lengths) + 1, 1); /* first special opcode */
	memcpy(b->bytes + b->n, lengths, sizeof(lengths));
	b->n += sizeof(lengths);
	dwarf_text(b, "include"); /* directory 1 */
	dwarf_put(b, 0, 1);
	dwarf_text(b, "a.c");
	dwarf_put(b, 0, 3);
	dwarf_text(b, "h.h");
	dwarf_put(b, 1, 3); /* directory, time and size */
	dwarf_put(b, 0, 1);
	dwarf_close(b, header);
	/* Dead code, and then the code that exists. */
	dwarf_sequence(b, 0);
	dwarf_row(b, 0, 2, 50);
	dwarf_sequence_end(b, 0x80 | 0x10);
	dwarf_sequence(b, text);
	dwarf_row(b, 0x00, 1, 9);
	dwarf_row(b, 0x10, 2, -6);
	dwarf_row(b, 0x10, 2, 4);
	dwarf_row(b, 0x08, 2, -3);
	dwarf_row(b, 0x18, 1, 8);
	dwarf_row(b, 0x00, 1, 1); /* another line at the same address */
	dwarf_row(b, 0x40, 1, 6);
	dwarf_sequence_end(b, 0x80 | 0x20); /* 0x20 in two bytes */
	dwarf_close(b, 0);
}

static inline void dwarf_aranges(struct dwarf_bytes *b, uint64_t text)
{
	dwarf_put(b, 0, 4);
	dwarf_put(b, 2, 2);
	dwarf_put(b, 0, 4); /* unit */
	dwarf_put(b, 8, 1);
	dwarf_put(b, 0, 1);
	dwarf_put(b, 0, 4); /* padding */
	dwarf_put(b, text, 8);
	dwarf_put(b, 0xa0, 8);
	dwarf_put(b, 0, 8);
	dwarf_put(b, 0, 8);
	dwarf_close(b, 0);
}

/* Returns the address that .text of dwarf_build()'s program is linked to. */
static inline uint64_t dwarf_text_addr(const struct built_elf *b)
{
	return b->sections[1].sh_addr;
}

/* Adds .text, with 256 bytes, and the debug information to a file that was begun. */
static inline void dwarf_add(struct built_elf *b, const struct dwarf_change *c)
{
	struct dwarf_bytes info = { .n = 0 }, lines = { .n = 0 }, aranges = { .n = 0 };
	uint8_t code[256] = { 0 };

	built_add(b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));

	uint64_t text = dwarf_text_addr(b);

	dwarf_info(&info, text, c);
	if (c->dead_unit)
		dwarf_info_dead(&info);
	dwarf_lines(&lines, text);
	built_add(b, ".debug_abbrev", SHT_PROGBITS, 0, dwarf_abbrevs, sizeof(dwarf_abbrevs));
	built_add(b, ".debug_info", SHT_PROGBITS, 0, info.bytes, info.n - c->cut_info);
	built_add(b, ".debug_line", SHT_PROGBITS, 0, lines.bytes, lines.n - c->cut_lines);
	if (c->no_unit_range) {
		dwarf_aranges(&aranges, text);
		built_add(b, ".debug_aranges", SHT_PROGBITS, 0, aranges.bytes, aranges.n);
	}
}

static inline void dwarf_build(struct built_elf *b, const struct dwarf_change *c)
{
	built_begin(b);
	dwarf_add(b, c);
	built_end(b, EM_AARCH64, ET_DYN);
}
