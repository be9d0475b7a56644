/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/sealed-file.h"
#include "scratch.h"
#include "symbol/kept-symbols.h"
#include "symbol/table.h"

#define SYMBOLS  3000
#define IDENTITY 5

static char *louder(const char *name)
{
	return xasprintf("%s!", name);
}

/* Adds functions of 8 bytes, 16 apart; with @overlap there is a label in every tenth. */
static void fill(struct symbol_table *t, size_t n, bool overlap)
{
	symbol_table_init(t, louder);
	symbol_table_remember(t);
	for (size_t i = 0; i < n; i++) {
		uint64_t start = 0x1000 + 16 * i;
		char name[32];

		snprintf(name, sizeof(name), "f%zu", i);
		symbol_table_add(
			t,
			(struct symbol){
				.start = start, .end = start + 8, .name = name, .binding = 'g' },
			strlen(name));
		if (overlap && i % 10 == 0)
			symbol_table_add(t,
					 (struct symbol){ .start = start + 4,
							  .end = start + 6,
							  .name = "label",
							  .binding = 'l' },
					 5);
	}
	symbol_table_add(
		t, (struct symbol){ .start = 16, .end = 16, .name = "sizeless", .binding = 'g' },
		8);
	symbol_table_settle(t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(t);
}

static void assert_same(const struct symbol *a, const struct symbol *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (!a)
		return;
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->binding, b->binding);
	assert_int_equal(a->is_guessed, b->is_guessed);
	assert_string_equal(a->name, b->name);
}

static void check_all(const char *dir, bool overlap)
{
	_cleanup_(freep) char *path = scratch_path(dir, "x.symbols");
	struct symbol_table t, kept;

	fill(&t, SYMBOLS, overlap);
	symbol_table_init(&kept, louder);
	assert_int_equal(kept_symbols_write(path, IDENTITY, &t), 0);
	assert_int_equal(kept_symbols_open(path, IDENTITY, &kept), 0);
	for (uint64_t addr = 0xff0; addr < 0x1000 + 16 * SYMBOLS + 16; addr++) {
		assert_same(symbol_table_find(&t, addr), symbol_table_find(&kept, addr));
		assert_same(symbol_table_find_called(&t, addr),
			    symbol_table_find_called(&kept, addr));
	}
	symbol_table_done(&kept);
	symbol_table_done(&t);
}

static void every_address_finds_what_it_found_before(void **state)
{
	check_all(*state, false);
}

static void symbols_that_overlap_too(void **state)
{
	check_all(*state, true);
}

static void small_tables_are_not_kept(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "x.symbols");
	struct symbol_table t, kept;

	fill(&t, 3, false);
	symbol_table_init(&kept, NULL);
	assert_int_equal(kept_symbols_write(path, IDENTITY, &t), 0);
	assert_int_equal(kept_symbols_open(path, IDENTITY, &kept), -ENOENT);
	symbol_table_done(&kept);
	symbol_table_done(&t);
}

/* Returns the result of opening a file with this header, and @n bytes of @more behind it. */
static int opens(const char *dir, const uint64_t head[3], const char *more, size_t n)
{
	_cleanup_(freep) char *path = scratch_path(dir, "x.symbols");
	char bytes[64];
	struct symbol_table t;
	int r;

	memcpy(bytes, head, 24);
	memcpy(bytes + 24, more, n);
	assert_int_equal(sealed_file_write(path, KEPT_SYMBOLS_KIND, IDENTITY, bytes, 24 + n), 0);
	symbol_table_init(&t, NULL);
	r = kept_symbols_open(path, IDENTITY, &t);
	symbol_table_done(&t);
	return r;
}

static void numbers_that_do_not_fit_are_refused(void **state)
{
	static const char one[24] = { 0 };

	/* One symbol, one byte of text: 16 bytes of addresses, 4 of names, 1 of bindings. */
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 1, 0 }, one, 22), 0);
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 1, 0 }, one, 21), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 1, 0 }, one, 23), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ 0, 22, 0 }, one, 22), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 0, 0 }, one, 21), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ UINT64_MAX, 1, 0 }, one, 22), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, UINT64_MAX, 0 }, one, 22), -EBADMSG);
	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 1, UINT64_C(1) << 32 }, one, 22),
			 -EBADMSG);
}

static void a_text_without_end_is_refused(void **state)
{
	static const char one[22] = { [21] = 'x' };

	assert_int_equal(opens(*state, (const uint64_t[]){ 1, 1, 0 }, one, 22), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_address_finds_what_it_found_before,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(symbols_that_overlap_too, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(small_tables_are_not_kept, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(numbers_that_do_not_fit_are_refused, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_text_without_end_is_refused, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
