/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small program with debug information for tests of places, made in memory. One unit in two files
 * of the directory /src; offsets are those of .text:
 *
 *	outer()        00 .. 40    a.c:10; its lines: 11 at 00, 12 at 08, 14 at 10, 16 and 17 at 30
 *	  inner()      10 .. 28    called at a.c:14; h.h:4 at 10, 5 at 18, and at 20 first 6, which
 *	                           begins no statement there, then 7
 *	second()       40 .. 50    a.c:20; 21 at 40, 12 once more at 48
 *	  inner()      4c .. 50    called at a.c:22, without rows of its own
 *	inner()        50 .. 60    h.h:3; 4 at 50
 */
#include <dwarf.h>

#include "base/diag.h"
#include "dwarf/debug-info.h"
#include "dwarf-elf.h"
#include "elf/file.h"

enum {
	PLACES_UNIT = 1,
	PLACES_FUNCTION,
	PLACES_ABSTRACT,
	PLACES_COPY,
	PLACES_CODE,
};

static const uint8_t places_abbrevs[] = {
	DWARF_ABBREV(PLACES_UNIT, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string,
		     DW_AT_comp_dir, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
		     DW_FORM_data4, DW_AT_stmt_list, DW_FORM_sec_offset),
	DWARF_ABBREV(PLACES_FUNCTION, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string,
		     DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line, DW_FORM_data1, DW_AT_low_pc,
		     DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	DWARF_ABBREV(PLACES_ABSTRACT, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string,
		     DW_AT_decl_file, DW_FORM_data1, DW_AT_decl_line, DW_FORM_data1, DW_AT_inline,
		     DW_FORM_data1),
	DWARF_ABBREV(PLACES_COPY, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin, DW_FORM_ref4,
		     DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, DW_AT_call_file,
		     DW_FORM_data1, DW_AT_call_line, DW_FORM_data1),
	DWARF_ABBREV(PLACES_CODE, DW_TAG_subprogram, 0, DW_AT_abstract_origin, DW_FORM_ref4,
		     DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4),
	0,
};

static inline void places_function(struct dwarf_bytes *b, const char *name, unsigned line,
				   uint64_t start, uint32_t size)
{
	dwarf_put(b, PLACES_FUNCTION, 1);
	dwarf_text(b, name);
	dwarf_put(b, 1, 1);
	dwarf_put(b, line, 1);
	dwarf_put(b, start, 8);
	dwarf_put(b, size, 4);
}

static inline void places_copy(struct dwarf_bytes *b, size_t origin, uint64_t start, uint32_t size,
			       unsigned line)
{
	dwarf_put(b, PLACES_COPY, 1);
	dwarf_put(b, origin, 4);
	dwarf_put(b, start, 8);
	dwarf_put(b, size, 4);
	dwarf_put(b, 1, 1);
	dwarf_put(b, line, 1);
}

static inline void places_info(struct dwarf_bytes *b, uint64_t text)
{
	dwarf_unit_head(b);
	dwarf_put(b, PLACES_UNIT, 1);
	dwarf_text(b, "a.c");
	dwarf_text(b, "/src");
	dwarf_put(b, text, 8);
	dwarf_put(b, 0x60, 4);
	dwarf_put(b, 0, 4); /* line table */

	size_t inner = b->n;

	dwarf_put(b, PLACES_ABSTRACT, 1);
	dwarf_text(b, "inner");
	dwarf_put(b, 2, 1);
	dwarf_put(b, 3, 1);
	dwarf_put(b, DW_INL_inlined, 1);
	places_function(b, "outer", 10, text, 0x40);
	places_copy(b, inner, text + 0x10, 0x18, 14);
	dwarf_put(b, 0, 1);
	places_function(b, "second", 20, text + 0x40, 0x10);
	places_copy(b, inner, text + 0x4c, 4, 22);
	dwarf_put(b, 0, 1);
	dwarf_put(b, PLACES_CODE, 1);
	dwarf_put(b, inner, 4);
	dwarf_put(b, text + 0x50, 8);
	dwarf_put(b, 0x10, 4);
	dwarf_put(b, 0, 1);
	dwarf_close(b, 0);
}

/* Appends a row that begins no statement, between others. */
static inline void places_row_within(struct dwarf_bytes *b, unsigned advance, unsigned file,
				     int lines)
{
	dwarf_put(b, DW_LNS_negate_stmt, 1);
	dwarf_row(b, advance, file, lines);
	dwarf_put(b, DW_LNS_negate_stmt, 1);
}

static inline void places_rows(struct dwarf_bytes *b)
{
	dwarf_row(b, 0x00, 1, 10); /* a.c:11 */
	dwarf_row(b, 0x08, 1, 1);
	dwarf_row(b, 0x08, 1, 2);
	dwarf_row(b, 0x00, 2, -10); /* h.h:4 */
	dwarf_row(b, 0x08, 2, 1);
	places_row_within(b, 0x08, 2, 1);
	dwarf_row(b, 0x00, 2, 1);
	dwarf_row(b, 0x10, 1, 9); /* a.c:16 */
	dwarf_row(b, 0x00, 1, 1);
	dwarf_row(b, 0x10, 1, 4);
	dwarf_row(b, 0x08, 1, -9);
	dwarf_row(b, 0x08, 2, -8); /* h.h:4 */
	dwarf_sequence_end(b, 0x80 | 0x10);
}

static inline void places_lines(struct dwarf_bytes *b, uint64_t text, size_t cut)
{
	static const uint8_t head[] = { 1, 1, 1, (uint8_t)-5, 14, 13, 0, 1, 1,
					1, 1, 0, 0,           0,  1,  0, 0, 1 };
	size_t header;

	dwarf_put(b, 0, 4);
	dwarf_put(b, 4, 2);
	header = b->n;
	dwarf_put(b, 0, 4);
	memcpy(b->bytes + b->n, head, sizeof(head));
	b->n += sizeof(head);
	dwarf_text(b, "include"); /* directory 1 */
	dwarf_put(b, 0, 1);
	dwarf_text(b, "a.c");
	dwarf_put(b, 0, 3);
	dwarf_text(b, "h.h");
	dwarf_put(b, 1, 3);
	dwarf_put(b, 0, 1);
	dwarf_close(b, header);
	dwarf_sequence(b, text);
	places_rows(b);
	dwarf_close(b, 0);
	b->n -= cut < b->n ? cut : b->n;
}

struct places {
	struct built_elf elf;
	struct debug_info *info;
	uint64_t text;
	struct diag diag;
};

/* Opens the program. @cut_info and @cut_lines bytes are missing from the ends of the sections. */
static inline void places_open(struct places *p, size_t cut_info, size_t cut_lines)
{
	struct dwarf_bytes info = { .n = 0 }, lines = { .n = 0 };
	uint8_t code[0x60] = { 0 };
	struct elf_file *f;

	*p = (struct places){ .info = NULL };
	built_begin(&p->elf);
	built_add(&p->elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	p->text = dwarf_text_addr(&p->elf);
	places_info(&info, p->text);
	places_lines(&lines, p->text, cut_lines);
	built_add(&p->elf, ".debug_abbrev", SHT_PROGBITS, 0, places_abbrevs,
		  sizeof(places_abbrevs));
	built_add(&p->elf, ".debug_info", SHT_PROGBITS, 0, info.bytes,
		  info.n - (cut_info < info.n ? cut_info : info.n));
	built_add(&p->elf, ".debug_line", SHT_PROGBITS, 0, lines.bytes, lines.n);
	built_end(&p->elf, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(p->elf.bytes, p->elf.size, &f), 0);
	assert_int_equal(debug_info_open(f, NULL, &p->info), 0);
}

static inline void places_close(struct places *p)
{
	debug_info_free(p->info);
	diag_done(&p->diag);
}
