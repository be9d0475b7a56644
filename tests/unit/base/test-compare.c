/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/compare.h"

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted) + 1e-15))
		fail_msg("%.17g is not %.17g", got, wanted);
}

static const char *const names[] = { "a", "b", "c" };

static void fill(struct compare *c, struct compare_row *row, size_t command, const double *values,
		 size_t n)
{
	for (size_t i = 0; i < n; i++)
		compare_add(c, row, command, values[i]);
}

/* Returns a finished comparison of two commands by one row. */
static struct compare *of(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *row = compare_add_row(c, COMPARE_ELAPSED, "time", "s");

	fill(c, row, 0, a, n_a);
	fill(c, row, 1, b, n_b);
	compare_finish(c);
	return c;
}

#define OF(a, b) of(a, ARRAY_SIZE(a), b, ARRAY_SIZE(b))

/*
 * Student's own data (Biometrika 6, 1908), and the results of R's t.test() for it in the manual of
 * R.
 */
static void students_sleep_data_give_the_published_figures(void **state)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	_cleanup_(compare_freep) struct compare *c = OF(a, b);
	const struct compare_row *row = c->rows[0];
	const struct compare_difference *d = &row->differences[1];

	(void)state;
	assert_near(row->sides[0].mean, 0.75);
	assert_near(row->sides[1].mean, 2.33);
	assert_near(row->sides[0].deviation, 1.7890096577591624);
	assert_near(row->sides[0].half_width, 1.2797804135262326);
	assert_near(row->sides[1].deviation, 2.002248735796829);
	assert_near(row->sides[1].half_width, 1.4323224606232949);
	assert_near(row->sides[0].min, -1.6);
	assert_near(row->sides[0].max, 3.7);
	assert_int_equal(d->basis, COMPARE_TESTED);
	assert_near(d->absolute, 1.58);
	assert_near(d->t, 1.8608134674868531);
	assert_near(d->df, 17.77647351617849);
	assert_near(d->p, 0.079394140187358138);
	assert_near(d->half_width, 1.785483230711711); /* R: -0.2054832 to 3.3654832 */
	assert_near(d->percent, 100 * 1.58 / 0.75);
	assert_near(d->percent_half_width, 100 * 1.785483230711711 / 0.75);
	assert_int_equal(d->verdict, COMPARE_SAME);
}

/* Equal and unequal variances and sizes: t = 2.46, 1.57, 2.22; df = 25.0, 9.9, 24.5. */
static void classical_examples_give_the_published_figures(void **state)
{
	static const double a1[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
				     21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
	static const double b1[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
				     24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4 };
	static const double a2[] = { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8 };
	static const double b2[] = { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
				     20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 };
	static const double a3[] = { 19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0 };
	static const double b3[] = { 28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
				     23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2 };
	const struct {
		struct compare *c;
		double t, df, p;
		enum compare_verdict verdict;
	} known[] = {
		{ OF(a1, b1), 2.4553563982860051, 24.988529290231414, 0.021378001462867032,
		  COMPARE_MORE },
		{ OF(a2, b2), 1.5654335235985052, 9.9047412486508289, 0.14884169660532799,
		  COMPARE_SAME },
		{ OF(a3, b3), 2.2192409158236249, 24.496223124201239, 0.035972271029796718,
		  COMPARE_MORE },
		{ OF(b3, a3), -2.2192409158236249, 24.496223124201239, 0.035972271029796718,
		  COMPARE_LESS },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct compare_difference *d = &known[i].c->rows[0]->differences[1];

		assert_near(d->t, known[i].t);
		assert_near(d->df, known[i].df);
		assert_near(d->p, known[i].p);
		assert_int_equal(d->verdict, known[i].verdict);
		compare_free(known[i].c);
	}
}

/* A difference is shown exactly if its interval does not contain 0. */
static void the_interval_and_the_test_agree(void **state)
{
	(void)state;
	for (int i = 0; i <= 100; i++) {
		const double a[] = { 1, 2, 3, 4, 5 };
		const double shift = 0.05 * i - 2.5;
		const double b[] = { 1 + shift, 2.5 + shift, 3 + shift, 3.5 + shift };
		_cleanup_(compare_freep) struct compare *c = OF(a, b);
		const struct compare_difference *d = &c->rows[0]->differences[1];

		assert_int_equal(compare_is_shown(d), fabs(d->absolute) > d->half_width);
		assert_int_equal(compare_is_shown(d), fabs(d->percent) > d->percent_half_width);
	}
}

static void one_side_without_noise_is_still_tested(void **state)
{
	static const double a[] = { 10, 12, 14 }, b[] = { 20, 20, 20 };
	_cleanup_(compare_freep) struct compare *c = OF(a, b);
	const struct compare_difference *d = &c->rows[0]->differences[1];

	(void)state;
	assert_int_equal(d->basis, COMPARE_TESTED);
	assert_near(d->t, 4 * sqrt(3));
	assert_near(d->df, 2);
	assert_near(d->p, 0.020204102886728761);
	assert_near(d->half_width, 4.9682754235006621);
	assert_near(c->rows[0]->sides[0].half_width, 4.9682754235006621);
	assert_true(c->rows[0]->sides[1].half_width == 0);
	assert_int_equal(d->verdict, COMPARE_MORE);
}

static void values_that_never_vary_differ_exactly_or_not_at_all(void **state)
{
	static const double a[] = { 45, 45, 45 }, b[] = { 36, 36 };
	_cleanup_(compare_freep) struct compare *c = OF(a, b), *same = OF(a, a);
	const struct compare_difference *d = &c->rows[0]->differences[1];

	(void)state;
	assert_int_equal(d->basis, COMPARE_EXACT);
	assert_int_equal(d->verdict, COMPARE_LESS);
	assert_near(d->absolute, -9);
	assert_near(d->percent, -20);
	assert_true(d->half_width == 0 && d->percent_half_width == 0);
	d = &same->rows[0]->differences[1];
	assert_int_equal(d->basis, COMPARE_EXACT);
	assert_int_equal(d->verdict, COMPARE_SAME);
	assert_true(d->absolute == 0 && d->has_percent && d->percent == 0);
}

static void a_single_run_shows_nothing(void **state)
{
	static const double one[] = { 4 }, two[] = { 5, 7 };
	_cleanup_(compare_freep) struct compare *c = OF(one, two), *turned = OF(two, one);
	const struct compare_difference *d = &c->rows[0]->differences[1];

	(void)state;
	assert_int_equal(d->basis, COMPARE_TOO_FEW);
	assert_int_equal(d->verdict, COMPARE_UNKNOWN);
	assert_near(d->absolute, 2);
	assert_near(d->percent, 50);
	assert_false(c->rows[0]->sides[0].has_noise);
	assert_true(c->rows[0]->sides[0].half_width == 0);
	assert_int_equal(turned->rows[0]->differences[1].basis, COMPARE_TOO_FEW);
	assert_false(compare_is_shown(d));
}

static void of_nothing_there_is_no_percentage(void **state)
{
	static const double zero[] = { 0, 0, 0 }, some[] = { 1, 2, 3 };
	_cleanup_(compare_freep) struct compare *c = OF(zero, some);
	const struct compare_difference *d = &c->rows[0]->differences[1];

	(void)state;
	assert_false(c->rows[0]->sides[0].has_noise);
	assert_false(d->has_percent);
	assert_int_equal(d->basis, COMPARE_TESTED);
	assert_near(d->absolute, 2);
	assert_near(d->t, 2 * sqrt(3));
}

static void runs_without_a_count_are_told_apart_from_zero(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	struct compare_row *time = compare_add_row(c, COMPARE_ELAPSED, "time", "s");
	struct compare_row *misses = compare_add_row(c, COMPARE_COUNT, "misses", "");
	struct compare_row *never = compare_add_row(c, COMPARE_COUNT, "never", "");

	(void)state;
	for (int i = 0; i < 4; i++)
		for (size_t k = 0; k < 2; k++)
			compare_add(c, time, k, 1 + i);
	compare_add(c, misses, 0, 7);
	compare_add_missing(c, misses, 0);
	compare_add(c, misses, 0, 9);
	compare_add(c, misses, 1, NAN);
	compare_add(c, misses, 1, INFINITY);
	compare_add(c, misses, 1, 1e101);
	compare_add(c, misses, 1, 8);
	compare_add_missing(c, never, 0);
	compare_finish(c);

	assert_int_equal(c->commands[0].runs, 4);
	assert_int_equal(misses->sides[0].n, 2);
	assert_int_equal(misses->sides[0].missing, 2);
	assert_near(misses->sides[0].mean, 8);
	assert_int_equal(misses->sides[1].n, 1);
	assert_int_equal(misses->sides[1].missing, 3);
	assert_int_equal(misses->differences[1].basis, COMPARE_TOO_FEW);
	assert_int_equal(never->sides[1].missing, 4);
	assert_int_equal(never->differences[1].basis, COMPARE_NOT_COUNTED);
	assert_int_equal(never->differences[1].verdict, COMPARE_UNKNOWN);
	assert_true(never->sides[0].mean == 0 && !never->differences[1].has_percent);
}

static void figures_stay_finite_whatever_the_values(void **state)
{
	static const double extremes[] = { 0,    1e-320, -1e-320, 1e-200, 1e-155,
					   1e-3, 1,      -1,      1e99,   -1e100 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(extremes); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(extremes); k++) {
			const double a[] = { extremes[i], extremes[k], extremes[i] };
			const double b[] = { extremes[k], extremes[k], extremes[i], extremes[k] };
			_cleanup_(compare_freep) struct compare *c = OF(a, b);
			const struct compare_side *side = &c->rows[0]->sides[0];
			const struct compare_difference *d = &c->rows[0]->differences[1];

			assert_true(isfinite(side->mean) && isfinite(side->half_width));
			assert_true(isfinite(side->deviation) && isfinite(side->noise));
			assert_true(isfinite(d->absolute) && isfinite(d->half_width));
			assert_true(isfinite(d->percent) && isfinite(d->percent_half_width));
			assert_true(isfinite(d->t) && isfinite(d->df) && isfinite(d->p));
			assert_true(d->p >= 0 && d->p <= 1);
		}
	}
}

static void every_command_is_held_against_the_first(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(3, names);
	struct compare_row *row = compare_add_row(c, COMPARE_COUNT, "n", "");

	(void)state;
	for (size_t k = 0; k < 3; k++)
		for (int i = 0; i < 3; i++)
			compare_add(c, row, k, 10 * (double)(k + 1) + i);
	compare_finish(c);
	assert_near(row->differences[1].absolute, 10);
	assert_near(row->differences[2].absolute, 20);
	assert_string_equal(c->commands[2].name, "c");
	assert_int_equal(compare_letter(2), 'C');
}

static void noise_beyond_five_percent_is_marked(void **state)
{
	/* The half width of the interval is 12.706 / 2 of the distance of the two values. */
	static const double quiet[] = { 100, 100.78 }, loud[] = { 100, 100.80 };
	_cleanup_(compare_freep) struct compare *c = OF(quiet, loud);
	const struct compare_side *sides = c->rows[0]->sides;

	(void)state;
	assert_near(sides[0].noise, 100 * 12.706204736174705 * 0.39 / 100.39);
	assert_false(sides[0].noisy);
	assert_true(sides[1].noisy);
}

static bool warms_up(const double *values, size_t n, enum compare_kind kind)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	struct compare_row *row = compare_add_row(c, kind, "x", "");

	fill(c, row, 0, values, n);
	compare_finish(c);
	return row->sides[0].first_run_differs;
}

static void a_first_run_far_above_the_others_is_noticed(void **state)
{
	static const double slow[] = { 14, 10, 11, 9, 10 };  /* 4 above a mean of 10; sd 0.82 */
	static const double usual[] = { 12, 10, 11, 9, 10 }; /* within three deviations */
	static const double fast[] = { 5, 10, 11, 9, 10 };
	static const double little[] = { 101, 100, 100, 100, 100 }; /* too little to be reported */

	(void)state;
	assert_true(warms_up(slow, 5, COMPARE_ELAPSED));
	assert_true(warms_up(slow, 5, COMPARE_COUNT));
	assert_false(warms_up(slow, 5, COMPARE_RATIO));
	assert_false(warms_up(slow, 4, COMPARE_ELAPSED));
	assert_false(warms_up(usual, 5, COMPARE_ELAPSED));
	assert_false(warms_up(fast, 5, COMPARE_ELAPSED));
	assert_false(warms_up(little, 5, COMPARE_ELAPSED));
	/* A first run that is more than 2 % above is reported if the others do not vary. */
	assert_false(warms_up((const double[]){ 102, 100, 100, 100, 100 }, 5, COMPARE_ELAPSED));
	assert_true(warms_up((const double[]){ 103, 100, 100, 100, 100 }, 5, COMPARE_ELAPSED));
}

static void a_row_is_found_by_its_name_or_without_its_modifiers(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2, names);
	struct compare_row *sched = compare_add_row(c, COMPARE_COUNT, "sched:sched_switch", "");
	struct compare_row *user = compare_add_row(c, COMPARE_COUNT, "cycles:u", "");
	struct compare_row *twice = compare_add_row(c, COMPARE_COUNT, "cs", "");

	(void)state;
	compare_add_row(c, COMPARE_COUNT, "cs", "");
	compare_add_row(c, COMPARE_COUNT, "faults:uz", "");
	compare_add_row(c, COMPARE_COUNT, "ends:", "");
	assert_null(compare_find_row(c, "faults"));
	assert_null(compare_find_row(c, "ends"));
	assert_ptr_equal(compare_find_row(c, "sched:sched_switch"), sched);
	assert_ptr_equal(compare_find_row(c, "cycles:u"), user);
	assert_ptr_equal(compare_find_row(c, "cycles"), user);
	assert_ptr_equal(compare_find_row(c, "cs"), twice);
	assert_null(compare_find_row(c, "sched"));
	assert_null(compare_find_row(c, "cycles:k"));
	assert_null(compare_find_row(c, "cycle"));
	assert_null(compare_find_row(c, "bicycl")); /* as long as "cycles" */
	assert_null(compare_find_row(c, ""));
}

static void the_word_depends_on_what_is_measured(void **state)
{
	(void)state;
	assert_string_equal(compare_word(COMPARE_ELAPSED, COMPARE_LESS), "faster");
	assert_string_equal(compare_word(COMPARE_ELAPSED, COMPARE_MORE), "slower");
	assert_string_equal(compare_word(COMPARE_AMOUNT, COMPARE_LESS), "less");
	assert_string_equal(compare_word(COMPARE_COUNT, COMPARE_LESS), "fewer");
	assert_string_equal(compare_word(COMPARE_COUNT, COMPARE_MORE), "more");
	assert_string_equal(compare_word(COMPARE_RATIO, COMPARE_MORE), "higher");
	assert_string_equal(compare_word(COMPARE_RATIO, COMPARE_SAME), "no difference shown");
	assert_string_equal(compare_word(COMPARE_COUNT, COMPARE_UNKNOWN), "cannot tell");
}

static void units_of_time_are_known(void **state)
{
	(void)state;
	assert_true(compare_unit_seconds("s") == 1);
	assert_true(compare_unit_seconds("sec") == 1);
	assert_true(compare_unit_seconds("ms") == 1e-3);
	assert_true(compare_unit_seconds("msec") == 1e-3);
	assert_true(compare_unit_seconds("us") == 1e-6);
	assert_true(compare_unit_seconds("usec") == 1e-6);
	assert_true(compare_unit_seconds("\u00b5s") == 1e-6);
	assert_true(compare_unit_seconds("ns") == 1e-9);
	assert_true(compare_unit_seconds("nsec") == 1e-9);
	assert_true(compare_unit_seconds("Joules") == 0);
	assert_true(compare_unit_seconds("") == 0);
}

/* The p-values of the example of Y. Benjamini and Y. Hochberg: 15 tests, 4 of which are left. */
static void many_rows_are_corrected_for_their_number(void **state)
{
	static const double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
				    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	_cleanup_(compare_freep) struct compare *c = compare_new(2,
								 (const char *const[]){ "a", "b" });
	size_t shown = 0;

	(void)state;
	compare_add_row(c, COMPARE_COUNT, "apart", "");
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		compare_add_row(c, COMPARE_COUNT, "row", "");
	compare_finish(c);
	for (size_t i = 0; i < c->n_rows; i++)
		c->rows[i]->differences[1] = (struct compare_difference){
			.basis = COMPARE_TESTED,
			.verdict = COMPARE_MORE,
			.p = i ? p[ARRAY_SIZE(p) - i] : 0.04,
		};
	compare_correct(c, 1);
	for (size_t i = 1; i < c->n_rows; i++)
		shown += compare_is_shown(&c->rows[i]->differences[1]);
	assert_int_equal(shown, 4);
	assert_true(fabs(c->rows[c->n_rows - 1]->differences[1].q - 0.0015) < 1e-12);
	assert_true(fabs(c->rows[c->n_rows - 2]->differences[1].q - 0.003) < 1e-12);
	assert_true(c->rows[1]->differences[1].q == 1);
	/* not one of the corrected rows */
	assert_true(compare_is_shown(&c->rows[0]->differences[1]));
	assert_false(c->rows[0]->differences[1].has_q);
}

static void values_may_be_known_to_vary_more_than_they_do(void **state)
{
	_cleanup_(compare_freep) struct compare *c = compare_new(2,
								 (const char *const[]){ "a", "b" });
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "share", "%");

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		compare_add(c, row, 0, 1);
		compare_add(c, row, 1, 2);
	}
	row->sides[0].least_deviation = 2;
	row->sides[1].least_deviation = 2;
	compare_finish(c);
	assert_true(row->sides[0].deviation == 2);
	assert_int_equal(row->differences[1].basis, COMPARE_TESTED);
	assert_false(compare_is_shown(&row->differences[1]));
}

/* Returns a comparison of one row with three runs of each side, around @a and @b. */
static struct compare *measured(double a, double b)
{
	struct compare *c = compare_new(2, (const char *const[]){ "a", "b" });
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "", "");

	for (int i = -1; i <= 1; i++) {
		compare_add(c, row, 0, a + i * 0.1);
		compare_add(c, row, 1, b + i * 0.1);
	}
	compare_finish(c);
	return c;
}

static void another_measure_has_to_agree(void **state)
{
	static const struct {
		double by_share, by_time;
		enum compare_verdict verdict;
	} rows[] = {
		{ 20, 20, COMPARE_MORE }, { 20, 10, COMPARE_SAME }, { 20, 5, COMPARE_SAME },
		{ 10, 20, COMPARE_SAME }, { 5, 5, COMPARE_LESS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(compare_freep) struct compare *c = measured(10, rows[i].by_share);
		_cleanup_(compare_freep) struct compare *other = measured(10, rows[i].by_time);
		double p = c->rows[0]->differences[1].p;

		compare_agree(c, other, 0);
		assert_int_equal(c->rows[0]->differences[1].verdict, rows[i].verdict);
		assert_true(c->rows[0]->differences[1].p >= p);
	}
}

static void what_the_other_measure_says_changes_the_probability(void **state)
{
	static const struct {
		enum compare_verdict verdict;
		enum compare_basis basis;
		double p;
		enum compare_verdict wanted;
		double wanted_p;
	} others[] = {
		{ COMPARE_MORE, COMPARE_TESTED, 0.04, COMPARE_MORE, 0.04 },
		{ COMPARE_MORE, COMPARE_TESTED, 0.001, COMPARE_MORE, 0.01 },
		{ COMPARE_UNKNOWN, COMPARE_TOO_FEW, 0.5, COMPARE_MORE, 0.01 },
		{ COMPARE_SAME, COMPARE_TESTED, 0.3, COMPARE_SAME, 0.3 },
		{ COMPARE_SAME, COMPARE_EXACT, 0.3, COMPARE_SAME, 1 },
		{ COMPARE_LESS, COMPARE_TESTED, 0.001, COMPARE_SAME, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		_cleanup_(compare_freep) struct compare *c = measured(10, 20);
		_cleanup_(compare_freep) struct compare *other = measured(10, 20);
		struct compare_difference *d = &c->rows[0]->differences[1];
		struct compare_difference *o = &other->rows[0]->differences[1];

		d->verdict = COMPARE_MORE;
		d->p = 0.01;
		o->verdict = others[i].verdict;
		o->basis = others[i].basis;
		o->p = others[i].p;
		compare_agree(c, other, 0);
		assert_int_equal(d->verdict, others[i].wanted);
		assert_true(d->p == others[i].wanted_p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(students_sleep_data_give_the_published_figures),
		cmocka_unit_test(classical_examples_give_the_published_figures),
		cmocka_unit_test(the_interval_and_the_test_agree),
		cmocka_unit_test(one_side_without_noise_is_still_tested),
		cmocka_unit_test(values_that_never_vary_differ_exactly_or_not_at_all),
		cmocka_unit_test(a_single_run_shows_nothing),
		cmocka_unit_test(of_nothing_there_is_no_percentage),
		cmocka_unit_test(runs_without_a_count_are_told_apart_from_zero),
		cmocka_unit_test(figures_stay_finite_whatever_the_values),
		cmocka_unit_test(every_command_is_held_against_the_first),
		cmocka_unit_test(noise_beyond_five_percent_is_marked),
		cmocka_unit_test(a_first_run_far_above_the_others_is_noticed),
		cmocka_unit_test(a_row_is_found_by_its_name_or_without_its_modifiers),
		cmocka_unit_test(the_word_depends_on_what_is_measured),
		cmocka_unit_test(units_of_time_are_known),
		cmocka_unit_test(many_rows_are_corrected_for_their_number),
		cmocka_unit_test(values_may_be_known_to_vary_more_than_they_do),
		cmocka_unit_test(another_measure_has_to_agree),
		cmocka_unit_test(what_the_other_measure_says_changes_the_probability),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
