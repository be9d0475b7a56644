/* SPDX-License-Identifier: MIT */
/* Tests the pass over all units. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "counted-progress.h"
#include "dwarf-elf.h"
#include "dwarf/debug-index-build.h"

enum {
	UNIT = 1,
	SKELETON,
	CODE,
	DECLARATION,
	ABSTRACT,
	SPECIFIED,
	COPY,
	NUMBERING,
	NUMBERED,
	SPACE,
};

static const uint8_t abbrevs[] = {
	DWARF_ABBREV(UNIT, DW_TAG_compile_unit, 1, DW_AT_language, DW_FORM_data1),
	DWARF_ABBREV(SKELETON, DW_TAG_skeleton_unit, 0, DW_AT_dwo_name, DW_FORM_string),
	DWARF_ABBREV(CODE, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
		     DW_FORM_data1),
	DWARF_ABBREV(DECLARATION, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string,
		     DW_AT_declaration, DW_FORM_flag_present),
	DWARF_ABBREV(ABSTRACT, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strp, DW_AT_linkage_name,
		     DW_FORM_string, DW_AT_inline, DW_FORM_data1),
	DWARF_ABBREV(SPECIFIED, DW_TAG_subprogram, 0, DW_AT_specification, DW_FORM_ref_addr,
		     DW_AT_ranges, DW_FORM_data1),
	DWARF_ABBREV(COPY, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin, DW_FORM_ref_addr),
	DWARF_ABBREV(NUMBERING, DW_TAG_compile_unit, 1, DW_AT_str_offsets_base, DW_FORM_sec_offset),
	DWARF_ABBREV(NUMBERED, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_strx1, DW_AT_declaration,
		     DW_FORM_flag_present),
	DWARF_ABBREV(SPACE, DW_TAG_variable, 0, DW_AT_const_value, DW_FORM_block4),
	0,
};

struct made {
	struct die_file file;
	struct dwarf_bytes info;
	size_t start; /* of the unit that is being made */
};

static void make(struct made *m)
{
	*m = (struct made){ .file = { .abbrev = { abbrevs, sizeof(abbrevs) },
				      .str = { (const uint8_t *)"\0abstract", 10 } } };
}

static void begin_unit(struct made *m, unsigned type, uint64_t abbrev)
{
	m->start = m->info.n;
	dwarf_put(&m->info, 0, 4);
	dwarf_put(&m->info, 5, 2);
	dwarf_put(&m->info, type, 1);
	dwarf_put(&m->info, 8, 1);
	dwarf_put(&m->info, abbrev, 4);
	if (type == DW_UT_skeleton)
		dwarf_put(&m->info, 99, 8);
	if (type == DW_UT_compile) {
		dwarf_put(&m->info, UNIT, 1);
		dwarf_put(&m->info, DW_LANG_C11, 1);
	}
}

static void end_unit(struct made *m)
{
	dwarf_close(&m->info, m->start);
	m->file.info = (struct die_bytes){ m->info.bytes, m->info.n };
}

static uint64_t put(struct made *m, unsigned code, const char *name)
{
	uint64_t offset = m->info.n;

	dwarf_put(&m->info, code, 1);
	dwarf_text(&m->info, name);
	if (code == CODE)
		dwarf_put(&m->info, 1, 1);
	return offset;
}

static uint64_t put_reference(struct made *m, unsigned code, uint64_t to)
{
	uint64_t offset = m->info.n;

	dwarf_put(&m->info, code, 1);
	dwarf_put(&m->info, to, 4);
	if (code == SPECIFIED)
		dwarf_put(&m->info, 1, 1);
	return offset;
}

/* Returns the only row for @name, or NULL. */
static const struct debug_index_row *find(const struct debug_index *x, const char *name)
{
	uint32_t hash = debug_index_hash(name);
	const struct debug_index_row *found = NULL, *rows;
	size_t n;

	rows = debug_index_find(x, hash, &n);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].hash != hash)
			continue;
		assert_null(found);
		found = &rows[i];
	}
	return found;
}

static struct debug_index *build(struct made *m, struct die_files *files,
				 void (*add_split)(void *, struct die_files *), void *arg)
{
	*files = (struct die_files){ .n = 0 };
	*ARRAY_ADD(files) = &m->file;
	return debug_index_build(files, add_split, arg, NULL);
}

static void functions_are_taken_and_declarations_are_not(void **state)
{
	struct die_files files;
	struct made m;

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_compile, 0);
	put(&m, DECLARATION, "elsewhere");
	end_unit(&m);
	begin_unit(&m, DW_UT_compile, 0);

	uint64_t entry = put(&m, CODE, "here");

	dwarf_put(&m.info, ABSTRACT, 1);
	dwarf_put(&m.info, 1, 4);
	dwarf_text(&m.info, "_Zabstract");
	dwarf_put(&m.info, DW_INL_inlined, 1);
	end_unit(&m);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);
	const struct debug_index_row *row = find(x, "here");

	assert_int_equal(row->unit, 1);
	assert_int_equal(files.items[0]->units[1].start + row->entry, entry);
	assert_null(find(x, "elsewhere"));
	assert_int_equal(find(x, "abstract")->unit, 1 | INDEX_ABSTRACT | INDEX_STR);
	assert_int_equal(find(x, "abstract")->name, 1);
	assert_int_equal(find(x, "_Zabstract")->unit, 1 | INDEX_ABSTRACT | INDEX_LINKAGE);
	free(files.items);
}

static void each_unit_is_progress(void **state)
{
	struct counted_progress told = COUNTED_PROGRESS;
	struct die_files files = { .n = 0 };
	struct made m;

	(void)state;
	make(&m);
	for (unsigned i = 0; i < 3; i++) {
		begin_unit(&m, DW_UT_compile, 0);
		put(&m, CODE, "here");
		end_unit(&m);
	}
	*ARRAY_ADD(&files) = &m.file;

	_cleanup_(debug_index_freep) struct debug_index *x = debug_index_build(&files, NULL, NULL,
									       &told.progress);

	assert_non_null(x);
	assert_int_equal(told.updates, 3);
	assert_int_equal(told.done, 3);
	assert_int_equal(told.total, 3);
	assert_int_equal(told.finishes, 1);
	assert_string_equal(told.title, "Indexing debug information");
	free(files.items);
}

static void a_declaration_gives_its_name_to_another_unit(void **state)
{
	struct die_files files;
	struct made m;
	uint64_t declared;

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_compile, 0);
	declared = put(&m, DECLARATION, "method");
	end_unit(&m);
	begin_unit(&m, DW_UT_compile, 0);
	put_reference(&m, SPECIFIED, declared);
	end_unit(&m);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);

	assert_int_equal(find(x, "method")->unit, 1);
	free(files.items);
}

/*
 * The first number of each of two units, behind 8 bytes of a header that is not read. A unit whose
 * own entry has not been read seems to have the numbers at 8.
 */
static const uint8_t numbers[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
				   0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0 };

/* The offset of the declaration in a unit of put_pair(). */
#define NUMBERED_AT (12 + 1 + 4)

/*
 * Appends a function whose name is in the next unit, and that unit, whose names by number begin at
 * 20: "right". They will be at @at of .debug_info.
 */
static void put_pair(struct made *m, uint64_t at)
{
	m->file.str = (struct die_bytes){ (const uint8_t *)"\0wrong\0right", 13 };
	m->file.str_offsets = (struct die_bytes){ numbers, sizeof(numbers) };
	begin_unit(m, DW_UT_compile, 0);
	put_reference(m, SPECIFIED, at + m->info.n + 6 + NUMBERED_AT);
	end_unit(m);
	begin_unit(m, DW_UT_partial, 0);
	dwarf_put(&m->info, NUMBERING, 1);
	dwarf_put(&m->info, 20, 4);
	dwarf_put(&m->info, NUMBERED, 1);
	dwarf_put(&m->info, 0, 1);
	end_unit(m);
}

static void a_name_by_number_is_that_of_the_unit_referred_to(void **state)
{
	struct die_files files;
	struct made m;

	(void)state;
	make(&m);
	put_pair(&m, 0);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);

	assert_non_null(find(x, "right"));
	assert_null(find(x, "wrong"));
	free(files.items);
}

#define PAIRS 256
#define MUCH  (1 << 20) /* enough for several threads */

/* Makes pairs of units, and one unit that is only large. */
static uint8_t *make_much(struct made *m)
{
	uint8_t *info = xmalloc(MUCH + PAIRS * sizeof(m->info.bytes));
	size_t at = 0;

	for (unsigned i = 0; i < PAIRS; i++) {
		make(m);
		put_pair(m, at);
		memcpy(info + at, m->info.bytes, m->info.n);
		at += m->info.n;
	}
	m->info.n = 0;
	begin_unit(m, DW_UT_compile, 0);
	dwarf_put(&m->info, SPACE, 1);
	dwarf_put(&m->info, MUCH, 4);
	m->info.n += MUCH;
	dwarf_close(&m->info, 0);
	memcpy(info + at, m->info.bytes, sizeof(m->info.bytes));
	m->file.info = (struct die_bytes){ info, at + m->info.n };
	return info;
}

static void threads_find_the_names_that_one_finds(void **state)
{
	struct die_files files;
	struct made m;
	size_t n, n_right = 0;

	(void)state;

	uint8_t *info = make_much(&m);
	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);
	uint32_t hash = debug_index_hash("right");
	const struct debug_index_row *rows = debug_index_find(x, hash, &n);

	for (size_t i = 0; i < n; i++)
		n_right += rows[i].hash == hash;
	assert_int_equal(n_right, PAIRS);
	assert_null(find(x, "wrong"));
	free(files.items);
	free(info);
}

static void copies_in_other_units_are_noted(void **state)
{
	struct die_files files;
	struct made m;
	uint64_t origin;
	size_t n;

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_compile, 0);
	origin = put(&m, CODE, "f");
	end_unit(&m);
	for (unsigned i = 0; i < 2; i++) {
		begin_unit(&m, DW_UT_compile, 0);
		put_reference(&m, COPY, origin);
		put_reference(&m, COPY, origin);
		end_unit(&m);
	}

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);
	const struct debug_index_cross *far = debug_index_cross(x, 0, origin, &n);

	assert_int_equal(n, 2);
	assert_int_equal(far[0].unit, 1);
	assert_int_equal(far[1].unit, 2);
	free(files.items);
}

static void a_damaged_unit_spoils_no_other(void **state)
{
	struct die_files files;
	struct made m;

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_compile, 0);
	put(&m, CODE, "first");
	end_unit(&m);
	begin_unit(&m, DW_UT_compile, sizeof(abbrevs) + 1);
	put(&m, CODE, "lost");
	end_unit(&m);
	begin_unit(&m, DW_UT_compile, 0);
	dwarf_put(&m.info, 0x55, 1); /* no such abbreviation */
	put(&m, CODE, "lost");
	end_unit(&m);
	begin_unit(&m, DW_UT_type, 0); /* shorter than its header */
	end_unit(&m);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, NULL, NULL);

	assert_non_null(find(x, "first"));
	assert_null(find(x, "lost"));
	free(files.items);
}

struct split {
	struct made *other;
	unsigned calls;
};

static void add_split(void *arg, struct die_files *files)
{
	struct split *s = arg;

	s->calls++;
	assert_true(files->items[0]->units[0].is_split);
	*ARRAY_ADD(files) = &s->other->file;
}

static void the_rest_of_split_units_is_asked_for(void **state)
{
	struct die_files files;
	struct made m, other;
	struct split s = { .other = &other };

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_skeleton, 0);
	put(&m, SKELETON, "other.dwo");
	end_unit(&m);
	make(&other);
	begin_unit(&other, DW_UT_compile, 0);
	put(&other, CODE, "split");
	end_unit(&other);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, add_split, &s);

	assert_int_equal(s.calls, 1);
	assert_int_equal(files.n, 2);
	assert_int_equal(find(x, "split")->unit, 1);
	assert_int_equal(files.items[1]->n_units, 1);
	free(files.items);
}

static void who_has_no_split_units_is_not_asked(void **state)
{
	struct die_files files;
	struct split s = { .calls = 0 };
	struct made m;

	(void)state;
	make(&m);
	begin_unit(&m, DW_UT_compile, 0);
	end_unit(&m);

	_cleanup_(debug_index_freep) struct debug_index *x = build(&m, &files, add_split, &s);

	assert_int_equal(s.calls, 0);
	free(files.items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_taken_and_declarations_are_not),
		cmocka_unit_test(each_unit_is_progress),
		cmocka_unit_test(a_declaration_gives_its_name_to_another_unit),
		cmocka_unit_test(a_name_by_number_is_that_of_the_unit_referred_to),
		cmocka_unit_test(threads_find_the_names_that_one_finds),
		cmocka_unit_test(copies_in_other_units_are_noted),
		cmocka_unit_test(a_damaged_unit_spoils_no_other),
		cmocka_unit_test(the_rest_of_split_units_is_asked_for),
		cmocka_unit_test(who_has_no_split_units_is_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
