/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A spark line: numbers as a row of small bars, ▁▂▃▄▅▆▇█, the newest at its end.
 */
#include <stdbool.h>
#include <stddef.h>

struct text;

/*
 * Appends a line of @width columns for the last of @n values, the newest in the last column. The
 * scale goes from 0, or the least value if that is below, to the greatest. What is no number is a
 * blank. @ascii: characters from '_' to '#' in place of bars.
 */
void spark_add(struct text *t, const double *values, size_t n, size_t width, bool ascii);
