/* SPDX-License-Identifier: MIT */
/*
 * Tests the function table of a Go program, in all layouts and byte orders, and with damage of all
 * kinds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "built-elf.h"
#include "elf/file.h"
#include "elf/go-functions.h"
#include "elf/symbols.h"

#define TEXT  0x11000
#define NAMES "\0main.main\0main.(*T).Work"

/* A table that is being made. */
struct made {
	uint8_t bytes[512];
	size_t n;
	bool swap;
};

static void put(struct made *m, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned shift = 8 * (m->swap ? size - 1 - i : i);

		m->bytes[m->n++] = (uint8_t)(value >> shift);
	}
}

static void put_header(struct made *m, uint32_t magic, unsigned word)
{
	put(m, magic, 4);
	put(m, 0, 2);
	put(m, 4, 1);
	put(m, word, 1);
}

static void put_names(struct made *m)
{
	memcpy(m->bytes + m->n, NAMES, sizeof(NAMES));
	m->n += sizeof(NAMES);
}

/* Go 1.18: addresses are relative to the text, records to the pairs. */
static struct made make_1_18(bool swap, uint32_t magic, uint64_t text)
{
	struct made m = { .swap = swap };

	put_header(&m, magic, 8);
	put(&m, 2, 8);
	put(&m, 0, 8);
	put(&m, text, 8);
	put(&m, 72, 8);
	for (int i = 0; i < 3; i++)
		put(&m, 0, 8);
	put(&m, 100, 8);
	put_names(&m);
	m.n = 100;
	put(&m, 0, 4);
	put(&m, 20, 4);
	put(&m, 0x40, 4);
	put(&m, 28, 4);
	put(&m, 0x60, 4);
	put(&m, 0, 4);
	put(&m, 1, 4);
	put(&m, 0x40, 4);
	put(&m, 11, 4);
	return m;
}

/* Go 1.16: addresses are absolute. */
static struct made make_1_16(bool swap)
{
	struct made m = { .swap = swap };

	put_header(&m, 0xfffffffa, 8);
	put(&m, 2, 8);
	put(&m, 0, 8);
	put(&m, 64, 8);
	for (int i = 0; i < 3; i++)
		put(&m, 0, 8);
	put(&m, 96, 8);
	put_names(&m);
	m.n = 96;
	put(&m, TEXT, 8);
	put(&m, 40, 8);
	put(&m, TEXT + 0x40, 8);
	put(&m, 52, 8);
	put(&m, TEXT + 0x60, 8);
	put(&m, TEXT, 8);
	put(&m, 1, 4);
	put(&m, TEXT + 0x40, 8);
	put(&m, 11, 4);
	return m;
}

/* Go 1.2, of 4 bytes: all offsets are relative to the beginning. */
static struct made make_1_2(bool swap)
{
	struct made m = { .swap = swap };

	put_header(&m, 0xfffffffb, 4);
	put(&m, 2, 4);
	put(&m, TEXT, 4);
	put(&m, 32, 4);
	put(&m, TEXT + 0x40, 4);
	put(&m, 40, 4);
	put(&m, TEXT + 0x60, 4);
	put(&m, TEXT, 4);
	put(&m, 49, 4);
	put(&m, TEXT + 0x40, 4);
	put(&m, 59, 4);
	put_names(&m);
	return m;
}

struct found {
	char text[200];
	size_t n;
};

static void take(const struct go_function *f, void *arg)
{
	struct found *to = arg;
	size_t at = strlen(to->text);

	to->n++;
	snprintf(to->text + at, sizeof(to->text) - at, "%llx+%llx %s;", (unsigned long long)f->addr,
		 (unsigned long long)f->size, f->name);
}

static int read_table(const struct made *m, uint64_t text, struct found *ret)
{
	const struct go_table t = { m->bytes, m->n, m->swap, text };

	*ret = (struct found){ .n = 0 };
	return go_functions_read(&t, take, ret);
}

static void assert_found(struct made m, uint64_t text)
{
	struct found f;

	/* The tests run on little-endian machines. */
	assert_int_equal(read_table(&m, text, &f), 0);
	assert_string_equal(f.text, "11000+40 main.main;11040+20 main.(*T).Work;");
}

static void each_layout_is_read_in_both_byte_orders(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		assert_found(make_1_18(swap, 0xfffffff0, TEXT), 0);
		assert_found(make_1_18(swap, 0xfffffff1, TEXT), 0);
		assert_found(make_1_16(swap), 0);
		assert_found(make_1_2(swap), 0);
	}
}

static void the_start_of_the_code_may_be_told_by_the_program(void **state)
{
	struct made m = make_1_18(false, 0xfffffff1, 0);
	struct found f;

	(void)state;
	assert_found(m, TEXT);
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
}

static void what_is_no_table_is_refused(void **state)
{
	struct made m = make_1_18(false, 0xfffffff2, TEXT); /* of a future version */
	struct found f;

	(void)state;
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m = make_1_18(false, 0xfffffff1, TEXT);
	m.bytes[4] = 1; /* a byte that is always 0 */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[4] = 0;
	m.bytes[6] = 3; /* not a size of instructions */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[6] = 4;
	m.bytes[7] = 2; /* not a size of words */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[7] = 8;
	m.bytes[8 + 7] = 1; /* more functions than fit */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[8 + 7] = 0;
	m.bytes[8 + 3 * 8 + 6] = 1; /* names beyond the end */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[8 + 3 * 8 + 6] = 0;
	m.bytes[8 + 7 * 8 + 6] = 1; /* pairs beyond the end */
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
}

/* Sets the 8-byte header word @i of a Go 1.18 table, and reads it. */
static int read_with_word(unsigned i, uint64_t value, struct found *ret)
{
	struct made m = make_1_18(false, 0xfffffff1, TEXT);

	memcpy(m.bytes + 8 + 8 * i, &value, sizeof(value));
	return read_table(&m, 0, ret);
}

static void the_parts_begin_inside_the_table(void **state)
{
	const uint64_t size = make_1_18(false, 0xfffffff1, TEXT).n;
	struct found f;

	(void)state;
	assert_int_equal(size, 136);
	assert_int_equal(read_with_word(3, size, &f), -EBADMSG);
	assert_int_equal(read_with_word(3, size - 1, &f), 0);
	assert_int_equal(f.n, 0);
	assert_int_equal(read_with_word(7, size, &f), -EBADMSG);
	assert_int_equal(read_with_word(7, size - 1, &f), -EBADMSG);
}

static void all_pairs_lie_inside_the_table(void **state)
{
	struct found f;

	(void)state;
	/* The pairs begin at 100 of 136 bytes, and each has 8. */
	assert_int_equal(read_with_word(0, 4, &f), 0);
	assert_int_equal(read_with_word(0, 5, &f), -EBADMSG);
	assert_int_equal(read_with_word(0, 29, &f), -EBADMSG);
	assert_int_equal(read_with_word(0, 288, &f), -EBADMSG);
	assert_int_equal(read_with_word(0, 0, &f), 0);
	assert_int_equal(f.n, 0);
}

static void a_name_behind_the_table_is_not_read(void **state)
{
	struct made m = make_1_18(false, 0xfffffff1, TEXT);
	const uint32_t name = (uint32_t)m.n - 72 + 1;
	struct found f;

	(void)state;
	memcpy(m.bytes + m.n, "stranger", 9);
	memcpy(m.bytes + 100 + 20 + 4, &name, sizeof(name));
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_string_equal(f.text, "11040+20 main.(*T).Work;");
	/* The end of the name is behind the table. */
	m = make_1_18(false, 0xfffffff1, TEXT);
	m.bytes[m.n - 1] = 'x';
	memcpy(m.bytes + m.n, "yz", 3);
	m.bytes[100 + 20 + 4] = (uint8_t)(m.n - 1 - 72);
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_int_equal(f.n, 0); /* the last byte also belongs to the other name's offset */
}

static void functions_that_are_damaged_are_left_out(void **state)
{
	struct made m = make_1_18(false, 0xfffffff1, TEXT);
	struct found f;

	(void)state;
	m.bytes[100 + 4 + 2] = 1; /* a record beyond the end */
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_string_equal(f.text, "11040+20 main.(*T).Work;");
	m = make_1_18(false, 0xfffffff1, TEXT);
	m.bytes[100 + 20 + 4 + 2] = 1; /* a name beyond the end */
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_int_equal(f.n, 1);
	m = make_1_18(false, 0xfffffff1, TEXT);
	m.bytes[100 + 20 + 4] = 0; /* an empty name */
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_int_equal(f.n, 1);
	m = make_1_18(false, 0xfffffff1, TEXT);
	m.bytes[100 + 16] = 0; /* an end before the start */
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_int_equal(f.n, 1);
}

static void a_table_that_is_cut_has_fewer_functions(void **state)
{
	struct made all[] = { make_1_18(false, 0xfffffff1, TEXT), make_1_16(false),
			      make_1_2(false) };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (size_t n = all[i].n; n-- > 0;) {
			struct made m = all[i];
			struct found f;
			int r;

			m.n = n;
			r = read_table(&m, 0, &f);
			assert_true(r == 0 || r == -EBADMSG);
			assert_true(f.n <= 2);
		}
}

/* A million functions could share a name of a kilobyte. */
static void one_name_for_all_functions_costs_no_more_than_the_table(void **state)
{
	struct made m = { .swap = false };
	struct found f;

	(void)state;
	put_header(&m, 0xfffffff1, 8);
	put(&m, 30, 8);
	put(&m, 0, 8);
	put(&m, TEXT, 8);
	put(&m, 72, 8);
	for (int i = 0; i < 3; i++)
		put(&m, 0, 8);
	put(&m, 180, 8);
	memset(m.bytes + 73, 'x', 100);
	m.n = 180;
	for (unsigned i = 0; i < 30; i++) {
		put(&m, 4 * i, 4);
		put(&m, 244, 4);
	}
	put(&m, 400, 4);
	put(&m, 0, 4);
	put(&m, 1, 4);
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_in_range(f.n, 1, m.n / 100);
}

static void a_name_has_less_than_4096_bytes(void **state)
{
	static struct {
		uint8_t bytes[10000];
	} large;
	struct made m = make_1_18(false, 0xfffffff1, TEXT);
	struct go_table t = { large.bytes, 9000, false, 0 };
	uint32_t name = 200 - 72;
	struct found f = { .n = 0 };

	(void)state;
	memcpy(large.bytes, m.bytes, m.n);
	memcpy(large.bytes + 100 + 20 + 4, &name, sizeof(name));
	memset(large.bytes + 200, 'x', 4095);
	assert_int_equal(go_functions_read(&t, take, &f), 0);
	assert_int_equal(f.n, 2);
	large.bytes[200 + 4095] = 'x';
	f = (struct found){ .n = 0 };
	assert_int_equal(go_functions_read(&t, take, &f), 0);
	assert_string_equal(f.text, "11040+20 main.(*T).Work;");
	/* The name ends behind the table. */
	memset(large.bytes + 8990, 'x', 11);
	name = 8990 - 72;
	memcpy(large.bytes + 100 + 20 + 4, &name, sizeof(name));
	f = (struct found){ .n = 0 };
	assert_int_equal(go_functions_read(&t, take, &f), 0);
	assert_string_equal(f.text, "11040+20 main.(*T).Work;");
}

static void a_function_without_code_is_left_out(void **state)
{
	struct made m = make_1_18(false, 0xfffffff1, TEXT);
	struct found f;

	(void)state;
	m.bytes[100 + 8] = 0;
	assert_int_equal(read_table(&m, 0, &f), 0);
	assert_string_equal(f.text, "11000+60 main.(*T).Work;");
}

static void an_empty_table_has_its_pairs_inside(void **state)
{
	struct made m = make_1_18(false, 0xfffffff1, TEXT);
	struct found f;

	(void)state;
	m.bytes[8] = 0;
	assert_int_equal(read_table(&m, 0, &f), 0);
	m.bytes[8 + 8 * 7] = (uint8_t)m.n;
	assert_int_equal(read_table(&m, 0, &f), -EBADMSG);
	m.bytes[8 + 8 * 7] = (uint8_t)(m.n - 1);
	assert_int_equal(read_table(&m, 0, &f), 0);
}

struct symbols {
	struct elf_symbol items[4];
	size_t n;
};

static void take_symbol(const struct elf_symbol *s, void *arg)
{
	struct symbols *to = arg;

	assert_in_range(to->n, 0, 3);
	to->items[to->n++] = *s;
}

/* Reads a program whose function table is the section @name. @first is the section before it. */
static int read_program(const char *first, const char *name, uint64_t text, struct symbols *ret)
{
	struct made m = make_1_18(false, 0xfffffff1, text);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	static struct built_elf b;

	*ret = (struct symbols){ .n = 0 };
	built_begin(&b);
	built_add(&b, first, SHT_PROGBITS, SHF_ALLOC, "code", 4);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC, "code", 4);
	built_add(&b, name, SHT_PROGBITS, SHF_ALLOC, m.bytes, m.n);
	built_end(&b, EM_X86_64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &f), 0);
	assert_int_equal(b.sections[2].sh_addr, BUILT_BASE + 0x90);
	return elf_go_functions_read(f, take_symbol, ret);
}

static void the_table_of_a_program_gives_symbols(void **state)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	struct symbols s;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(read_program(".init", names[i], TEXT, &s), 0);
		assert_int_equal(s.n, 2);
		assert_int_equal(s.items[0].addr, TEXT);
		assert_int_equal(s.items[0].size, 0x40);
		assert_int_equal(s.items[1].addr, TEXT + 0x40);
		assert_int_equal(s.items[1].size, 0x20);
		assert_int_equal(s.items[1].binding, 'l');
		assert_int_equal(s.items[1].kind, ELF_SYMBOL_FUNCTION);
	}
}

static void a_program_without_the_table_has_no_data(void **state)
{
	struct symbols s;

	(void)state;
	assert_int_equal(read_program(".init", ".gosymtab", TEXT, &s), -ENODATA);
	assert_int_equal(s.n, 0);
}

static void the_text_section_is_the_start_unless_other_code_comes_first(void **state)
{
	struct symbols s;

	(void)state;
	assert_int_equal(read_program(".other", ".gopclntab", 0, &s), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].addr, BUILT_BASE + 0x90);
	assert_int_equal(read_program(".init", ".gopclntab", 0, &s), -EBADMSG);
	assert_int_equal(s.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_a_program_gives_symbols),
		cmocka_unit_test(a_program_without_the_table_has_no_data),
		cmocka_unit_test(the_text_section_is_the_start_unless_other_code_comes_first),
		cmocka_unit_test(the_parts_begin_inside_the_table),
		cmocka_unit_test(all_pairs_lie_inside_the_table),
		cmocka_unit_test(a_name_behind_the_table_is_not_read),
		cmocka_unit_test(each_layout_is_read_in_both_byte_orders),
		cmocka_unit_test(the_start_of_the_code_may_be_told_by_the_program),
		cmocka_unit_test(what_is_no_table_is_refused),
		cmocka_unit_test(functions_that_are_damaged_are_left_out),
		cmocka_unit_test(a_table_that_is_cut_has_fewer_functions),
		cmocka_unit_test(one_name_for_all_functions_costs_no_more_than_the_table),
		cmocka_unit_test(a_name_has_less_than_4096_bytes),
		cmocka_unit_test(a_function_without_code_is_left_out),
		cmocka_unit_test(an_empty_table_has_its_pairs_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
