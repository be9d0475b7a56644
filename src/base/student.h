/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Student's t distribution, which the mean of a few noisy measurements follows.
 *
 * Degrees of freedom are any positive number, as Welch's test makes fractions of them. Results
 * agree with the exact ones to a relative 1e-9, far into the tails; t may be infinite.
 */

/* The probability of a value at least as far from 0 as @t, on either side: a two-sided p-value. */
double student_two_sided(double t, double df);

/* The value that is not exceeded with probability @p, 0 < @p < 1. */
double student_quantile(double p, double df);

/*
 * Mean and spread of numbers that come one by one (Welford's method: no sum of squares to
 * overflow).
 */

struct moments {
	double n, mean, m2;
};

void moments_add(struct moments *m, double x);

/* Adds all the numbers of @other. */
void moments_merge(struct moments *m, const struct moments *other);

/* Variance of the sample; 0 for fewer than two numbers. */
double moments_variance(const struct moments *m);

/* Standard error of the mean: sqrt(variance / n). */
double moments_error(const struct moments *m);

/* The standard error in percent of the mean; 0 if the mean is. */
double moments_noise(const struct moments *m);
