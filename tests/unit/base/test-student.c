/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/cleanup.h"
#include "base/student.h"

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.17g is not %.17g", got, wanted);
}

/* Returns the probability of a value of at most @t. */
static double cdf(double t, double df)
{
	double tail = student_two_sided(t, df) / 2;

	return t < 0 ? tail : 1 - tail;
}

/*
 * With one degree of freedom it is Cauchy's distribution, with two an algebraic one: both are known
 * exactly.
 */
static void one_and_two_degrees_have_closed_forms(void **state)
{
	static const double ts[] = { -30, -2, -0.1, 0, 0.001, 1, 7, 1e4 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ts); i++) {
		double t = ts[i];

		assert_near(cdf(t, 1), atan2(1, -t) / M_PI);
		/* (1 + t / sqrt(2 + t^2)) / 2, written so that the lower tail keeps its digits */
		if (t < 0)
			assert_near(cdf(t, 2), 1 / (sqrt(2 + t * t) * (sqrt(2 + t * t) - t)));
		else
			assert_near(cdf(t, 2), (1 + t / sqrt(2 + t * t)) / 2);
	}
}

/* Computed with 40 digits from the incomplete beta function. */
static void tails_agree_with_exact_ones(void **state)
{
	static const struct {
		double t, df, p;
	} known[] = {
		{ 1, 1, 0.5 },
		{ 2.5, 1, 0.2422378831816868 },
		{ 0.001, 3, 0.99926489496946094 },
		{ 2, 4.7, 0.10557218220343958 },
		{ 1e-5, 2, 0.99999292893218831 },
		{ 6, 10, 0.0001321088603547856 },
		{ 40, 10, 2.2808577430857546e-12 },
		{ 1.96, 1000, 0.050273184955748718 },
		{ 5, 1e6, 5.7339978708907416e-7 },
		{ 0.5, 1e6, 0.61707518747237139 },
		{ 1.7, 99.5, 0.092254939565844884 },
		{ 1.7, 300.25, 0.090166504450823464 },
		{ 200, 2.5, 2.5430954381379972e-6 },
		{ 8, 25, 2.3497506157188557e-8 },
		{ 1e5, 3, 2.2053155808932546e-15 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_near(student_two_sided(known[i].t, known[i].df), known[i].p);
		assert_near(student_two_sided(-known[i].t, known[i].df), known[i].p);
	}
}

static void many_degrees_are_the_normal_distribution(void **state)
{
	(void)state;
	assert_near(student_two_sided(1.5, 1e10), erfc(1.5 / M_SQRT2));
	assert_near(student_two_sided(1.5, 1e11), erfc(1.5 / M_SQRT2));
	assert_near(student_two_sided(3, INFINITY), erfc(3 / M_SQRT2));
}

static void extreme_values_give_probabilities(void **state)
{
	(void)state;
	assert_true(student_two_sided(INFINITY, 5) == 0);
	assert_true(student_two_sided(1e200, 5) == 0);
	assert_true(student_two_sided(1e-200, 5) == 1);
	assert_true(student_two_sided(0, 5) == 1);
}

static void quantiles_agree_with_tables(void **state)
{
	static const struct {
		double p, df, t;
	} known[] = {
		{ 0.975, 1, 12.706204736174705 },    { 0.975, 2, 4.3026527297494646 },
		{ 0.975, 9, 2.262157162798206 },     { 0.975, 19, 2.09302405440831 },
		{ 0.975, 38.5, 2.0235311373124283 }, { 0.975, 1000, 1.9623390808264085 },
		{ 0.95, 5, 2.0150483733330247 },     { 0.995, 10, 3.1692726726169513 },
		{ 0.999, 4, 7.1731822197823085 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_near(student_quantile(known[i].p, known[i].df), known[i].t);
		assert_near(student_quantile(1 - known[i].p, known[i].df), -known[i].t);
	}
}

static void a_quantile_undoes_the_distribution(void **state)
{
	static const double ps[] = { 1e-12, 0.001, 0.3, 0.5000001, 0.8, 0.9999 };
	static const double dfs[] = { 0.7, 1, 3.3, 50, 1234.5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ps); i++)
		for (size_t j = 0; j < ARRAY_SIZE(dfs); j++)
			assert_near(cdf(student_quantile(ps[i], dfs[j]), dfs[j]), ps[i]);
	assert_true(fabs(student_quantile(0.5, 4)) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_and_two_degrees_have_closed_forms),
		cmocka_unit_test(tails_agree_with_exact_ones),
		cmocka_unit_test(many_degrees_are_the_normal_distribution),
		cmocka_unit_test(extreme_values_give_probabilities),
		cmocka_unit_test(quantiles_agree_with_tables),
		cmocka_unit_test(a_quantile_undoes_the_distribution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
