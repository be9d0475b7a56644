/* SPDX-License-Identifier: MIT */
#pragma once
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
