/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Corrects the p-values of many tests for their number.
 *
 * Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57
 * (1995). Of the tests whose corrected p-value is below a limit, at most that fraction is expected
 * to be chance.
 */
#include <stddef.h>

/* Replaces each of the @n values of @p by its corrected value, in place. */
void false_discovery_correct(double *p, size_t n);
