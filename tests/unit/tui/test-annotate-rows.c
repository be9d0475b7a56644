/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tui/annotate-rows.h"
#include "view/annotate/line-text.h"
#include "view/example-listing.h"

struct fixture {
	struct example_listing m;
	struct line_text text;
	struct annotate_rows rows;
};

static void lay_out(struct fixture *f)
{
	line_text_done(&f->text);
	line_text_init(&f->text, &f->m.view, &f->m.listing);
	annotate_rows_fill(&f->rows, &f->text);
}

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){ .text.scratch = TEXT_EMPTY };
	example_begin(&f.m);
	listing_find_jumps(&f.m.listing);
	lay_out(&f);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	annotate_rows_done(&f->rows);
	line_text_done(&f->text);
	symbolizer_free(f->m.symbolizer);
	return 0;
}

static void source_has_a_head(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->rows.n, 5 + 6);
	assert_int_equal(f->rows.items[2], ANNOTATE_ROW_SECTION);
	assert_int_equal(f->rows.items[4], ANNOTATE_ROW_SYMBOL);
	assert_int_equal(f->rows.items[5], 0);
	f->m.view.layout.hide_source = true;
	lay_out(f);
	assert_int_equal(f->rows.n, 4);
	assert_int_equal(f->rows.items[0], 1);
}

static void a_hidden_line_is_where_the_next_one_is(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(annotate_rows_find(&f->rows, 2), 7);
	assert_int_equal(annotate_rows_line(&f->rows, 7), 2);
	assert_int_equal(annotate_rows_line(&f->rows, 0), 0);
	f->m.view.layout.hide_source = true;
	lay_out(f);
	assert_int_equal(annotate_rows_find(&f->rows, 2), 1);
	assert_int_equal(annotate_rows_line(&f->rows, 1), 3);
	assert_int_equal(annotate_rows_find(&f->rows, 99), 3);
}

static void the_hottest_come_first_and_again(void **state)
{
	struct fixture *f = *state;
	struct annotate_hottest h = { 0 };

	annotate_hottest_fill(&h, &f->m.listing, &f->m.view.whole);
	assert_int_equal(h.n, 2);
	assert_int_equal(h.items[0], 3);
	assert_int_equal(h.items[1], 4);
	assert_int_equal(annotate_hottest_next(&h, 3, 1), 4);
	assert_int_equal(annotate_hottest_next(&h, 4, 1), 3);
	assert_int_equal(annotate_hottest_next(&h, 3, -1), 4);
	/* From elsewhere. */
	assert_int_equal(annotate_hottest_next(&h, 1, 1), 3);
	annotate_hottest_done(&h);
	assert_int_equal(annotate_hottest_next(&h, 1, 1), 1);
}

static void equal_shares_go_by_the_next_event_and_by_address(void **state)
{
	static const struct weight lots[2] = { { .period = 600, .samples = 7 },
					       { .period = 4, .samples = 1 } };
	struct fixture *f = *state;
	struct annotate_hottest h = { 0 };

	f->m.view.whole.n_events = f->m.all.n_events = 2;
	f->m.lines[5].weights = lots;
	f->m.lines[1].weights = f->m.lines[3].weights;
	annotate_hottest_fill(&h, &f->m.listing, &f->m.view.whole);
	assert_int_equal(h.n, 4);
	assert_int_equal(h.items[0], 5);
	assert_int_equal(h.items[1], 1);
	assert_int_equal(h.items[2], 3);
	annotate_hottest_done(&h);
}

static void a_jump_is_drawn_from_its_line_to_its_target(void **state)
{
	struct fixture *f = *state;
	struct annotate_jump j = annotate_rows_jump(&f->rows, &f->m.listing, 8);

	assert_true(j.is_there);
	assert_int_equal(j.from, 8);
	assert_int_equal(j.to, 10);
	assert_int_equal(annotate_jump_part(&j, 7), JUMP_NOTHING);
	assert_int_equal(annotate_jump_part(&j, 8), JUMP_FROM_ABOVE);
	assert_int_equal(annotate_jump_part(&j, 9), JUMP_PASSES);
	assert_int_equal(annotate_jump_part(&j, 10), JUMP_TO_BELOW);
	assert_int_equal(annotate_jump_part(&j, 11), JUMP_NOTHING);
	j = (struct annotate_jump){ .is_there = true, .from = 10, .to = 8 };
	assert_int_equal(annotate_jump_part(&j, 10), JUMP_FROM_BELOW);
	assert_int_equal(annotate_jump_part(&j, 9), JUMP_PASSES);
	assert_int_equal(annotate_jump_part(&j, 8), JUMP_TO_ABOVE);
	assert_int_equal(annotate_jump_part(&j, 7), JUMP_NOTHING);
	j.to = 10;
	assert_int_equal(annotate_jump_part(&j, 10), JUMP_NOTHING);
}

static void other_lines_have_no_jump(void **state)
{
	struct fixture *f = *state;

	assert_false(annotate_rows_jump(&f->rows, &f->m.listing, 0).is_there);
	assert_false(annotate_rows_jump(&f->rows, &f->m.listing, 9).is_there);
	assert_false(annotate_rows_jump(&f->rows, &f->m.listing, 99).is_there);
	/* The jump goes into the middle of an instruction. */
	f->m.lines[3].flow.target = 0x7e9;
	assert_false(annotate_rows_jump(&f->rows, &f->m.listing, 8).is_there);
}

static void texts_are_found_in_both_directions(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(annotate_rows_search(&f->text, &f->rows, "OTHER", 0, 1), 9);
	/* The search continues with the first row after the last one. */
	assert_int_equal(annotate_rows_search(&f->text, &f->rows, "loop", 9, 1), 7);
	assert_int_equal(annotate_rows_search(&f->text, &f->rows, "w0", 8, -1), 6);
	assert_int_equal(annotate_rows_search(&f->text, &f->rows, "section", 8, -1), 2);
	assert_int_equal(annotate_rows_search(&f->text, &f->rows, "nowhere", 0, 1), f->rows.n);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(source_has_a_head),
		TEST(a_hidden_line_is_where_the_next_one_is),
		TEST(the_hottest_come_first_and_again),
		TEST(equal_shares_go_by_the_next_event_and_by_address),
		TEST(a_jump_is_drawn_from_its_line_to_its_target),
		TEST(other_lines_have_no_jump),
		TEST(texts_are_found_in_both_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
