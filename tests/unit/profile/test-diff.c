/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "profile/diff.h"
#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"

static const struct diff_options delta = { .compute = DIFF_DELTA, .order = 1, .absolute = true };
static const struct diff_options ratio = { .compute = DIFF_RATIO, .order = 1, .absolute = true };

static int make_values(void **state)
{
	(void)state;
	example_env.values = shared_values_new();
	example_env.frames = frames_new(false);
	return 0;
}

static int free_values(void **state)
{
	(void)state;
	shared_values_free(example_env.values);
	frames_free(example_env.frames);
	return 0;
}

static const char *who(const struct diff *d, size_t i)
{
	return (const char *)(uintptr_t)d->rows[i].entry.row->values[0];
}

static struct diff *compared(const struct diff_options *o, struct example_rows *a,
			     struct example_rows *b)
{
	return diff_new(o, (const struct report_rows *[]){ &a->rows, b ? &b->rows : NULL }, 2);
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static void shares_are_compared_not_periods(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 30);
	example_add(&a, "ls", "f", 70);
	example_rows_init(&b);
	example_add(&b, "sh", "f", 100);
	example_add(&b, "ls", "f", 100);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 2);
	assert_string_equal(who(d, 0), "sh");
	assert_near(d->rows[0].cells[1].value, 20);
	assert_near(d->rows[1].cells[1].value, -20);
	assert_int_equal(d->rows[1].cells[1].period, 100);
	assert_near(diff_shown_share(d, &d->rows[0]), 30);
}

static void words_that_read_the_same_are_the_same(void **state)
{
	static const char mine[] = "sh", theirs[] = "sh";
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, mine, "f", 30);
	example_rows_init(&b);
	example_add(&b, theirs, "f", 40);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 1);
	assert_ptr_equal(d->rows[0].entry.rows, &a.rows);
}

static void what_only_one_side_has_is_a_row_too(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "gone", "f", 100);
	example_rows_init(&b);
	example_add(&b, "new", "f", 100);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 2);
	assert_string_equal(who(d, 0), "new");
	assert_false(d->rows[0].cells[0].is_there);
	assert_near(d->rows[0].cells[1].value, 100);
	assert_string_equal(who(d, 1), "gone");
	assert_false(d->rows[1].cells[1].is_there);
}

static void without_a_baseline_there_is_no_ratio(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 50);
	example_rows_init(&b);
	example_add(&b, "big", "f", 900);
	example_add(&b, "sh", "f", 100);
	example_add(&b, "small", "f", 90);
	d = compared(&ratio, &a, &b);
	assert_string_equal(who(d, 0), "sh");
	assert_near(d->rows[0].cells[1].value, 2);
	assert_string_equal(who(d, 1), "big"); /* the larger first, though both have no value */
	assert_false(d->rows[1].cells[1].is_known);
	assert_string_equal(who(d, 2), "small");
}

static void weights_are_those_of_the_sides(void **state)
{
	const struct diff_options o = { .weight_base = 2, .weight_other = 3 };

	(void)state;
	assert_int_equal(diff_weighted(&o, 10, 20), 40);
	assert_int_equal(diff_weighted(&o, 100, 20), -140);
}

static void changes_are_sorted_by_their_size_on_request(void **state)
{
	static const struct diff_options size = { .compute = DIFF_DELTA_ABS,
						  .order = 1,
						  .absolute = true };
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL, *e = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "down", "f", 60);
	example_add(&a, "up", "f", 20);
	example_add(&a, "same", "f", 20);
	example_rows_init(&b);
	example_add(&b, "down", "f", 30);
	example_add(&b, "up", "f", 40);
	example_add(&b, "same", "f", 30);
	d = compared(&delta, &a, &b);
	assert_string_equal(who(d, 0), "up");
	assert_string_equal(who(d, 2), "down");
	e = compared(&size, &a, &b);
	assert_string_equal(who(e, 0), "down");
	assert_string_equal(who(e, 1), "up");
}

static void rows_can_be_sorted_by_the_baseline(void **state)
{
	static const struct diff_options base = { .compute = DIFF_DELTA, .absolute = true };
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "much", "f", 60);
	example_add(&a, "little", "f", 20);
	example_rows_init(&b);
	example_add(&b, "little", "f", 90);
	d = compared(&base, &a, &b);
	assert_string_equal(who(d, 0), "much");
	assert_string_equal(who(d, 1), "little");
}

static void only_pairs_are_left_on_request(void **state)
{
	static const struct diff_options pairs = {
		.compute = DIFF_DELTA, .order = 1, .baseline_only = true, .absolute = true
	};
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "gone", "f", 60);
	example_add(&a, "sh", "f", 40);
	example_rows_init(&b);
	example_add(&b, "sh", "f", 50);
	example_add(&b, "new", "f", 50);
	d = compared(&pairs, &a, &b);
	assert_int_equal(d->n, 1);
	assert_near(d->rows[0].cells[1].value, 10); /* of all */
	assert_near(diff_shown_share(d, &d->rows[0]), 100);
}

static void an_event_may_be_missing(void **state)
{
	struct example_rows a;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 30);
	d = compared(&delta, &a, NULL);
	assert_int_equal(d->n, 1);
	assert_false(d->rows[0].cells[1].is_there);
}

static void nothing_compared_with_nothing_is_no_row(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	example_rows_init(&b);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 0);
	assert_near(diff_share(d, 1, 0), 0);
}

/* A key of functions, whose number is a frame. */
static const struct key_type function_type = { .name = "symbol",
					       .flags = KEY_IS_FRAME,
					       .parts = { { .name = "symbol",
							    .type = VALUE_ADDRESS } } };
static const struct key function_key = { .type = &function_type, .parts = function_type.parts };
static const struct report_options by_function = { .env = &example_env,
						   .keys = &function_key,
						   .n_keys = 1 };

static void add_function(struct example_rows *m, const struct symbol *sym, uint64_t addr,
			 uint64_t period)
{
	const struct location loc = { .addr = addr, .image_addr = addr, .sym = sym };
	size_t i = m->rows.n;

	example_add(m, NULL, NULL, period);
	m->rows.options = &by_function;
	m->items[i].frame = frames_add(example_env.frames, &loc, ADDRESS_USER, FRAME_SAMPLED);
	m->values[i][0] = m->items[i].frame;
}

static void functions_of_one_name_are_one_wherever_they_lie(void **state)
{
	static const struct symbol here = { .start = 0x100, .end = 0x200, .name = "work" };
	static const struct symbol there = { .start = 0x300, .end = 0x400, .name = "work" };
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	add_function(&a, &here, 0x110, 10);
	example_rows_init(&b);
	add_function(&b, &there, 0x310, 20);
	add_function(&b, &here, 0x120, 30);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 1);
	assert_int_equal(d->rows[0].cells[1].period, 50);
}

static void code_without_a_name_is_one_row(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;

	(void)state;
	example_rows_init(&a);
	add_function(&a, NULL, 0x900, 10);
	add_function(&a, NULL, 0x800, 10);
	example_rows_init(&b);
	add_function(&b, NULL, 0x700, 10);
	d = compared(&delta, &a, &b);
	assert_int_equal(d->n, 1);
	assert_int_equal(d->rows[0].cells[0].period, 20);
	assert_ptr_equal(d->rows[0].entry.rows, &a.rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_compared_not_periods),
		cmocka_unit_test(words_that_read_the_same_are_the_same),
		cmocka_unit_test(what_only_one_side_has_is_a_row_too),
		cmocka_unit_test(without_a_baseline_there_is_no_ratio),
		cmocka_unit_test(weights_are_those_of_the_sides),
		cmocka_unit_test(changes_are_sorted_by_their_size_on_request),
		cmocka_unit_test(rows_can_be_sorted_by_the_baseline),
		cmocka_unit_test(only_pairs_are_left_on_request),
		cmocka_unit_test(an_event_may_be_missing),
		cmocka_unit_test(nothing_compared_with_nothing_is_no_row),
		cmocka_unit_test(functions_of_one_name_are_one_wherever_they_lie),
		cmocka_unit_test(code_without_a_name_is_one_row),
	};

	return cmocka_run_group_tests(tests, make_values, free_values);
}
