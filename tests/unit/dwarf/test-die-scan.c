/* SPDX-License-Identifier: MIT */
/* Tests the walk over entries, and the facts about functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "dwarf-elf.h"
#include "dwarf/die-scan.h"

/* A file of one or two units that share abbreviations; the header of each takes 12 bytes. */
struct made {
	struct die_file file;
	struct die_unit units[2];
	struct dwarf_bytes info;
	struct die_table table; /* of the first */
};

#define HEAD 12

static void make(struct made *m, const uint8_t *abbrevs, size_t n)
{
	*m = (struct made){ .file = { .abbrev = { abbrevs, n } } };
	m->info.n = HEAD;
}

/* Makes unit number @i of the entries that were added since the last unit. */
static void end_unit(struct made *m, size_t i)
{
	m->units[i] = (struct die_unit){
		.start = i ? m->units[i - 1].end : 0,
		.entry = (i ? m->units[i - 1].end : 0) + HEAD,
		.end = m->info.n,
		.version = 5,
		.address_size = 8,
		.offset_size = 4,
		.str_offsets = 8,
	};
	m->file.units = m->units;
	m->file.n_units = i + 1;
	m->file.info = (struct die_bytes){ m->info.bytes, m->info.n };
	if (!i)
		assert_true(die_table_compile(&m->table, &m->file, &m->units[0]));
	m->info.n += HEAD;
}

/* Finds the next function of the first unit. Returns false if there is none. */
static bool next(struct made *m, struct die_walk *w, struct die_function *ret)
{
	struct die_entry e;

	return die_walk_next(w, DIE_FUNCTION, &e) &&
	       die_function_read(&m->file, &m->table, &e, ret);
}

enum {
	ODD = 1, /* with an attribute of the form under test */
	NAMED,
	TYPE,
	FAR,
	CLOSE,
	BY_NUMBER,
	PLAIN,
};

static const struct {
	uint8_t form;
	uint8_t bytes[20];
	size_t n;
} values[] = {
	{ DW_FORM_addr, { 1 }, 8 },
	{ DW_FORM_data1, { 1 }, 1 },
	{ DW_FORM_data2, { 1 }, 2 },
	{ DW_FORM_data4, { 1 }, 4 },
	{ DW_FORM_data8, { 1 }, 8 },
	{ DW_FORM_data16, { 1 }, 16 },
	{ DW_FORM_string, "text", 5 },
	{ DW_FORM_block1, { 2, 1, 1 }, 3 },
	{ DW_FORM_block2, { 2, 0, 1, 1 }, 4 },
	{ DW_FORM_block4, { 2, 0, 0, 0, 1, 1 }, 6 },
	{ DW_FORM_block, { 3, 1, 1, 1 }, 4 },
	{ DW_FORM_exprloc, { 0x82, 0, 1, 1 }, 4 },
	{ DW_FORM_flag, { 1 }, 1 },
	{ DW_FORM_flag_present, { 0 }, 0 },
	{ DW_FORM_sdata, { 0x80, 0x7f }, 2 },
	{ DW_FORM_udata, { 0xff, 0xff, 3 }, 3 },
	{ DW_FORM_strp, { 1 }, 4 },
	{ DW_FORM_line_strp, { 1 }, 4 },
	{ DW_FORM_strp_sup, { 1 }, 4 },
	{ DW_FORM_ref_addr, { 1 }, 4 },
	{ DW_FORM_ref1, { 1 }, 1 },
	{ DW_FORM_ref2, { 1 }, 2 },
	{ DW_FORM_ref4, { 1 }, 4 },
	{ DW_FORM_ref8, { 1 }, 8 },
	{ DW_FORM_ref_udata, { 1 }, 1 },
	{ DW_FORM_ref_sup4, { 1 }, 4 },
	{ DW_FORM_ref_sup8, { 1 }, 8 },
	{ DW_FORM_ref_sig8, { 1 }, 8 },
	{ DW_FORM_sec_offset, { 1 }, 4 },
	{ DW_FORM_strx, { 0x81, 1 }, 2 },
	{ DW_FORM_strx1, { 1 }, 1 },
	{ DW_FORM_strx2, { 1 }, 2 },
	{ DW_FORM_strx3, { 1 }, 3 },
	{ DW_FORM_strx4, { 1 }, 4 },
	{ DW_FORM_addrx, { 0x81, 1 }, 2 },
	{ DW_FORM_addrx1, { 1 }, 1 },
	{ DW_FORM_addrx2, { 1 }, 2 },
	{ DW_FORM_addrx3, { 1 }, 3 },
	{ DW_FORM_addrx4, { 1 }, 4 },
	{ DW_FORM_loclistx, { 5 }, 1 },
	{ DW_FORM_rnglistx, { 5 }, 1 },
	{ DW_FORM_indirect, { DW_FORM_data2, 1, 1 }, 3 },
	{ DW_FORM_indirect, { DW_FORM_udata, 0x81, 1 }, 3 },
	{ DW_FORM_indirect, { DW_FORM_block1, 1, 1 }, 3 },
};

/* Makes an entry with the value @i, once before a function of @tag and once in one. */
static void make_value(struct made *m, uint8_t *abbrevs, size_t i, uint8_t tag)
{
	const uint8_t bytes[] = {
		DWARF_ABBREV(ODD, tag, 0, DW_AT_const_value, values[i].form, DW_AT_name,
			     DW_FORM_string),
		DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string),
		0,
	};

	memcpy(abbrevs, bytes, sizeof(bytes));
	make(m, abbrevs, sizeof(bytes));
	dwarf_put(&m->info, ODD, 1);
	memcpy(m->info.bytes + m->info.n, values[i].bytes, values[i].n);
	m->info.n += values[i].n;
	dwarf_text(&m->info, "odd");
	dwarf_put(&m->info, NAMED, 1);
	dwarf_text(&m->info, "after");
	end_unit(m, 0);
}

static void every_form_is_passed_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint8_t abbrevs[64];
		struct made m;
		struct die_walk w;
		struct die_function fn;

		make_value(&m, abbrevs, i, DW_TAG_variable);
		die_walk_init(&w, &m.file, &m.table, 0);
		assert_true(next(&m, &w, &fn));
		assert_string_equal(fn.name.text, "after");
		assert_false(next(&m, &w, &fn));
		die_table_done(&m.table);
	}
}

static void every_form_is_read_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint8_t abbrevs[64];
		struct made m;
		struct die_walk w;
		struct die_function fn;

		make_value(&m, abbrevs, i, DW_TAG_subprogram);
		die_walk_init(&w, &m.file, &m.table, 0);
		assert_true(next(&m, &w, &fn));
		assert_string_equal(fn.name.text, "odd");
		die_table_done(&m.table);
	}
}

static void a_unit_that_is_cut_ends_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint8_t abbrevs[64];
		struct made m;

		make_value(&m, abbrevs, i, DW_TAG_subprogram);

		uint64_t whole = m.units[0].end;

		for (uint64_t end = m.units[0].entry; end < whole; end++) {
			struct die_walk w;
			struct die_function fn;

			m.units[0].end = m.file.info.size = end;
			die_walk_init(&w, &m.file, &m.table, 0);
			while (next(&m, &w, &fn))
				assert_string_equal(fn.name.text, "odd");
		}
		die_table_done(&m.table);
	}
}

static void an_unknown_code_ends_the_walk(void **state)
{
	static const uint8_t abbrevs[] = {
		DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string),
		0,
	};
	static const uint8_t codes[] = { 1, 3, 0x7f };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		struct made m;
		struct die_walk w;
		struct die_function fn;

		make(&m, abbrevs, sizeof(abbrevs));
		dwarf_put(&m.info, 0, 1); /* ends of lists are skipped */
		dwarf_put(&m.info, NAMED, 1);
		dwarf_text(&m.info, "before");
		dwarf_put(&m.info, codes[i], 1);
		dwarf_put(&m.info, NAMED, 1);
		dwarf_text(&m.info, "behind");
		end_unit(&m, 0);
		die_walk_init(&w, &m.file, &m.table, 0);
		assert_true(next(&m, &w, &fn));
		assert_string_equal(fn.name.text, "before");
		assert_false(next(&m, &w, &fn));
		assert_false(next(&m, &w, &fn));
		die_table_done(&m.table);
	}
}

static const uint8_t nested[] = {
	DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(TYPE, DW_TAG_structure_type, 1, DW_AT_sibling, DW_FORM_ref4),
	0,
};

/* Makes a structure that contains a function and gives @sibling as its sibling. */
static void make_nested(struct made *m, uint64_t sibling)
{
	make(m, nested, sizeof(nested));
	dwarf_put(&m->info, TYPE, 1);
	dwarf_put(&m->info, sibling, 4);
	dwarf_put(&m->info, NAMED, 1);
	dwarf_text(&m->info, "in");
	dwarf_put(&m->info, 0, 1);
	dwarf_put(&m->info, NAMED, 1);
	dwarf_text(&m->info, "out");
	end_unit(m, 0);
}

static void types_are_entered_only_where_asked(void **state)
{
	struct made m;
	struct die_walk w;
	struct die_function fn;

	(void)state;
	make_nested(&m, HEAD + 10);
	die_walk_init(&w, &m.file, &m.table, DIE_JUMP_TYPE);
	assert_true(next(&m, &w, &fn));
	assert_string_equal(fn.name.text, "in");
	assert_true(next(&m, &w, &fn));
	assert_string_equal(fn.name.text, "out");
	die_walk_init(&w, &m.file, &m.table, DIE_JUMP_RECORD);
	assert_true(next(&m, &w, &fn));
	assert_string_equal(fn.name.text, "out");
	assert_false(next(&m, &w, &fn));
	die_table_done(&m.table);
}

static void a_sibling_that_lies_behind_or_outside_ends_the_walk(void **state)
{
	static const uint64_t siblings[] = { 0, HEAD, HEAD + 4, 1000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(siblings); i++) {
		struct made m;
		struct die_walk w;
		struct die_function fn;

		make_nested(&m, siblings[i]);
		die_walk_init(&w, &m.file, &m.table, DIE_JUMP_RECORD);
		assert_false(next(&m, &w, &fn));
		die_table_done(&m.table);
	}
}

static const uint8_t references[] = {
	DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strp, DW_AT_declaration,
		     DW_FORM_flag),
	DWARF_ABBREV(TYPE, DW_TAG_base_type, 0, DW_AT_name, DW_FORM_string),
	DWARF_ABBREV(FAR, DW_TAG_subprogram, 0, DW_AT_specification, DW_FORM_ref_addr, DW_AT_low_pc,
		     DW_FORM_addrx1),
	DWARF_ABBREV(CLOSE, DW_TAG_subprogram, 0, DW_AT_abstract_origin, DW_FORM_ref1),
	DWARF_ABBREV(BY_NUMBER, DW_TAG_subprogram, 0, DW_AT_linkage_name, DW_FORM_strx1),
	DWARF_ABBREV(PLAIN, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strp_sup, DW_AT_ranges,
		     DW_FORM_rnglistx),
	0,
};

static struct die_function read_first(struct made *m, struct die_tables *tables)
{
	struct die_walk w;
	struct die_function fn = { .has_code = false };

	die_walk_init(&w, &m->file, &m->table, 0);
	assert_true(next(m, &w, &fn));
	die_function_inherit(&fn, &m->table, tables);
	return fn;
}

static void a_name_comes_from_what_is_referred_to(void **state)
{
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct made m;

	(void)state;
	make(&m, references, sizeof(references));
	m.file.str = (struct die_bytes){ (const uint8_t *)"\0name", 6 };
	dwarf_put(&m.info, CLOSE, 1); /* to the next entry, and from there to the other unit */
	dwarf_put(&m.info, HEAD + 2, 1);
	dwarf_put(&m.info, FAR, 1);
	dwarf_put(&m.info, 2 * HEAD + 8, 4);
	dwarf_put(&m.info, 0, 1);
	end_unit(&m, 0);
	dwarf_put(&m.info, NAMED, 1);
	dwarf_put(&m.info, 1, 4);
	dwarf_put(&m.info, 1, 1);
	end_unit(&m, 1);

	struct die_function fn = read_first(&m, &tables);

	assert_string_equal(fn.name.text, "name");
	assert_ptr_equal(fn.name.section, &m.file.str);
	assert_int_equal(fn.name.offset, 1);
	assert_null(fn.linkage.text);
	assert_false(fn.has_code);
	assert_false(fn.is_declaration);
	assert_true(die_function_at(&m.file, HEAD + 2, &tables, &fn));
	assert_true(fn.has_code);
	assert_string_equal(fn.name.text, "name");
	assert_true(die_function_at(&m.file, 2 * HEAD + 8, &tables, &fn));
	assert_true(fn.is_declaration);
	assert_false(die_function_at(&m.file, 3, &tables, &fn));
	assert_false(die_function_at(&m.file, 1000, &tables, &fn));
	die_table_done(&m.table);
}

static void a_reference_to_itself_or_to_nothing_gives_no_name(void **state)
{
	static const struct {
		uint8_t code;
		uint64_t to;
		size_t size;
	} wrong[] = {
		{ CLOSE, HEAD, 1 },     { CLOSE, 0xff, 1 },     { CLOSE, 0, 1 },
		{ FAR, HEAD, 4 },       { FAR, UINT32_MAX, 4 }, { FAR, HEAD + 6, 4 },
		{ CLOSE, HEAD + 2, 1 }, /* a type */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
		struct made m;

		make(&m, references, sizeof(references));
		dwarf_put(&m.info, wrong[i].code, 1);
		dwarf_put(&m.info, wrong[i].to, wrong[i].size);
		if (wrong[i].code == FAR)
			dwarf_put(&m.info, 0, 1);
		dwarf_put(&m.info, TYPE, 1);
		dwarf_text(&m.info, "int");
		end_unit(&m, 0);
		assert_null(read_first(&m, &tables).name.text);
		die_table_done(&m.table);
	}
}

static void names_may_be_numbered(void **state)
{
	static const uint8_t offsets[] = { 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0 };
	static const char *const expected[] = { NULL, "link", NULL };
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
		struct made m;

		make(&m, references, sizeof(references));
		m.file.str = (struct die_bytes){ (const uint8_t *)"\0link", 6 };
		m.file.str_offsets = (struct die_bytes){ offsets, sizeof(offsets) };
		dwarf_put(&m.info, BY_NUMBER, 1);
		dwarf_put(&m.info, i, 1);
		end_unit(&m, 0);

		struct die_function fn = read_first(&m, &tables);

		if (expected[i])
			assert_string_equal(fn.linkage.text, expected[i]);
		else
			assert_null(fn.linkage.text);
		die_table_done(&m.table);
	}
}

static void names_may_be_in_the_file_that_several_share(void **state)
{
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_file alt = { .str = { (const uint8_t *)"shared", 7 } };
	struct made m;

	(void)state;
	make(&m, references, sizeof(references));
	dwarf_put(&m.info, PLAIN, 1);
	dwarf_put(&m.info, 2, 4);
	dwarf_put(&m.info, 0, 1);
	end_unit(&m, 0);
	assert_null(read_first(&m, &tables).name.text);
	m.file.alt = &alt;

	struct die_function fn = read_first(&m, &tables);

	assert_string_equal(fn.name.text, "ared");
	assert_ptr_equal(fn.name.section, &alt.str);
	assert_true(fn.has_code);
	die_table_done(&m.table);
}

static void a_copy_says_where_it_is_called(void **state)
{
	static const uint8_t abbrevs[] = {
		DWARF_ABBREV(NAMED, DW_TAG_inlined_subroutine, 0, DW_AT_decl_line, DW_FORM_data1,
			     DW_AT_call_line, DW_FORM_implicit_const, 40),
		0,
	};
	struct die_function fn;
	struct die_entry e;
	struct die_walk w;
	struct made m;

	(void)state;
	make(&m, abbrevs, sizeof(abbrevs));
	dwarf_put(&m.info, NAMED, 1);
	dwarf_put(&m.info, 12, 1);
	end_unit(&m, 0);
	die_walk_init(&w, &m.file, &m.table, 0);
	assert_true(die_walk_next(&w, DIE_INLINED, &e));
	assert_true(die_function_read(&m.file, &m.table, &e, &fn));
	assert_int_equal(fn.line, 12);
	assert_int_equal(fn.call_line, 40);
	die_table_done(&m.table);
}

/* Makes a unit whose own entry gives the places of its lines and of its names by number. */
static void make_unit(struct made *m, const uint8_t *abbrevs, size_t n)
{
	make(m, abbrevs, n);
	dwarf_put(&m->info, NAMED, 1);
	dwarf_text(&m->info, "a.c");
	dwarf_put(&m->info, DW_LANG_C11, 1);
	dwarf_put(&m->info, 0x1234, 4);
	dwarf_put(&m->info, 0x18, 4);
	end_unit(m, 0);
}

#define UNIT_ABBREV                                                                                \
	DWARF_ABBREV(NAMED, DW_TAG_compile_unit, 0, DW_AT_name, DW_FORM_string, DW_AT_language,    \
		     DW_FORM_data1, DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_str_offsets_base,   \
		     DW_FORM_sec_offset)

static void a_unit_says_where_its_lines_are(void **state)
{
	static const uint8_t abbrevs[] = { UNIT_ABBREV, 0 };
	struct made m;

	(void)state;
	make_unit(&m, abbrevs, sizeof(abbrevs));
	die_unit_read(&m.file, &m.table, &m.units[0]);
	assert_int_equal(m.units[0].lines, 0x1234);
	assert_int_equal(m.units[0].language, DW_LANG_C11);
	assert_int_equal(m.units[0].str_offsets, 0x18);
	assert_false(m.units[0].is_split);
	die_table_done(&m.table);
}

static void a_unit_without_its_own_entry_says_nothing(void **state)
{
	static const uint8_t abbrevs[] = { UNIT_ABBREV, 0 };
	static const uint8_t wrong_codes[] = { 0, NAMED + 1 };
	struct made m;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong_codes); i++) {
		make_unit(&m, abbrevs, sizeof(abbrevs));
		m.info.bytes[HEAD] = wrong_codes[i];
		die_unit_read(&m.file, &m.table, &m.units[0]);
		assert_int_equal(m.units[0].str_offsets, 8);
		die_table_done(&m.table);
	}
	make_unit(&m, abbrevs, sizeof(abbrevs));
	m.units[0].end = m.units[0].entry;
	die_unit_read(&m.file, &m.table, &m.units[0]);
	assert_int_equal(m.units[0].str_offsets, 8);
	die_table_done(&m.table);
}

static void a_sibling_may_be_the_next_entry_or_the_end(void **state)
{
	struct made m;
	struct die_walk w;
	struct die_function fn;

	(void)state;
	make_nested(&m, HEAD + 5);
	die_walk_init(&w, &m.file, &m.table, DIE_JUMP_RECORD);
	assert_true(next(&m, &w, &fn));
	assert_string_equal(fn.name.text, "in");
	die_table_done(&m.table);
	make_nested(&m, HEAD + 15);
	assert_int_equal(m.units[0].end, HEAD + 15);
	die_walk_init(&w, &m.file, &m.table, DIE_JUMP_RECORD);
	assert_false(next(&m, &w, &fn));
	die_table_done(&m.table);
}

static void the_other_byte_order_is_read(void **state)
{
	static const uint8_t entry[] = { BY_NUMBER, 1, NAMED, 0, 0, 0, 3, 0 };
	static const uint8_t offsets[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1 };
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_function fn;
	struct made m;

	(void)state;
	make(&m, references, sizeof(references));
	m.file.swap = true;
	m.file.str = (struct die_bytes){ (const uint8_t *)"\0link", 6 };
	m.file.str_offsets = (struct die_bytes){ offsets, sizeof(offsets) };
	memcpy(m.info.bytes + m.info.n, entry, sizeof(entry));
	m.info.n += sizeof(entry);
	end_unit(&m, 0);
	assert_true(die_function_at(&m.file, HEAD, &tables, &fn));
	assert_string_equal(fn.linkage.text, "link");
	assert_int_equal(fn.linkage.offset, 1);
	assert_true(die_function_at(&m.file, HEAD + 2, &tables, &fn));
	assert_string_equal(fn.name.text, "nk");
	assert_int_equal(fn.name.offset, 3);
	die_table_done(&m.table);
}

static void a_number_behind_the_names_is_none(void **state)
{
	/* Bytes after the 16 of the table are not read. */
	static const uint8_t offsets[24] = { [12] = 1, [16] = 1, [20] = 1 };
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		struct made m;

		make(&m, references, sizeof(references));
		m.file.str = (struct die_bytes){ (const uint8_t *)"\0link", 6 };
		m.file.str_offsets = (struct die_bytes){ offsets, i < 4 ? 16 : 7 };
		dwarf_put(&m.info, BY_NUMBER, 1);
		dwarf_put(&m.info, i % 4, 1);
		end_unit(&m, 0);

		struct die_function fn = read_first(&m, &tables);

		if (i < 2)
			assert_string_equal(fn.linkage.text, i ? "link" : "");
		else
			assert_null(fn.linkage.text);
		die_table_done(&m.table);
	}
}

#define PLACE_ABBREVS                                                                              \
	{                                                                                          \
		DWARF_ABBREV(NAMED, DW_TAG_variable, 0, DW_AT_name, DW_FORM_string,                \
			     DW_AT_location, DW_FORM_exprloc),                                     \
			0,                                                                         \
	}

/* Returns the place of a variable whose location is the @n bytes of @code. */
static enum die_place place(const uint8_t *code, size_t n, bool swap, uint64_t *ret)
{
	static const uint8_t abbrevs[] = PLACE_ABBREVS;
	enum die_place found;
	struct die_entry e;
	struct die_walk w;
	struct made m;

	make(&m, abbrevs, sizeof(abbrevs));
	m.file.swap = swap;
	dwarf_put(&m.info, NAMED, 1);
	dwarf_text(&m.info, "v");
	dwarf_put(&m.info, n, 1);
	memcpy(m.info.bytes + m.info.n, code, n);
	m.info.n += n;
	end_unit(&m, 0);
	die_walk_init(&w, &m.file, &m.table, 0);
	assert_true(die_walk_next(&w, DIE_VARIABLE, &e));
	assert_int_equal(e.offset, HEAD);
	found = die_variable_place(&m.file, &m.table, &e, ret);
	die_table_done(&m.table);
	return found;
}

static void a_variable_with_one_address_is_somewhere(void **state)
{
	const uint8_t addr[] = { DW_OP_addr, 1, 2, 0, 0, 0, 0, 0, 3 };
	const uint8_t const4[] = { DW_OP_const4u, 1, 2, 3, 4 };
	const uint8_t const8[] = { DW_OP_const8u, 8, 7, 6, 5, 4, 3, 2, 1 };
	uint64_t at = 99;

	(void)state;
	assert_int_equal(place(addr, sizeof(addr), false, &at), DIE_AT_ADDRESS);
	assert_int_equal(at, 0x0300000000000201);
	assert_int_equal(place(addr, sizeof(addr), true, &at), DIE_AT_ADDRESS);
	assert_int_equal(at, 0x0102000000000003);
	assert_int_equal(place(const4, sizeof(const4), false, &at), DIE_AT_ADDRESS);
	assert_int_equal(at, 0x04030201);
	assert_int_equal(place(const8, sizeof(const8), false, &at), DIE_AT_ADDRESS);
	assert_int_equal(at, 0x0102030405060708);
}

static void a_variable_may_be_at_an_index(void **state)
{
	static const uint8_t codes[] = { DW_OP_addrx, DW_OP_constx, DW_OP_GNU_addr_index,
					 DW_OP_GNU_const_index };
	uint64_t at = 99;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		assert_int_equal(place((const uint8_t[]){ codes[i], 5 }, 2, false, &at),
				 DIE_AT_INDEX);
	assert_int_equal(at, 99);
}

static void an_expression_that_says_more_is_nowhere(void **state)
{
	const uint8_t addr[] = { DW_OP_addr, 1, 2, 0, 0, 0, 0, 0, 3, DW_OP_deref };
	const uint8_t const4[] = { DW_OP_const4u, 1, 2, 3, 4, DW_OP_deref };
	const uint8_t const8[] = { DW_OP_const8u, 8, 7, 6, 5, 4, 3, 2, 1, DW_OP_deref };
	const uint8_t frame[] = { DW_OP_fbreg, 8 };
	uint64_t at = 99;

	(void)state;
	assert_int_equal(place(addr, 10, false, &at), DIE_NOWHERE);
	assert_int_equal(place(addr, 8, false, &at), DIE_NOWHERE);
	assert_int_equal(place(addr, 1, false, &at), DIE_NOWHERE);
	assert_int_equal(place(addr, 0, false, &at), DIE_NOWHERE);
	assert_int_equal(place(const4, 6, false, &at), DIE_NOWHERE);
	assert_int_equal(place(const4, 4, false, &at), DIE_NOWHERE);
	assert_int_equal(place(const8, 10, false, &at), DIE_NOWHERE);
	assert_int_equal(place(const8, 5, false, &at), DIE_NOWHERE);
	assert_int_equal(place(frame, 2, false, &at), DIE_NOWHERE);
	assert_int_equal(at, 99);
}

/* The entry has the attributes of a unit's own entry, but is a function. */
static void only_the_entry_of_a_unit_is_asked_for_lines(void **state)
{
	static const uint8_t abbrevs[] = {
		DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string,
			     DW_AT_language, DW_FORM_data1, DW_AT_stmt_list, DW_FORM_sec_offset,
			     DW_AT_str_offsets_base, DW_FORM_sec_offset),
		0,
	};
	struct made m;

	(void)state;
	make_unit(&m, abbrevs, sizeof(abbrevs));
	die_unit_read(&m.file, &m.table, &m.units[0]);
	assert_int_equal(m.units[0].lines, 0);
	assert_int_equal(m.units[0].language, 0);
	assert_int_equal(m.units[0].str_offsets, 8);
	die_table_done(&m.table);
}

static void a_skeleton_names_another_file(void **state)
{
	static const uint8_t names[] = { DW_AT_dwo_name, DW_AT_comp_dir };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const uint8_t abbrevs[] = {
			DWARF_ABBREV(NAMED, DW_TAG_skeleton_unit, 0, names[i], DW_FORM_string),
			0,
		};
		struct made m;

		make(&m, abbrevs, sizeof(abbrevs));
		dwarf_put(&m.info, NAMED, 1);
		dwarf_text(&m.info, "a.dwo");
		end_unit(&m, 0);
		die_unit_read(&m.file, &m.table, &m.units[0]);
		assert_int_equal(m.units[0].is_split, i == 0);
		die_table_done(&m.table);
	}
}

static void a_damaged_table_is_remembered_as_such(void **state)
{
	struct die_tables tables = { .map = { 0 } };
	struct made m;

	(void)state;
	make(&m, references, sizeof(references));
	dwarf_put(&m.info, BY_NUMBER, 1);
	dwarf_put(&m.info, 1, 1);
	end_unit(&m, 0);
	m.units[1] = m.units[0];
	m.units[1].abbrevs = 1000;

	const struct die_table *t = die_tables_get(&tables, &m.file, &m.units[0]);

	assert_non_null(t);
	assert_ptr_equal(t->unit, &m.units[0]);
	assert_ptr_equal(die_tables_get(&tables, &m.file, &m.units[0]), t);
	for (int i = 0; i < 2; i++)
		assert_null(die_tables_get(&tables, &m.file, &m.units[1]));
	assert_int_equal(tables.map.n, 2);
	die_tables_done(&tables);
	die_table_done(&m.table);
}

/* Both files have a function at the same offset. */
static void a_reference_may_lead_to_the_file_that_several_share(void **state)
{
	static const uint8_t abbrevs[] = {
		DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string),
		DWARF_ABBREV(FAR, DW_TAG_subprogram, 0, DW_AT_abstract_origin, DW_FORM_ref_sup4),
		0,
	};
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_function fn;
	struct made m, alt;

	(void)state;
	make(&alt, abbrevs, sizeof(abbrevs));
	dwarf_put(&alt.info, 0, 5);
	dwarf_put(&alt.info, NAMED, 1);
	dwarf_text(&alt.info, "shared");
	end_unit(&alt, 0);
	make(&m, abbrevs, sizeof(abbrevs));
	dwarf_put(&m.info, FAR, 1);
	dwarf_put(&m.info, HEAD + 5, 4);
	dwarf_put(&m.info, NAMED, 1);
	dwarf_text(&m.info, "own");
	end_unit(&m, 0);
	m.file.alt = &alt.file;
	fn = read_first(&m, &tables);
	assert_ptr_equal(fn.origin.file, &alt.file);
	assert_int_equal(fn.origin.offset, HEAD + 5);
	assert_string_equal(fn.name.text, "shared");
	die_table_done(&m.table);
	die_table_done(&alt.table);
}

/* Makes @n entries, each of which refers to the next. The last one has a name. */
static const char *name_after(unsigned n)
{
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_function fn;
	struct made m;

	make(&m, references, sizeof(references));
	m.file.str = (struct die_bytes){ (const uint8_t *)"\0name", 6 };
	for (unsigned i = 0; i < n; i++) {
		dwarf_put(&m.info, CLOSE, 1);
		dwarf_put(&m.info, HEAD + 2 * i + 2, 1);
	}
	dwarf_put(&m.info, NAMED, 1);
	dwarf_put(&m.info, 1, 4);
	dwarf_put(&m.info, 0, 1);
	end_unit(&m, 0);
	fn = read_first(&m, &tables);
	die_table_done(&m.table);
	return fn.name.text;
}

static void eight_references_are_followed(void **state)
{
	(void)state;
	assert_string_equal(name_after(0), "name");
	assert_string_equal(name_after(1), "name");
	assert_string_equal(name_after(8), "name");
	assert_null(name_after(9));
}

static void a_function_says_where_it_is_declared(void **state)
{
	static const uint8_t abbrevs[] = {
		DWARF_ABBREV(NAMED, DW_TAG_subprogram, 0, DW_AT_decl_file, DW_FORM_data1,
			     DW_AT_decl_line, DW_FORM_data2, DW_AT_call_file, DW_FORM_udata,
			     DW_AT_declaration, DW_FORM_flag_present),
		DWARF_ABBREV(PLAIN, DW_TAG_subprogram, 0, DW_AT_external, DW_FORM_flag),
		0,
	};
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_function fn;
	struct made m;

	(void)state;
	make(&m, abbrevs, sizeof(abbrevs));
	dwarf_put(&m.info, NAMED, 1);
	dwarf_put(&m.info, 3, 1);
	dwarf_put(&m.info, 0x102, 2);
	dwarf_put(&m.info, 0x0181, 2);
	dwarf_put(&m.info, PLAIN, 1);
	dwarf_put(&m.info, 1, 1);
	end_unit(&m, 0);
	assert_true(die_function_at(&m.file, HEAD, &tables, &fn));
	assert_int_equal(fn.file, 3);
	assert_int_equal(fn.line, 0x102);
	assert_int_equal(fn.call_file, 0x81);
	assert_true(fn.is_declaration);
	assert_false(fn.has_code);
	assert_true(die_function_at(&m.file, HEAD + 6, &tables, &fn));
	assert_true(fn.file == DIE_NONE && fn.call_file == DIE_NONE);
	assert_int_equal(fn.line, 0);
	assert_false(fn.is_declaration);
	die_table_done(&m.table);
}

static void the_end_of_a_list_is_no_function(void **state)
{
	_cleanup_(die_tables_done) struct die_tables tables = { .map = { 0 } };
	struct die_function fn;
	struct made m;

	(void)state;
	make(&m, references, sizeof(references));
	dwarf_put(&m.info, 0, 1);
	dwarf_put(&m.info, TYPE, 1);
	dwarf_text(&m.info, "int");
	end_unit(&m, 0);
	assert_false(die_function_at(&m.file, HEAD, &tables, &fn));
	assert_false(die_function_at(&m.file, HEAD + 1, &tables, &fn));
	assert_false(die_function_at(&m.file, m.units[0].end, &tables, &fn));
	die_table_done(&m.table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_passed_over),
		cmocka_unit_test(every_form_is_read_over),
		cmocka_unit_test(a_unit_that_is_cut_ends_there),
		cmocka_unit_test(an_unknown_code_ends_the_walk),
		cmocka_unit_test(types_are_entered_only_where_asked),
		cmocka_unit_test(a_sibling_that_lies_behind_or_outside_ends_the_walk),
		cmocka_unit_test(a_name_comes_from_what_is_referred_to),
		cmocka_unit_test(a_reference_to_itself_or_to_nothing_gives_no_name),
		cmocka_unit_test(names_may_be_numbered),
		cmocka_unit_test(names_may_be_in_the_file_that_several_share),
		cmocka_unit_test(a_copy_says_where_it_is_called),
		cmocka_unit_test(a_unit_says_where_its_lines_are),
		cmocka_unit_test(a_unit_without_its_own_entry_says_nothing),
		cmocka_unit_test(a_sibling_may_be_the_next_entry_or_the_end),
		cmocka_unit_test(the_other_byte_order_is_read),
		cmocka_unit_test(a_number_behind_the_names_is_none),
		cmocka_unit_test(a_variable_with_one_address_is_somewhere),
		cmocka_unit_test(a_variable_may_be_at_an_index),
		cmocka_unit_test(an_expression_that_says_more_is_nowhere),
		cmocka_unit_test(only_the_entry_of_a_unit_is_asked_for_lines),
		cmocka_unit_test(a_skeleton_names_another_file),
		cmocka_unit_test(a_damaged_table_is_remembered_as_such),
		cmocka_unit_test(a_reference_may_lead_to_the_file_that_several_share),
		cmocka_unit_test(eight_references_are_followed),
		cmocka_unit_test(a_function_says_where_it_is_declared),
		cmocka_unit_test(the_end_of_a_list_is_no_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
