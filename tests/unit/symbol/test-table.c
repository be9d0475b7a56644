/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assert-finds.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "symbol/table.h"

static void add(struct symbol_table *t, uint64_t start, uint64_t end, const char *name,
		char binding)
{
	symbol_table_add(
		t, (struct symbol){ .start = start, .end = end, .name = name, .binding = binding },
		strlen(name));
}

/* Checks that of two symbols at one address, in this order, @winner is shown. */
static void assert_wins(struct symbol a, struct symbol b, const char *winner)
{
	struct symbol_table t;

	symbol_table_init(&t, NULL);
	add(&t, 16, a.end, a.name, a.binding);
	add(&t, 16, b.end, b.name, b.binding);
	add(&t, 64, 80, "behind", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(t.n, 2);
	assert_finds(&t, 16, winner);
	symbol_table_done(&t);
}

#define SYMBOL(e, n, b)                                                                            \
	(struct symbol)                                                                            \
	{                                                                                          \
		.end = (e), .name = (n), .binding = (b)                                            \
	}

static void an_address_belongs_to_what_covers_it(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x30, 0x40, "c", 'g');
	add(&t, 0x10, 0x18, "a", 'g');
	add(&t, 0x20, 0x30, "b", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 0xf, NULL);
	assert_finds(&t, 0x10, "a");
	assert_finds(&t, 0x17, "a");
	assert_finds(&t, 0x18, NULL);
	assert_finds(&t, 0x2f, "b");
	assert_finds(&t, 0x30, "c");
	assert_finds(&t, 0x40, NULL);
	assert_finds(&t, UINT64_MAX, NULL);
	symbol_table_done(&t);
}

static void an_empty_table_knows_nothing(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 0, NULL);
	symbol_table_done(&t);
}

static void an_unknown_end_is_the_next_symbol(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x1000, 0x1000, "first", 'g');
	add(&t, 0x1100, 0x1100, "last", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 0x10ff, "first");
	assert_finds(&t, 0x1100, "last");
	assert_finds(&t, 0x2fff, "last"); /* the next page as well */
	assert_finds(&t, 0x3000, NULL);
	symbol_table_done(&t);
}

static void names_are_chosen_by_rank(void **state)
{
	(void)state;
	assert_wins(SYMBOL(32, "sized", 'l'), SYMBOL(32, "global", 'g'), "global");
	assert_wins(SYMBOL(32, "weak", 'w'), SYMBOL(32, "local", 'l'), "local");
	assert_wins(SYMBOL(32, "global", 'g'), SYMBOL(32, "weak_longer", 'w'), "global");
	assert_wins(SYMBOL(32, "__under", 'g'), SYMBOL(32, "_under", 'g'), "_under");
	assert_wins(SYMBOL(32, "short", 'g'), SYMBOL(32, "longer", 'g'), "longer");
	assert_wins(SYMBOL(32, "abc", 'g'), SYMBOL(32, "abd", 'g'), "abc");
	assert_wins(SYMBOL(32, "abd", 'g'), SYMBOL(32, "abc", 'g'), "abd");
}

static void a_name_without_size_wins_only_if_it_comes_last(void **state)
{
	(void)state;
	/*
	 * A symbol without a size reaches to the next one, which for the first of two is the
	 * second.
	 */
	assert_wins(SYMBOL(16, "longer_name", 'g'), SYMBOL(32, "sized", 'g'), "sized");
	assert_wins(SYMBOL(32, "sized", 'g'), SYMBOL(16, "longer_name", 'g'), "longer_name");
	assert_wins(SYMBOL(16, "one", 'g'), SYMBOL(16, "two", 'l'), "two");
}

static void a_later_source_ranks_behind(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 16, 32, "abc", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	add(&t, 16, 32, "xyz", 'g');
	add(&t, 8, 12, "before", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 20, "abc");
	assert_finds(&t, 8, "before");
	symbol_table_done(&t);
}

static void of_jit_code_the_later_is_the_newer(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 16, 64, "old_but_longer", 'g');
	add(&t, 16, 32, "new", 'g');
	add(&t, 128, 128, "empty", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_JIT);
	assert_finds(&t, 16, "new");
	assert_finds(&t, 40, NULL);
	assert_finds(&t, 128, "empty");
	assert_finds(&t, 129, NULL);
	symbol_table_done(&t);
}

static void many_are_sorted_and_equal_ones_keep_their_order(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	for (unsigned i = 0; i < 5000; i++) {
		uint64_t start = (i * 7919u % 5000) * 16;
		char name[16];

		snprintf(name, sizeof(name), "f%04u", (unsigned)(start / 16));
		add(&t, start, start + 16, name, 'g');
		add(&t, start, start + 16, "gggg", 'g');
	}
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(t.n, 5000);
	for (unsigned i = 1; i < 5000; i++)
		assert_true(t.items[i].start > t.items[i - 1].start);
	assert_finds(&t, 1234 * 16 + 5, "f1234");
	symbol_table_done(&t);
}

static void a_long_name_is_kept_whole(void **state)
{
	_cleanup_(freep) char *name = xmalloc(200001);
	struct symbol_table t;

	(void)state;
	memset(name, 'x', 200000);
	name[200000] = '\0';
	symbol_table_init(&t, NULL);
	add(&t, 1, 2, "short", 'g');
	add(&t, 2, 3, name, 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 2, name);
	assert_finds(&t, 1, "short");
	symbol_table_done(&t);
}

static void a_table_can_be_moved_both_ways(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x1000, 0x1010, "f", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_move(&t, 0x500);
	assert_finds(&t, 0x1505, "f");
	symbol_table_move(&t, -(uint64_t)0x600);
	assert_finds(&t, 0xf0f, "f");
	symbol_table_done(&t);
}

static char *shout(const char *name)
{
	return *name == '_' ? xasprintf("%s!", name + 1) : NULL;
}

static void names_are_prettified_when_wanted(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, shout);
	add(&t, 16, 32, "_one", 'g');
	add(&t, 32, 48, "two", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_string_equal(t.items[0].name, "_one");
	assert_finds(&t, 20, "one!");
	assert_finds(&t, 20, "one!");
	assert_finds(&t, 40, "two");
	symbol_table_done(&t);
}

static void pretty_names_compete(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, shout);
	add(&t, 16, 32, "abc", 'g');
	add(&t, 16, 32, "_abc", 'g'); /* also shown as abc!, but longer */
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 20, "abc!");
	symbol_table_done(&t);
}

static void *look_up(void *arg)
{
	struct symbol_table *t = arg;

	for (uint64_t i = 0; i < 1000; i++)
		if (strcmp(symbol_table_find(t, i * 16)->name, "f!") != 0)
			return t;
	return NULL;
}

static void threads_may_look_up_at_once(void **state)
{
	struct symbol_table t;
	pthread_t threads[4];

	(void)state;
	symbol_table_init(&t, shout);
	for (uint64_t i = 0; i < 1000; i++)
		add(&t, i * 16, i * 16 + 16, "_f", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, look_up, &t), 0);
	for (size_t i = 0; i < 4; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	symbol_table_done(&t);
}

static void what_overlaps_is_found_as_in_the_tree(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	/* The second becomes the root: a lookup behind its start does not reach the first. */
	add(&t, 0x10, 0x40, "outer", 'g');
	add(&t, 0x20, 0x30, "inner", 'g');
	add(&t, 0x50, 0x60, "behind", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	assert_finds(&t, 0x18, "outer");
	assert_finds(&t, 0x28, "inner");
	assert_finds(&t, 0x38, NULL);
	assert_finds(&t, 0x50, "behind");
	symbol_table_done(&t);
}

static void a_call_goes_to_what_begins_there(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x10, "_init", 'g');
	add(&t, 0x100, 0x110, "main", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	add(&t, 0x30, 0x40, "puts@plt", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	assert_string_equal(symbol_table_find_called(&t, 0x30)->name, "puts@plt");
	assert_string_equal(symbol_table_find_called(&t, 0x20)->name, "_init");
	assert_string_equal(symbol_table_find_called(&t, 0x100)->name, "main");
	assert_null(symbol_table_find_called(&t, 0));
	assert_null(symbol_table_find_called(&t, 0x110));
	symbol_table_done(&t);
}

static void without_overlaps_there_is_no_tree(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x20, "a", 'g');
	add(&t, 0x20, 0x30, "b", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	assert_null(t.tree.items);
	assert_null(t.reach);
	assert_false(t.has_history);
	assert_finds(&t, 0x20, "b");
	symbol_table_done(&t);
}

static void a_symbol_is_found_by_name(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x30, 0x40, "twice", 'l');
	add(&t, 0x10, 0x20, "twice", 'l');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(symbol_table_find_name(&t, "twice")->start, 0x10);
	assert_null(symbol_table_find_name(&t, "never"));
	symbol_table_done(&t);
}

static void a_label_does_not_take_code_of_a_function_whose_size_is_known(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x10, "first_code_begin", 'g');
	add(&t, 0x10, 0x30, "first", 'l');
	add(&t, 0x18, 0x18, "inside", 'g');
	add(&t, 0x30, 0x30, "first_code_end", 'g');
	add(&t, 0x40, 0x40, "alone", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	symbol_table_arrange(&t);
	assert_finds(&t, 0x10, "first");
	assert_finds(&t, 0x18, "first");
	assert_finds(&t, 0x2f, "first");
	assert_finds(&t, 0x30, "first_code_end");
	assert_finds(&t, 0x3f, "first_code_end");
	assert_finds(&t, 0x44, "alone");
	symbol_table_done(&t);
}

static void a_guessed_end_gives_way_to_symbols_of_a_later_source(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x10, "sizeless", 'g');
	add(&t, 0x80, 0x90, "last", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	add(&t, 0x20, 0x30, "later", 'w');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	symbol_table_arrange(&t);
	assert_finds(&t, 0x1f, "sizeless");
	assert_finds(&t, 0x20, "later");
	assert_finds(&t, 0x30, NULL);
	symbol_table_done(&t);
}

/*
 * Adds an early symbol, and one that covers another. The outer one is the root of the tree, so it
 * keeps the code of the inner one.
 */
static void add_outer_root(struct symbol_table *t)
{
	symbol_table_init(t, NULL);
	symbol_table_remember(t);
	add(t, 0x10, 0x40, "outer", 'g');
	add(t, 0x20, 0x30, "inner", 'g');
	add(t, 0x5, 0x8, "early", 'g');
	symbol_table_settle(t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(t);
}

static void a_covering_symbol_may_be_the_root_of_the_tree(void **state)
{
	struct symbol_table t;
	uint32_t root = 99;

	(void)state;
	add_outer_root(&t);
	assert_non_null(t.reach);
	assert_int_equal(t.reach[0], 0);
	assert_int_equal(t.reach[1], 8);
	assert_int_equal(t.reach[2], 0x40);
	assert_finds(&t, 0x4, NULL);
	assert_finds(&t, 0x7, "early");
	assert_finds(&t, 0x8, NULL);
	assert_finds(&t, 0x10, "outer");
	assert_finds(&t, 0x20, "outer");
	assert_finds(&t, 0x28, "outer");
	assert_finds(&t, 0x3f, "outer");
	assert_finds(&t, 0x40, NULL);
	assert_string_equal(symbol_table_find_called(&t, 0x20)->name, "inner");
	assert_string_equal(symbol_table_find_called(&t, 0x21)->name, "outer");
	assert_int_equal(symbol_table_tree(&t, &root)[1].right, 2);
	assert_int_equal(root, 1);
	assert_int_equal(t.tree.items[1].left, 0);
	assert_int_equal(t.tree.items[2].left, SYMBOL_TREE_NONE);
	symbol_table_done(&t);
}

static void the_tree_is_moved_with_its_table(void **state)
{
	struct symbol_table t;
	uint64_t start;

	(void)state;
	add_outer_root(&t);
	symbol_table_move(&t, 0x1000);
	assert_int_equal(t.reach[0], 0);
	assert_int_equal(t.reach[1], 0x1008);
	assert_int_equal(t.reach[2], 0x1040);
	assert_finds(&t, 0x1028, "outer");
	assert_finds(&t, 0x28, NULL);
	assert_true(symbol_table_start(&t, &start));
	assert_int_equal(start, 0x1005);
	symbol_table_move(&t, 0);
	assert_finds(&t, 0x1028, "outer");
	assert_int_equal(t.distance, 0x1000);
	symbol_table_done(&t);
}

static void two_symbols_that_overlap_need_a_tree(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x21, "outer", 'g');
	add(&t, 0x20, 0x30, "inner", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	assert_non_null(t.reach);
	assert_finds(&t, 0x20, "outer"); /* the root, because it was added first */
	assert_finds(&t, 0x21, "inner");
	symbol_table_done(&t);
}

static void without_a_history_the_later_symbol_is_found(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x10, 0x40, "outer", 'g');
	add(&t, 0x20, 0x30, "inner", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	assert_null(t.reach);
	assert_finds(&t, 0x20, "inner");
	assert_finds(&t, 0x30, NULL);
	symbol_table_done(&t);
}

static void in_a_tree_a_symbol_is_found_at_its_start(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_remember(&t);
	add(&t, 0x10, 0x40, "outer", 'g');
	add(&t, 0x20, 0x30, "inner", 'g');
	add(&t, 0x50, 0x60, "behind", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_arrange(&t);
	/* The inner one is the root. */
	assert_finds(&t, 0x1f, "outer");
	assert_finds(&t, 0x20, "inner");
	symbol_table_done(&t);
}

/* Returns the end of a single symbol at @start whose size is unknown. */
static uint64_t guessed_end(uint64_t start)
{
	struct symbol_table t;
	uint64_t end;

	symbol_table_init(&t, NULL);
	add(&t, start, start, "last", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(t.n, 1);
	assert_true(t.items[0].is_guessed);
	end = t.items[0].end;
	symbol_table_done(&t);
	return end;
}

static void the_last_symbol_ends_with_a_page(void **state)
{
	(void)state;
	assert_int_equal(guessed_end(0x1fff), 0x3000);
	assert_int_equal(guessed_end(0x2000), 0x3000);
	assert_int_equal(guessed_end(0x2001), 0x4000);
}

static void a_dropped_name_is_not_found(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x10, 0x20, "longer", 'g');
	add(&t, 0x10, 0x20, "short", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(t.n, 1);
	assert_int_equal(symbol_table_find_name(&t, "longer")->start, 0x10);
	assert_null(symbol_table_find_name(&t, "short"));
	symbol_table_done(&t);
}

static void room_is_made_for_symbols_to_come(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	symbol_table_expect(&t, 100);
	assert_in_range(t.room, 100, 1000);
	add(&t, 0x10, 0x20, "f", 'g');
	symbol_table_expect(&t, t.room);
	assert_in_range(t.room, 101, 10000);
	assert_int_equal(t.n, 1);
	symbol_table_done(&t);
}

static void a_symbol_can_be_cut(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x10, 0x20, "a", 'g');
	add(&t, 0x20, 0x30, "b", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	symbol_table_end_before(&t, 0);
	symbol_table_end_before(&t, 0x10);
	symbol_table_end_before(&t, 0x20);
	symbol_table_end_before(&t, 0x30);
	assert_int_equal(t.items[0].end, 0x20);
	assert_int_equal(t.items[1].end, 0x30);
	symbol_table_end_before(&t, 0x1f);
	symbol_table_end_before(&t, 0x21);
	assert_int_equal(t.items[0].end, 0x1f);
	assert_int_equal(t.items[1].end, 0x21);
	symbol_table_end_before(&t, 0x28); /* a cut never makes a symbol longer */
	assert_int_equal(t.items[1].end, 0x21);
	symbol_table_done(&t);
}

static void the_start_is_that_of_the_lowest_symbol(void **state)
{
	struct symbol_table t;
	uint64_t start = 7;

	(void)state;
	symbol_table_init(&t, NULL);
	assert_false(symbol_table_start(&t, &start));
	assert_int_equal(start, 7);
	add(&t, 0x20, 0x30, "b", 'g');
	add(&t, 0x10, 0x20, "a", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_true(symbol_table_start(&t, &start));
	assert_int_equal(start, 0x10);
	symbol_table_done(&t);
}

static void a_view_of_an_index_finds_moved_symbols(void **state)
{
	static const uint64_t starts[] = { 0x1000, 0x1010 };
	static const uint32_t names[] = { 0, 3 };
	static const struct symbol_index index = { .starts = starts,
						   .names = names,
						   .bindings = "gl",
						   .n = 2,
						   .end = 0x1020,
						   .text = "_f\0_g",
						   .text_size = 6 };
	struct symbol_table t;
	const struct symbol *s;
	uint64_t start;

	(void)state;
	symbol_table_init(&t, shout);
	symbol_table_take_index(&t, &index, (struct sealed_file){ 0 });
	symbol_table_move(&t, 0x500);
	assert_true(symbol_table_start(&t, &start));
	assert_int_equal(start, 0x1500);
	s = symbol_table_find(&t, 0x1515);
	assert_non_null(s);
	assert_string_equal(s->name, "g!");
	assert_int_equal(s->start, 0x1510);
	assert_int_equal(s->end, 0x1520);
	assert_int_equal(s->binding, 'l');
	assert_ptr_equal(symbol_table_find(&t, 0x1510), s);
	assert_ptr_equal(symbol_table_find_called(&t, 0x1510), s);
	assert_ptr_equal(symbol_table_find_name(&t, "_g"), s);
	assert_null(symbol_table_find(&t, 0x1520));
	assert_null(symbol_table_find(&t, 0x14ff));
	assert_null(symbol_table_find_name(&t, "h"));
	symbol_table_done(&t);
}

static void names_fill_a_block_to_its_end(void **state)
{
	enum {
		LENGTH = 1023 /* with its NUL, a multiple of them fills a block */
	};
	char name[LENGTH + 1];
	struct symbol_table t;
	unsigned blocks = 0;

	(void)state;
	symbol_table_init(&t, NULL);
	memset(name, 'x', LENGTH);
	name[LENGTH] = '\0';
	for (unsigned i = 0; i < 200; i++) {
		name[0] = (char)('a' + i % 26);
		add(&t, 16 * i, 16 * i + 16, name, 'g');
	}
	for (unsigned i = 0; i < 200; i++) {
		assert_int_equal(strlen(t.items[i].name), LENGTH);
		assert_int_equal(t.items[i].name[0], 'a' + i % 26);
		if (i && t.items[i].name != t.items[i - 1].name + LENGTH + 1)
			blocks++;
	}
	assert_in_range(blocks, 1, 8);
	symbol_table_done(&t);
}

static void a_name_is_prettified_once(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, shout);
	add(&t, 16, 32, "__one", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_finds(&t, 20, "_one!");
	assert_finds(&t, 20, "_one!");
	symbol_table_done(&t);
}

static void a_function_in_another_does_not_end_it(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x10, 0x60, "outer", 'g');
	add(&t, 0x20, 0x30, "inner", 'g');
	add(&t, 0x40, 0x40, "label", 'g');
	add(&t, 0x60, 0x60, "behind", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	assert_int_equal(t.n, 3);
	assert_string_equal(t.items[2].name, "behind");
	symbol_table_done(&t);
}

static void by_the_linkers_rules_labels_stay(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x10, 0x60, "outer", 'g');
	add(&t, 0x40, 0x40, "label", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_LINKER);
	assert_int_equal(t.n, 2);
	assert_finds(&t, 0x44, "label");
	symbol_table_done(&t);
}

static void a_guessed_end_is_cut_and_never_moved_further(void **state)
{
	struct symbol_table t;

	(void)state;
	symbol_table_init(&t, NULL);
	add(&t, 0x5, 0x8, "early", 'g');
	add(&t, 0x10, 0x10, "sizeless", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	assert_int_equal(t.items[1].end, 0x2000);
	add(&t, 0x9000, 0x9010, "far", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	assert_int_equal(t.items[1].end, 0x2000);
	add(&t, 0x20, 0x30, "near", 'g');
	symbol_table_settle(&t, SYMBOL_RULES_PROGRAM);
	assert_int_equal(t.n, 4);
	assert_int_equal(t.items[0].end, 0x8);
	assert_int_equal(t.items[1].end, 0x20);
	assert_int_equal(t.items[2].end, 0x30);
	symbol_table_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_belongs_to_what_covers_it),
		cmocka_unit_test(an_empty_table_knows_nothing),
		cmocka_unit_test(an_unknown_end_is_the_next_symbol),
		cmocka_unit_test(names_are_chosen_by_rank),
		cmocka_unit_test(a_name_without_size_wins_only_if_it_comes_last),
		cmocka_unit_test(a_later_source_ranks_behind),
		cmocka_unit_test(of_jit_code_the_later_is_the_newer),
		cmocka_unit_test(many_are_sorted_and_equal_ones_keep_their_order),
		cmocka_unit_test(a_long_name_is_kept_whole),
		cmocka_unit_test(a_table_can_be_moved_both_ways),
		cmocka_unit_test(names_are_prettified_when_wanted),
		cmocka_unit_test(pretty_names_compete),
		cmocka_unit_test(threads_may_look_up_at_once),
		cmocka_unit_test(what_overlaps_is_found_as_in_the_tree),
		cmocka_unit_test(a_call_goes_to_what_begins_there),
		cmocka_unit_test(without_overlaps_there_is_no_tree),
		cmocka_unit_test(a_symbol_is_found_by_name),
		cmocka_unit_test(a_label_does_not_take_code_of_a_function_whose_size_is_known),
		cmocka_unit_test(a_guessed_end_gives_way_to_symbols_of_a_later_source),
		cmocka_unit_test(a_covering_symbol_may_be_the_root_of_the_tree),
		cmocka_unit_test(the_tree_is_moved_with_its_table),
		cmocka_unit_test(two_symbols_that_overlap_need_a_tree),
		cmocka_unit_test(without_a_history_the_later_symbol_is_found),
		cmocka_unit_test(in_a_tree_a_symbol_is_found_at_its_start),
		cmocka_unit_test(the_last_symbol_ends_with_a_page),
		cmocka_unit_test(a_dropped_name_is_not_found),
		cmocka_unit_test(room_is_made_for_symbols_to_come),
		cmocka_unit_test(a_symbol_can_be_cut),
		cmocka_unit_test(the_start_is_that_of_the_lowest_symbol),
		cmocka_unit_test(a_view_of_an_index_finds_moved_symbols),
		cmocka_unit_test(names_fill_a_block_to_its_end),
		cmocka_unit_test(a_name_is_prettified_once),
		cmocka_unit_test(a_function_in_another_does_not_end_it),
		cmocka_unit_test(by_the_linkers_rules_labels_stay),
		cmocka_unit_test(a_guessed_end_is_cut_and_never_moved_further),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
