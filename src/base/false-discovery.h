/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * p-values of many tests at once, corrected for their number.
 *
 * Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Statist. Soc. B 57
 * (1995). Of the tests whose corrected p-value is below a limit, at most that part is expected to
 * be chance.
 */
#include <stddef.h>

/* Replaces each of the @n values of @p by its corrected one, which stands in the same place. */
void false_discovery_correct(double *p, size_t n);
