/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Student's t distribution, which the mean of a few noisy measurements follows.
 *
 * Degrees of freedom are any positive number, because Welch's test produces fractions of them.
 * Results agree with the exact ones to a relative 1e-9, far into the tails; t may be infinite.
 */

/*
 * Returns the probability of a value at least as far from 0 as @t, on either side: a two-sided
 * p-value.
 */
double student_two_sided(double t, double df);

/* Returns the value that is not exceeded with probability @p, 0 < @p < 1. */
double student_quantile(double p, double df);

/*
 * Mean and spread of numbers that are added one by one (Welford's method, in which no sum of
 * squares can overflow).
 */

struct moments {
	double n, mean, m2;
};

void moments_add(struct moments *m, double x);

/* Adds all the numbers of @other. */
void moments_merge(struct moments *m, const struct moments *other);

/* Returns the variance of the sample; 0 for fewer than two numbers. */
double moments_variance(const struct moments *m);

/* Returns the standard error of the mean: sqrt(variance / n). */
double moments_error(const struct moments *m);

/* Returns the standard error in percent of the mean; 0 if the mean is 0. */
double moments_noise(const struct moments *m);
