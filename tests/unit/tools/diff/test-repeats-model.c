/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "tools/diff/repeats-model.h"

#define EACH 4 /* recordings on each side */

static const struct diff_options shares = { .compute = DIFF_DELTA_ABS,
					    .order = 1,
					    .absolute = true };
static const struct diff_options periods = { .compute = DIFF_RATIO, .order = 1, .absolute = true };
static const size_t side_of[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
static const char *const names[] = { "old", "new" };
static const struct diff_repeats_options two_sides = {
	.names = names, .n_sides = 2, .side_of = side_of, .unit = "", .order = 1
};

/* Eight recordings: "grows" grows, "noise" varies, "rest" is the rest. */
struct made {
	struct example_rows recordings[2 * EACH];
	const struct report_rows *sides[2 * EACH];
	struct diff *diff;
	struct diff_repeats *repeats;
};

static void example_init(struct made *m, const struct diff_options *d,
			 const struct diff_repeats_options *o)
{
	static const uint64_t noise[] = { 900, 1100, 1050, 950, 1000, 1080, 930, 980 };

	*m = (struct made){ 0 };
	for (size_t i = 0; i < 2 * EACH; i++) {
		uint64_t grows = (side_of[i] ? 2500 : 2000) + i % 3 * 10;
		struct example_rows *r = &m->recordings[i];

		example_rows_init(r);
		example_add(r, "rest", "f", 10000 - grows - noise[i]);
		example_add(r, "grows", "f", grows);
		example_add(r, "noise", "f", noise[i]);
		m->sides[i] = &r->rows;
	}
	m->diff = diff_new(d, m->sides, 2 * EACH);
	m->repeats = diff_repeats_new(m->diff, o);
}

static void example_done(struct made *m)
{
	diff_repeats_free(m->repeats);
	diff_free(m->diff);
}

static const char *who(const struct diff_repeat *r)
{
	return (const char *)(uintptr_t)r->row->entry.row->values[0];
}

static int make_values(void **state)
{
	(void)state;
	example_env.values = shared_values_new();
	return 0;
}

static int free_values(void **state)
{
	(void)state;
	shared_values_free(example_env.values);
	return 0;
}

static void what_changed_stands_above_what_varies(void **state)
{
	_cleanup_(example_done) struct made m;

	(void)state;
	example_init(&m, &shares, &two_sides);
	diff_repeats_correct(m.repeats, &two_sides);
	assert_int_equal(m.repeats->n, 3);
	assert_string_equal(who(&m.repeats->rows[0]), "grows");
	assert_true(compare_is_shown(&m.repeats->rows[0].figures->differences[1]));
	assert_string_equal(who(&m.repeats->rows[2]), "noise");
	assert_false(compare_is_shown(&m.repeats->rows[2].figures->differences[1]));
	assert_true(fabs(m.repeats->rows[0].figures->differences[1].absolute - 5) < 0.2);
	assert_true(fabs(m.repeats->rows[0].share - 20.1) < 0.1);
}

static void the_whole_comes_first_and_is_a_row_of_its_own(void **state)
{
	static const double seconds[] = { 1, 1.1, 0.9, 1, 2, 2.1, 1.9, 0 };
	struct diff_repeats_options o = two_sides;
	_cleanup_(example_done) struct made m;
	const struct compare_row *time;

	(void)state;
	o.seconds = seconds;
	o.unit = "ns";
	example_init(&m, &shares, &o);
	assert_int_equal(m.repeats->n_whole, 2);
	time = m.repeats->compare->rows[0];
	assert_string_equal(time->name, "time");
	assert_int_equal(time->sides[1].n, 3); /* 0 counts as not known */
	assert_int_equal(time->sides[1].missing, 1);
	assert_string_equal(m.repeats->compare->rows[1]->name, "total");
	assert_string_equal(m.repeats->compare->rows[1]->unit, "ns");
	assert_true(m.repeats->compare->rows[1]->sides[0].mean == 10000);
}

static void a_row_that_is_not_there_is_0_there(void **state)
{
	struct example_rows a, b;
	_cleanup_(diff_freep) struct diff *d = NULL;
	_cleanup_(diff_repeats_freep) struct diff_repeats *r = NULL;
	const struct compare_row *row;

	(void)state;
	example_rows_init(&a);
	example_add(&a, "sh", "f", 1000);
	example_rows_init(&b);
	example_add(&b, "ls", "f", 1000);
	d = diff_new(&shares, (const struct report_rows *[]){ &a.rows, &b.rows }, 2);
	r = diff_repeats_new(d, &(struct diff_repeats_options){ .names = names,
								.n_sides = 2,
								.side_of = (size_t[]){ 0, 1 },
								.unit = "" });
	/* Both have the same last key, so each is named by all its keys. */
	row = compare_find_row(r->compare, "sh f");
	assert_non_null(row);
	assert_non_null(compare_find_row(r->compare, "ls f"));
	assert_int_equal(row->sides[1].n, 1);
	assert_true(row->sides[1].mean == 0);
	assert_int_equal(row->differences[1].basis, COMPARE_TOO_FEW);
}

static void periods_are_compared_for_ratios(void **state)
{
	_cleanup_(example_done) struct made m;
	const struct compare_row *row;

	(void)state;
	example_init(&m, &periods, &two_sides);
	diff_repeats_correct(m.repeats, &two_sides);
	row = m.repeats->rows[0].figures;
	assert_string_equal(who(&m.repeats->rows[0]), "grows");
	assert_string_equal(row->unit, "");
	assert_true(row->sides[0].mean > 2000 && row->sides[0].mean < 2020);
	assert_true(row->differences[1].percent > 24 && row->differences[1].percent < 26);
}

/* One sample in every recording of one side, and none in the others, proves nothing. */
static void equal_counts_are_not_exact(void **state)
{
	struct example_rows recordings[2 * EACH];
	const struct report_rows *sides[2 * EACH];
	_cleanup_(diff_freep) struct diff *d = NULL;
	_cleanup_(diff_repeats_freep) struct diff_repeats *r = NULL;

	(void)state;
	for (size_t i = 0; i < 2 * EACH; i++) {
		example_rows_init(&recordings[i]);
		example_add(&recordings[i], "rest", "g", side_of[i] ? 1000 : 990);
		if (!side_of[i])
			example_add(&recordings[i], "rare", "f", 10);
		sides[i] = &recordings[i].rows;
	}
	d = diff_new(&shares, sides, 2 * EACH);
	r = diff_repeats_new(d, &two_sides);
	for (size_t i = 0; i < r->n; i++) {
		const struct compare_side *side = &r->rows[i].figures->sides[0];

		assert_true(fabs(side->deviation - sqrt(1 / 6.0)) < 1e-9); /* of a sample in 100 */
		assert_int_equal(r->rows[i].figures->differences[1].basis, COMPARE_TESTED);
	}
}

static void rows_of_one_side_can_be_left_out(void **state)
{
	struct diff_repeats_options o = two_sides;
	_cleanup_(example_done) struct made m = { 0 };

	(void)state;
	for (size_t i = 0; i < 2 * EACH; i++) {
		example_rows_init(&m.recordings[i]);
		example_add(&m.recordings[i], "sh", "f", 100);
		if (i == 6)
			example_add(&m.recordings[i], "new", "f", 100);
		m.sides[i] = &m.recordings[i].rows;
	}
	o.baseline_only = true;
	m.diff = diff_new(&shares, m.sides, 2 * EACH);
	m.repeats = diff_repeats_new(m.diff, &o);
	assert_int_equal(m.repeats->n, 1);
	assert_string_equal(who(&m.repeats->rows[0]), "sh");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changed_stands_above_what_varies),
		cmocka_unit_test(the_whole_comes_first_and_is_a_row_of_its_own),
		cmocka_unit_test(a_row_that_is_not_there_is_0_there),
		cmocka_unit_test(periods_are_compared_for_ratios),
		cmocka_unit_test(equal_counts_are_not_exact),
		cmocka_unit_test(rows_of_one_side_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, make_values, free_values);
}
