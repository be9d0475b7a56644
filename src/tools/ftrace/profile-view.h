/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The table of `perf ftrace profile`.
 */
#include <stdio.h>

struct function_rows;

/* Prints nothing if there are no rows. */
void function_rows_print(FILE *out, const struct function_rows *rows);
