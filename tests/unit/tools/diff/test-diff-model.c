/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "symbol/symbol.h"
#include "tools/diff/diff-model.h"

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
	assert_string_equal(who(d, 1), "big"); /* the larger first, although neither has a value */
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

/*
 * Keys that are numbers: compare() distinguishes only the tens, identity() the rest, in descending
 * order.
 */
static int compare_tens(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return (int)(a / 10) - (int)(b / 10);
}

static int compare_backwards(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return (int)b - (int)a;
}

static const struct key_type tens_type = { .name = "tens",
					   .parts = { { .name = "tens", .type = VALUE_UNSIGNED } },
					   .compare = compare_tens,
					   .identity = compare_backwards };
static const struct key_type backwards_type = { .name = "backwards",
						.parts = { { .name = "backwards",
							     .type = VALUE_UNSIGNED } },
						.compare = compare_backwards };
static const struct key_type plain_type = {
	.name = "plain", .parts = { { .name = "plain", .type = VALUE_UNSIGNED } }
};

/*
 * Checks the order of three rows of equal weight with the numbers 12, 25 and 17, by a key of @type.
 */
static void assert_order(const struct key_type *type, unsigned a, unsigned b, unsigned c)
{
	const struct key key = { .type = type, .parts = type->parts };
	const struct report_options by_number = { .env = &example_env, .keys = &key, .n_keys = 1 };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows rows;

	example_rows_init(&rows);
	rows.rows.options = &by_number;
	example_add(&rows, (const char *)12, NULL, 10);
	example_add(&rows, (const char *)25, NULL, 10);
	example_add(&rows, (const char *)17, NULL, 10);
	d = compared(&delta, &rows, NULL);
	assert_int_equal(d->n, 3);
	assert_int_equal(d->rows[0].entry.row->values[0], a);
	assert_int_equal(d->rows[1].entry.row->values[0], b);
	assert_int_equal(d->rows[2].entry.row->values[0], c);
}

static void rows_of_equal_weight_stand_in_the_order_of_their_keys(void **state)
{
	(void)state;
	assert_order(&tens_type, 17, 12, 25);
	assert_order(&backwards_type, 25, 17, 12);
	assert_order(&plain_type, 12, 17, 25);
}

/* Three rows of one side have the same text, but their pointers differ. */
static void the_first_of_rows_that_read_the_same_is_shown(void **state)
{
	static const char words[] = "sh\0sh\0sh";
	struct report_options by_place = example_options, by_key = example_options;
	_cleanup_(diff_freep) struct diff *d = NULL, *e = NULL;
	struct example_rows rows;

	(void)state;
	by_place.in_groups = true;
	example_rows_init(&rows);
	rows.rows.options = &by_place;
	for (size_t i = 0; i < 3; i++)
		example_add(&rows, words + 3 * i, "f", 10 + i);
	rows.items[0].place = 7;
	rows.items[1].place = 5;
	rows.items[2].place = 6;
	d = compared(&delta, &rows, NULL);
	assert_int_equal(d->n, 1);
	assert_ptr_equal(d->rows[0].entry.row, &rows.items[1]);
	assert_int_equal(d->rows[0].entry.place, 5);
	assert_int_equal(d->rows[0].cells[0].period, 33);
	/* The keys are equal, so the first stays. */
	rows.rows.options = &by_key;
	e = compared(&delta, &rows, NULL);
	assert_ptr_equal(e->rows[0].entry.row, &rows.items[0]);
}

static struct diff *compared3(const struct diff_options *o, struct example_rows *sides)
{
	return diff_new(
		o, (const struct report_rows *[]){ &sides[0].rows, &sides[1].rows, &sides[2].rows },
		3);
}

static void without_values_the_sides_count_in_their_order(void **state)
{
	static const struct diff_options second = { .compute = DIFF_RATIO, .order = 2 };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows sides[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		example_rows_init(&sides[i]);
	example_add(&sides[0], "known", "f", 10);
	example_add(&sides[2], "known", "f", 5);
	example_add(&sides[1], "first", "f", 90);
	example_add(&sides[2], "first", "f", 10);
	example_add(&sides[1], "second", "f", 10);
	example_add(&sides[2], "second", "f", 90);
	example_add(&sides[1], "absent", "f", 900);
	d = compared3(&second, sides);
	assert_int_equal(d->n, 4);
	assert_string_equal(who(d, 0), "known");
	assert_near(d->rows[0].cells[2].value, 0.5);
	assert_string_equal(who(d, 1), "first");
	assert_string_equal(who(d, 2), "second");
	assert_string_equal(who(d, 3), "absent");
}

static void weighted_differences_need_a_baseline(void **state)
{
	static const struct diff_options weighted = {
		.compute = DIFF_WDIFF, .weight_base = 2, .weight_other = 3, .order = 1
	};
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows a, b;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 10);
	example_rows_init(&b);
	example_add(&b, "new", "f", 100);
	example_add(&b, "sh", "f", 4);
	d = compared(&weighted, &a, &b);
	assert_string_equal(who(d, 0), "sh");
	assert_true(d->rows[0].cells[1].is_known);
	assert_near(d->rows[0].cells[1].value, -8);
	assert_string_equal(who(d, 1), "new");
	assert_false(d->rows[1].cells[1].is_known);
	assert_near(d->rows[1].cells[1].value, 300);
}

static void a_baseline_that_weighs_nothing_gives_no_ratio(void **state)
{
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows a, b;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 0);
	example_rows_init(&b);
	example_add(&b, "sh", "f", 4);
	d = compared(&ratio, &a, &b);
	assert_true(d->rows[0].cells[0].is_there);
	assert_false(d->rows[0].cells[1].is_known);
	assert_near(d->rows[0].cells[1].value, 4);
}

static void shares_are_of_what_is_shown_or_of_all(void **state)
{
	static const struct diff_options shown = { .compute = DIFF_DELTA, .order = 1 };
	_cleanup_(diff_freep) struct diff *d = NULL, *e = NULL;
	struct example_rows a, b;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 50);
	a.rows.all.period = 200;
	example_rows_init(&b);
	example_add(&b, "sh", "f", 10);
	d = compared(&shown, &a, &b);
	assert_near(diff_share(d, 0, 50), 100);
	assert_near(d->rows[0].cells[1].value, 0);
	e = compared(&delta, &a, &b);
	assert_near(diff_share(e, 0, 50), 25);
	assert_near(e->rows[0].cells[1].value, 75);
}

static void a_pair_needs_the_baseline_and_another(void **state)
{
	static const struct diff_options pairs = { .compute = DIFF_DELTA, .baseline_only = true };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows sides[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		example_rows_init(&sides[i]);
	example_add(&sides[0], "alone", "f", 10);
	example_add(&sides[0], "with second", "f", 20);
	example_add(&sides[0], "with first", "f", 30);
	example_add(&sides[1], "with first", "f", 1);
	example_add(&sides[1], "others", "f", 1);
	example_add(&sides[2], "with second", "f", 1);
	example_add(&sides[2], "others", "f", 1);
	d = compared3(&pairs, sides);
	assert_int_equal(d->n, 2);
	assert_string_equal(who(d, 0), "with first");
	assert_string_equal(who(d, 1), "with second");
	assert_int_equal(d->shown_total, 50);
	assert_near(diff_shown_share(d, &d->rows[1]), 40);
}

/* Adds a function in one of two images; only its address matters. */
static void add_in_image(struct example_rows *m, const char *name, const struct map *map,
			 uint64_t period)
{
	static struct symbol symbols[16];
	static size_t n;
	struct symbol *sym = &symbols[n++ % 16];
	const struct location loc = {
		.addr = 16 * n, .image_addr = 16 * n, .sym = sym, .map = map
	};
	size_t i = m->rows.n;

	*sym = (struct symbol){ .start = 16 * n, .end = 16 * n + 16, .name = name };
	example_add(m, NULL, NULL, period);
	m->rows.options = &by_function;
	m->items[i].frame = frames_add(example_env.frames, &loc, ADDRESS_USER, FRAME_SAMPLED);
	m->values[i][0] = m->items[i].frame;
}

static void what_is_on_one_side_alone_is_found(void **state)
{
	static char bytes[3];
	const struct map maps[3] = { { .image = (struct image *)(void *)&bytes[0] },
				     { .image = (struct image *)(void *)&bytes[1] },
				     { .image = (struct image *)(void *)&bytes[2] } };
	static const size_t second_is_other[] = { 0, 1, 1 }, second_is_base[] = { 0, 0, 1 };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows sides[3];
	struct diff_apart a;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		example_rows_init(&sides[i]);
	add_in_image(&sides[0], "both", &maps[0], 50);
	add_in_image(&sides[0], "old", &maps[1], 30);
	add_in_image(&sides[0], "old too", &maps[2], 20);
	add_in_image(&sides[1], "both", &maps[0], 90);
	add_in_image(&sides[1], "new", &maps[1], 4);
	add_in_image(&sides[1], "new too", &maps[2], 6);
	add_in_image(&sides[2], "both", &maps[0], 92);
	add_in_image(&sides[2], "new", &maps[1], 8);
	d = compared3(&delta, sides);
	assert_int_equal(d->n, 5);
	for (int i = 0; i < 2; i++) {
		a = diff_find_apart(d, i ? second_is_other : NULL);
		assert_near(a.before, 50);
		assert_near(a.after, 10);
		assert_ptr_equal(a.old_image, maps[1].image);
		assert_ptr_equal(a.new_image, maps[1].image);
	}
	/* "new" is on both sides then. */
	a = diff_find_apart(d, second_is_base);
	assert_near(a.before, 50);
	assert_near(a.after, 0);
	assert_ptr_equal(a.old_image, maps[1].image);
	assert_null(a.new_image);
}

static void of_equal_rows_on_one_side_the_first_is_named(void **state)
{
	static char bytes[2];
	const struct map maps[2] = { { .image = (struct image *)(void *)&bytes[0] },
				     { .image = (struct image *)(void *)&bytes[1] } };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows a, b;

	(void)state;
	example_rows_init(&a);
	add_in_image(&a, "one", &maps[0], 50);
	add_in_image(&a, "two", &maps[1], 50);
	example_rows_init(&b);
	b.rows.options = &by_function;
	d = compared(&delta, &a, &b);
	assert_ptr_equal(diff_find_apart(d, NULL).old_image, maps[0].image);
	assert_null(diff_find_apart(d, NULL).new_image);
}

static void rows_without_code_have_no_image(void **state)
{
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct diff_apart apart;
	struct example_rows a;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 10);
	a.items[0].frame = FRAME_NONE;
	d = compared(&delta, &a, NULL);
	apart = diff_find_apart(d, NULL);
	assert_near(apart.before, 100);
	assert_null(apart.old_image);
	diff_free(NULL);
}

static void say_the_same(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)c, (void)scratch;
	ret[0] = value_text("same");
}

static void of_rows_that_read_the_same_the_first_by_identity_is_shown(void **state)
{
	static const struct key_type type = { .name = "same",
					      .parts = { { .name = "same", .type = VALUE_TEXT } },
					      .compare = compare_tens,
					      .identity = compare_backwards,
					      .value = say_the_same };
	static const struct key key = { .type = &type, .parts = type.parts };
	const struct report_options by_number = { .env = &example_env, .keys = &key, .n_keys = 1 };
	_cleanup_(diff_freep) struct diff *d = NULL;
	struct example_rows rows;

	(void)state;
	example_rows_init(&rows);
	rows.rows.options = &by_number;
	example_add(&rows, (const char *)12, NULL, 10);
	example_add(&rows, (const char *)17, NULL, 10);
	example_add(&rows, (const char *)15, NULL, 10);
	d = compared(&delta, &rows, NULL);
	assert_int_equal(d->n, 1);
	assert_int_equal(d->rows[0].entry.row->values[0], 17);
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
		cmocka_unit_test(rows_of_equal_weight_stand_in_the_order_of_their_keys),
		cmocka_unit_test(the_first_of_rows_that_read_the_same_is_shown),
		cmocka_unit_test(without_values_the_sides_count_in_their_order),
		cmocka_unit_test(weighted_differences_need_a_baseline),
		cmocka_unit_test(a_baseline_that_weighs_nothing_gives_no_ratio),
		cmocka_unit_test(shares_are_of_what_is_shown_or_of_all),
		cmocka_unit_test(a_pair_needs_the_baseline_and_another),
		cmocka_unit_test(what_is_on_one_side_alone_is_found),
		cmocka_unit_test(of_equal_rows_on_one_side_the_first_is_named),
		cmocka_unit_test(rows_without_code_have_no_image),
		cmocka_unit_test(of_rows_that_read_the_same_the_first_by_identity_is_shown),
	};

	return cmocka_run_group_tests(tests, make_values, free_values);
}
