/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/cursor.h"
#include "dwarf/unwind/cfi-section.h"
#include "leaf-elf.h"

#define CODE 0x401000

/* Makes two functions, the second before the first. */
static size_t make(struct leaf_frames *f)
{
	size_t cie = leaf_cie(f, "zR"), first = f->n;

	leaf_fde(f, cie, CODE + 0x100, 0x40, "\x41", 1);
	leaf_fde(f, cie, CODE, 0x80, "", 0);
	leaf_put(f, "\0\0\0\0", 4);
	return first;
}

static struct cfi_section section_of(const struct leaf_frames *f)
{
	const struct cfi_section_options o = {
		.bytes = f->bytes, .size = f->n, .addr = 0x5000, .is_64 = true
	};
	struct cfi_section s;

	cfi_section_init(&s, &o);
	return s;
}

/* Returns the FDE for @addr. Its end is 0 if there is none. */
static struct cfi_fde find(const struct cfi_section *s, uint64_t addr)
{
	struct cfi_fde fde = { .end = 0 };
	size_t number;

	if (cfi_section_number(s, addr, &number) && cfi_section_fde(s, number, &fde) &&
	    (addr < fde.start || addr >= fde.end))
		fde.end = 0;
	return fde;
}

static void functions_are_found_by_address(void **state)
{
	struct leaf_frames f = { .n = 0 };

	(void)state;
	make(&f);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	assert_int_equal(s.n, 2);
	assert_int_equal(find(&s, CODE).end, CODE + 0x80);
	assert_int_equal(find(&s, CODE + 0x7f).start, CODE);
	assert_int_equal(find(&s, CODE + 0x80).end, 0);
	assert_int_equal(find(&s, CODE + 0x13f).start, CODE + 0x100);
	assert_int_equal(find(&s, CODE + 0x140).end, 0);
	assert_int_equal(find(&s, CODE - 1).end, 0);
}

static void an_entry_says_what_it_has_in_common_with_others(void **state)
{
	struct leaf_frames f = { .n = 0 };

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zRS"), CODE, 8, "\x41\x42", 2);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);
	struct cfi_fde fde = find(&s, CODE);

	assert_int_equal(fde.cie.code_align, 4);
	assert_int_equal(fde.cie.data_align, -8);
	assert_int_equal(fde.cie.ra_register, 30);
	assert_true(fde.cie.is_signal);
	assert_int_equal(fde.cie.program[0], 0x0c);
	assert_int_equal(fde.program[0], 0x41);
	assert_int_equal(fde.program[1], 0x42);
}

static void letters_that_nobody_knows_are_passed_over_by_their_size(void **state)
{
	struct leaf_frames f = { .n = 0 };

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "zx"), CODE, 8, "", 0);
	leaf_fde(&f, leaf_cie(&f, "x"), CODE + 8, 8, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	assert_int_equal(find(&s, CODE).cie.program[0], 0x0c);
	assert_int_equal(find(&s, CODE + 8).end, 0);
}

/* Makes a .eh_frame_hdr with the encodings that linkers use, for the section and entries given. */
static size_t make_table(uint8_t *to, uint64_t table_addr, const uint64_t *starts,
			 const uint64_t *places, size_t n)
{
	static const uint8_t head[] = { 1, 0x1b, 0x03, 0x3b, 0, 0, 0, 0 };
	uint32_t count = (uint32_t)n;

	memcpy(to, head, sizeof(head));
	memcpy(to + 8, &count, 4);
	for (size_t i = 0; i < n; i++) {
		int32_t pair[] = { (int32_t)(starts[i] - table_addr),
				   (int32_t)(places[i] - table_addr) };

		memcpy(to + 12 + i * 8, pair, 8);
	}
	return 12 + n * 8;
}

static void the_linkers_table_is_used(void **state)
{
	struct leaf_frames f = { .n = 0 };
	size_t first = make(&f);
	uint64_t starts[] = { CODE, CODE + 0x100 };
	uint64_t places[] = { 0x5000 + first + 0x20, 0x5000 + first };
	uint8_t table[64];
	struct cfi_section_options o = { .bytes = f.bytes,
					 .size = f.n,
					 .addr = 0x5000,
					 .table = table,
					 .table_addr = 0x4f00,
					 .is_64 = true };

	(void)state;
	o.table_size = make_table(table, o.table_addr, starts, places, 2);

	struct cfi_section s;

	cfi_section_init(&s, &o);
	assert_non_null(s.pairs);
	assert_int_equal(s.n, 2);
	assert_int_equal(find(&s, CODE + 0x10).end, CODE + 0x80);
	assert_int_equal(find(&s, CODE + 0x110).start, CODE + 0x100);
	cfi_section_done(&s);

	/* A table that claims more entries than it has is not used. */
	o.table_size -= 1;
	cfi_section_init(&s, &o);
	assert_null(s.pairs);
	assert_int_equal(find(&s, CODE + 0x110).start, CODE + 0x100);
	cfi_section_done(&s);
}

static void a_table_that_points_nowhere_gives_nothing(void **state)
{
	struct leaf_frames f = { .n = 0 };
	uint64_t starts[] = { CODE, CODE + 0x100 }, places[] = { 0x5000 + 9, 0xffff };
	uint8_t table[64];
	struct cfi_section_options o = { .bytes = f.bytes,
					 .addr = 0x5000,
					 .table = table,
					 .table_addr = 0x4f00,
					 .is_64 = true };
	struct cfi_section s;

	(void)state;
	make(&f);
	o.size = f.n;
	o.table_size = make_table(table, o.table_addr, starts, places, 2);
	cfi_section_init(&s, &o);
	assert_int_equal(find(&s, CODE).end, 0);
	assert_int_equal(find(&s, CODE + 0x100).end, 0);
	cfi_section_done(&s);
}

static void addresses_may_count_from_where_they_are(void **state)
{
	static const uint8_t bytes[] = { 0xfc, 0xff, 0xff, 0xff, 0x34, 0x12 };
	struct cfi_section s = { .o = { .bytes = bytes,
					.size = sizeof(bytes),
					.addr = 0x1000,
					.table_addr = 0x9000,
					.is_64 = true } };
	struct cursor c = cursor_over(bytes, sizeof(bytes), false);

	(void)state;
	assert_int_equal(cfi_section_address(&s, &c, 0x1b), 0xffc); /* pc-relative, sdata4 */
	c = cursor_over(bytes + 4, 2, false);
	assert_int_equal(cfi_section_address(&s, &c, 0x02), 0x1234);
	c = cursor_over(bytes + 4, 2, false);
	assert_int_equal(cfi_section_address(&s, &c, 0x12), 0x1004 + 0x1234);
	c = cursor_over(bytes, 4, false);
	assert_int_equal(cfi_section_address(&s, &c, 0x3b), 0x8ffc);
	c = cursor_over(bytes, 4, false);
	cfi_section_address(&s, &c, 0x9b); /* a pointer to it, in unmapped memory */
	assert_true(c.bad);
	c = cursor_over(bytes, 4, false);
	assert_int_equal(cfi_section_address(&s, &c, 0x0f), 0);
	assert_true(c.bad);
}

static void lengths_beyond_the_end_are_refused(void **state)
{
	(void)state;
	for (size_t n = 0; n < 0x60; n++) {
		struct leaf_frames f = { .n = 0 };

		make(&f);
		f.n = n;

		_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

		find(&s, CODE);
		find(&s, CODE + 0x100);
	}
}

/* Returns the number of functions if the CIE has an augmentation of this length. */
static size_t functions_with_cie_of(size_t length)
{
	static struct leaf_frames f;
	char augmentation[2000] = "zR";

	memset(augmentation + 2, 'B', length);
	f.n = 0;
	leaf_fde(&f, leaf_cie(&f, augmentation), CODE, 0x40, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	return s.n;
}

static void a_cie_larger_than_any_compiler_writes_is_refused(void **state)
{
	(void)state;
	assert_int_equal(functions_with_cie_of(900), 1);
	assert_int_equal(functions_with_cie_of(1900), 0);
}

/* Returns the number of functions if the CIE has this version. */
static size_t functions_with_version(uint8_t version)
{
	struct leaf_frames f = { .n = 0 };

	make(&f);
	f.bytes[8] = version; /* behind length and id */

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	return s.n;
}

static void the_versions_of_a_cie_are_1_3_and_4(void **state)
{
	/* Version 4, without letters: sizes of addresses and segments, alignments 4 and -8, r30. */
	static const uint8_t fourth[] = { 12, 0, 0, 0, 0, 0, 0, 0, 4, 0, 8, 0, 4, 0x78, 30, 0x42 };
	struct leaf_frames f = { .n = 0 };

	(void)state;
	assert_int_equal(functions_with_version(0), 0);
	assert_int_equal(functions_with_version(1), 2);
	assert_int_equal(functions_with_version(2), 0);
	assert_int_equal(functions_with_version(3), 2);
	assert_int_equal(functions_with_version(5), 0);
	leaf_put(&f, fourth, sizeof(fourth));
	leaf_fde(&f, 0, CODE, 8, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);
	struct cfi_fde fde = find(&s, CODE);

	assert_int_equal(fde.end, CODE + 8);
	assert_int_equal(fde.cie.code_align, 4);
	assert_int_equal(fde.cie.data_align, -8);
	assert_int_equal(fde.cie.ra_register, 30);
	assert_int_equal(fde.cie.program[0], 0x42);
}

/* The address of the function would read as version 1, no letters, and alignments of 0. */
static void an_fde_is_no_cie_of_another(void **state)
{
	struct leaf_frames f = { .n = 0 };
	size_t cie = leaf_cie(&f, "zR"), fde = f.n;

	(void)state;
	leaf_fde(&f, cie, 1, 8, "", 0);
	leaf_fde(&f, fde, CODE, 8, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	assert_int_equal(s.n, 1);
	assert_int_equal(find(&s, 1).end, 9);
	assert_int_equal(find(&s, CODE).end, 0);
}

/* True if a table of two entries is used after one byte of it was changed. */
static bool table_is_used(size_t at, uint8_t byte)
{
	struct leaf_frames f = { .n = 0 };
	size_t first = make(&f);
	uint64_t starts[] = { CODE, CODE + 0x100 };
	uint64_t places[] = { 0x5000 + first + 0x20, 0x5000 + first };
	uint8_t table[64];
	struct cfi_section_options o = { .bytes = f.bytes,
					 .size = f.n,
					 .addr = 0x5000,
					 .table = table,
					 .table_addr = 0x4f00,
					 .is_64 = true };
	struct cfi_section s;
	bool is_used;

	o.table_size = make_table(table, o.table_addr, starts, places, 2);
	table[at] = byte;
	cfi_section_init(&s, &o);
	is_used = s.pairs;
	assert_true(is_used || s.n == 2);
	cfi_section_done(&s);
	return is_used;
}

static void a_table_of_another_kind_is_left_alone(void **state)
{
	(void)state;
	assert_true(table_is_used(0, 1));
	assert_false(table_is_used(0, 2));    /* the version */
	assert_false(table_is_used(1, 0x0f)); /* not an encoding of the section's address */
	assert_false(table_is_used(2, 0xff)); /* no count */
	assert_false(table_is_used(3, 0x3c)); /* entries of eight bytes */
	assert_false(table_is_used(3, 0x1b)); /* relative to their own place */
	assert_false(table_is_used(8, 0));    /* no entries */
	assert_true(table_is_used(8, 1));
	assert_false(table_is_used(8, 3));
	/* Without the section's address, the count is read at the place of the address: 0. */
	assert_false(table_is_used(1, 0xff));
}

/* Returns the value of @bytes in this encoding, at address 0x1000 of a section. */
static uint64_t value_of(const char *bytes, size_t n, uint8_t encoding, bool is_64)
{
	struct cfi_section s = { .o = { .bytes = (const uint8_t *)bytes,
					.size = n,
					.addr = 0x1000,
					.table_addr = 0x9000,
					.is_64 = is_64 } };
	struct cursor c = cursor_over(bytes, n, false);
	uint64_t value = cfi_section_address(&s, &c, encoding);

	assert_false(c.bad);
	assert_int_equal(cursor_left(&c), 0);
	return value;
}

static void values_have_many_encodings(void **state)
{
	static const char ones[] = "\xfe\xff\xff\xff\xff\xff\xff\xff";

	(void)state;
	assert_int_equal(value_of(ones, 8, 0x00, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 4, 0x00, false), UINT32_MAX - 1);
	assert_int_equal(value_of(ones, 8, 0x08, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 4, 0x08, false), UINT64_MAX - 1);
	assert_int_equal(value_of("\x80\x7f", 2, 0x01, true), 0x3f80);
	assert_int_equal(value_of("\x80\x7f", 2, 0x09, true), (uint64_t)-128);
	assert_int_equal(value_of(ones, 2, 0x02, true), UINT16_MAX - 1);
	assert_int_equal(value_of(ones, 2, 0x0a, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 4, 0x03, true), UINT32_MAX - 1);
	assert_int_equal(value_of(ones, 4, 0x0b, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 8, 0x04, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 8, 0x0c, true), UINT64_MAX - 1);
	assert_int_equal(value_of(ones, 2, 0x1a, true), 0xffe);
	assert_int_equal(value_of(ones, 2, 0x3a, true), 0x8ffe);
}

static void a_range_is_neither_empty_nor_goes_round(void **state)
{
	struct leaf_frames f = { .n = 0 };
	size_t cie = leaf_cie(&f, "zR");

	(void)state;
	leaf_fde(&f, cie, CODE, 0, "", 0);
	leaf_fde(&f, cie, UINT64_MAX - 8, 9, "", 0);
	leaf_fde(&f, cie, UINT64_MAX - 8, 8, "", 0);
	leaf_fde(&f, cie, CODE, 1, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	assert_int_equal(s.n, 2);
	assert_int_equal(s.index[0].start, CODE);
	assert_int_equal(find(&s, CODE).end, CODE + 1);
	assert_true(find(&s, UINT64_MAX - 1).end == UINT64_MAX);
}

/* In .debug_frame, an FDE has the offset of its CIE, and a CIE has all ones there. */
static void entries_of_debug_frame_are_told_apart_by_all_ones(void **state)
{
	static const uint8_t narrow[] = {
		12, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 4, 0x78, 200,  0x42, 0, 0, 20, 0, 0, 0,
		0,  0, 0, 0, 0,    0x10, 0,    0,    0, 0, 0, 0,    0x20, 0,    0, 0, 0,  0, 0, 0,
	};
	static const uint8_t wide[] = {
		0xff, 0xff, 0xff, 0xff, 16, 0, 0, 0,    0,    0, 0, 0, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 1,  0, 4, 0x78, 30,   0, 0, 0, 0xff, 0xff, 0xff, 0xff,
		24,   0,    0,    0,    0,  0, 0, 0,    0,    0, 0, 0, 0,    0,    0,    0,
		0,    0x10, 0,    0,    0,  0, 0, 0,    0x20, 0, 0, 0, 0,    0,    0,    0,
	};
	struct cfi_section_options o = { .is_64 = true, .is_debug_frame = true };
	struct cfi_section s;

	(void)state;
	o.bytes = wide;
	o.size = sizeof(wide);
	cfi_section_init(&s, &o);
	assert_int_equal(s.n, 1);
	assert_int_equal(find(&s, 0x1010).end, 0x1020);
	assert_int_equal(find(&s, 0x1010).cie.ra_register, 30);
	cfi_section_done(&s);
	o.bytes = narrow;
	o.size = sizeof(narrow);
	cfi_section_init(&s, &o);
	assert_int_equal(s.n, 1);
	assert_int_equal(find(&s, 0x1010).end, 0x1020);
	/* In version 1 the number of the return address's register is one byte. */
	assert_int_equal(find(&s, 0x1010).cie.ra_register, 200);
	assert_int_equal(find(&s, 0x1010).cie.program[0], 0x42);
	cfi_section_done(&s);
}

static void an_fde_without_a_good_cie_does_not_hide_the_next(void **state)
{
	struct leaf_frames f = { .n = 0 };

	(void)state;
	leaf_fde(&f, leaf_cie(&f, "x"), CODE + 8, 8, "", 0);
	leaf_fde(&f, leaf_cie(&f, "zR"), CODE, 8, "", 0);

	_cleanup_(cfi_section_done) struct cfi_section s = section_of(&f);

	assert_int_equal(s.n, 1);
	assert_int_equal(find(&s, CODE).end, CODE + 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_by_address),
		cmocka_unit_test(an_entry_says_what_it_has_in_common_with_others),
		cmocka_unit_test(letters_that_nobody_knows_are_passed_over_by_their_size),
		cmocka_unit_test(the_linkers_table_is_used),
		cmocka_unit_test(a_table_that_points_nowhere_gives_nothing),
		cmocka_unit_test(addresses_may_count_from_where_they_are),
		cmocka_unit_test(lengths_beyond_the_end_are_refused),
		cmocka_unit_test(a_cie_larger_than_any_compiler_writes_is_refused),
		cmocka_unit_test(the_versions_of_a_cie_are_1_3_and_4),
		cmocka_unit_test(an_fde_is_no_cie_of_another),
		cmocka_unit_test(a_table_of_another_kind_is_left_alone),
		cmocka_unit_test(values_have_many_encodings),
		cmocka_unit_test(a_range_is_neither_empty_nor_goes_round),
		cmocka_unit_test(entries_of_debug_frame_are_told_apart_by_all_ones),
		cmocka_unit_test(an_fde_without_a_good_cie_does_not_hide_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
