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
