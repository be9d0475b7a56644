/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "flame-sample.h"
#include "view/picture/flame-layout.h"

static void a_box_begins_where_its_elder_sibling_ends(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;a 10", "sh;b;c 20", "sh 10",
							  "zz;a 60");
	_cleanup_(flame_layout_done) struct flame_layout l;

	(void)state;
	flame_layout_init(&l, f, 0);
	/* all, sh, a, b, c, zz, a */
	assert_int_equal(l.n, 7);
	assert_int_equal(l.depth, 3);
	assert_float_equal(flame_layout_x(&l, 2, FLAME_AFTER, 1000), 0, 1e-9);
	assert_float_equal(flame_layout_x(&l, 3, FLAME_AFTER, 1000), 100, 1e-9);
	assert_float_equal(flame_layout_x(&l, 4, FLAME_AFTER, 1000), 100, 1e-9);
	assert_float_equal(flame_layout_x(&l, 5, FLAME_AFTER, 1000), 400, 1e-9);
	assert_float_equal(flame_layout_width(&l, 1, FLAME_AFTER, 1000), 400, 1e-9);
	assert_float_equal(flame_layout_width(&l, 0, FLAME_AFTER, 1000), 1000, 1e-9);
	assert_true(l.has_kind[FLAME_USER] && !l.has_kind[FLAME_KERNEL]);
}

static void small_boxes_are_left_out_with_what_stands_on_them(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("sh;a;deep;deeper 1", "sh;b 99");
	_cleanup_(flame_layout_done) struct flame_layout l;

	(void)state;
	flame_layout_init(&l, f, 0.011);
	assert_int_equal(l.n, 3);
	assert_int_equal(l.depth, 2);
	assert_false(l.is_drawn[2] || l.is_drawn[3] || l.is_drawn[4]);
	assert_true(l.is_drawn[5]);
	/* The space for them stays empty. */
	assert_float_equal(flame_layout_x(&l, 5, FLAME_AFTER, 100), 1, 1e-9);
}

static void a_box_as_large_as_the_limit_is_drawn(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_OF("a 1", "b 99");
	_cleanup_(flame_layout_done) struct flame_layout l;

	(void)state;
	flame_layout_init(&l, f, 0.01);
	assert_int_equal(l.n, 3);
}

static void what_is_large_on_one_side_is_drawn(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_COMPARED("a 100", "-a 50", "-gone 50");
	_cleanup_(flame_layout_done) struct flame_layout l;

	(void)state;
	flame_layout_init(&l, f, 0.1);
	assert_int_equal(l.n, 3);
	assert_float_equal(flame_layout_width(&l, 2, FLAME_AFTER, 100), 0, 1e-9);
	assert_float_equal(flame_layout_x(&l, 2, FLAME_BEFORE, 100), 50, 1e-9);
	assert_float_equal(flame_layout_width(&l, 2, FLAME_BEFORE, 100), 50, 1e-9);
}

static void nothing_has_one_box(void **state)
{
	struct flame_builder *b = flame_builder_new("all");
	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, false);
	_cleanup_(flame_layout_done) struct flame_layout l;

	(void)state;
	flame_builder_free(b);
	flame_layout_init(&l, f, 0.1);
	assert_int_equal(l.n, 1);
	assert_float_equal(flame_layout_width(&l, 0, FLAME_AFTER, 100), 100, 1e-9);
}

static void changes_have_steps(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_COMPARED("a 5000", "b 4995", "c 5",
								"-a 5000", "-b 5000");

	(void)state;
	/* all, a, b, c: by 0, 0, -0.05, 0.05 points */
	assert_int_equal(flame_change_step(f, &f->boxes[1]), 0);
	f->boxes[2].change = FLAME_LESS;
	f->boxes[3].change = FLAME_MORE;
	assert_int_equal(flame_change_step(f, &f->boxes[2]), -1);
	assert_int_equal(flame_change_step(f, &f->boxes[3]), 1);
	f->boxes[3].value[FLAME_AFTER].total = 2000;
	assert_int_equal(flame_change_step(f, &f->boxes[3]), FLAME_CHANGE_STEPS);
	f->boxes[3].change = FLAME_NOISE;
	assert_int_equal(flame_change_step(f, &f->boxes[3]), 0);
}

static void what_is_gone_counts_once_and_beyond_chance(void **state)
{
	_cleanup_(flame_freep) struct flame *f = FLAME_COMPARED("a 100", "-a 50", "-b;c 30",
								"-d 20");

	(void)state;
	assert_float_equal(flame_gone_share(f), 0, 1e-9);
	/* all, a, b, c, d */
	f->boxes[2].change = f->boxes[3].change = FLAME_LESS;
	assert_float_equal(flame_gone_share(f), 30, 1e-9);
	f->boxes[4].change = FLAME_LESS;
	assert_float_equal(flame_gone_share(f), 50, 1e-9);
}

static void kinds_have_words(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < N_FLAME_KINDS; kind++)
		assert_non_null(flame_kind_word(kind));
	assert_string_equal(flame_kind_word(FLAME_JIT), "JIT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_begins_where_its_elder_sibling_ends),
		cmocka_unit_test(small_boxes_are_left_out_with_what_stands_on_them),
		cmocka_unit_test(a_box_as_large_as_the_limit_is_drawn),
		cmocka_unit_test(what_is_large_on_one_side_is_drawn),
		cmocka_unit_test(nothing_has_one_box),
		cmocka_unit_test(changes_have_steps),
		cmocka_unit_test(what_is_gone_counts_once_and_beyond_chance),
		cmocka_unit_test(kinds_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
