/* SPDX-License-Identifier: MIT */
#include "base/student.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* From here on the normal distribution is closer than the promised accuracy. */
#define DF_NORMAL 1e10
/* The number of steps grows with the square root of df; at DF_NORMAL it is some 10,000. */
#define STEPS_MAX 100000

/*
 * 1 / B(a, 1/2) = G(a + 1/2) / (G(a) * sqrt(pi)). The difference of two large logarithms of G would
 * lose digits, so a large @a uses the series of the ratio in 1/a.
 */
static double beta_half_inverse(double a)
{
	double ratio, z = 1 / a;
	int sign;

	if (a < 100)
		ratio = exp(lgamma_r(a + 0.5, &sign) - lgamma_r(a, &sign));
	else
		ratio = sqrt(a) *
			(1 +
			 z * (-1.0 / 8 + z * (1.0 / 128 + z * (5.0 / 1024 + z * (-21.0 / 32768)))));
	return ratio / sqrt(M_PI);
}

static double not_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/*
 * Computes the continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method,
 * modified to step over zeros. It converges quickly for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double f = d;

	for (int m = 1; m < STEPS_MAX; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double change;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		f *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		change = d * c;
		f *= change;
		if (fabs(change - 1) < 4 * DBL_EPSILON)
			break;
	}
	return f;
}

/*
 * I_x(df/2, 1/2) with x = df / (df + t^2) is the two-sided tail. @y is 1 - x, computed separately
 * because the difference would lose its digits near 0.
 */
double student_two_sided(double t, double df)
{
	const double a = df / 2, b = 0.5, square = t * t;
	double x, y, front;

	assert(df > 0);
	if (df > DF_NORMAL)
		return erfc(fabs(t) / M_SQRT2);
	if (square == 0)
		return 1;
	x = 1 / (1 + square / df);
	y = 1 / (1 + df / square);
	if (x == 0)
		return 0;
	/*
	 * The logarithm of the larger of x and y is computed from the smaller one, which is exact.
	 */
	front = beta_half_inverse(a) * exp(a * (x < 0.5 ? log(x) : log1p(-y))) * sqrt(y);
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

/*
 * The tail falls monotonically, so bisection of an interval that contains the value always
 * converges to it.
 */
double student_quantile(double p, double df)
{
	const bool lower = p < 0.5;
	const double tail = 2 * (lower ? p : 1 - p);
	double low = 0, high = 1;

	assert(p > 0 && p < 1);
	while (student_two_sided(high, df) > tail && high < DBL_MAX / 2) {
		low = high;
		high *= 2;
	}
	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (student_two_sided(middle, df) > tail)
			low = middle;
		else
			high = middle;
	}
	return lower ? -high : high;
}

void moments_add(struct moments *m, double x)
{
	double delta = x - m->mean;

	m->n += 1;
	m->mean += delta / m->n;
	m->m2 += delta * (x - m->mean);
}

void moments_merge(struct moments *m, const struct moments *other)
{
	double n = m->n + other->n, delta = other->mean - m->mean;

	if (other->n == 0)
		return;
	m->mean += delta * other->n / n;
	m->m2 += other->m2 + delta * delta * m->n * other->n / n;
	m->n = n;
}

double moments_variance(const struct moments *m)
{
	return m->n < 2 ? 0 : m->m2 / (m->n - 1);
}

double moments_error(const struct moments *m)
{
	return m->n < 2 ? 0 : sqrt(moments_variance(m) / m->n);
}

double moments_noise(const struct moments *m)
{
	return m->mean == 0 ? 0 : 100 * moments_error(m) / fabs(m->mean);
}
