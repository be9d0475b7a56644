/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints the functions that share cache lines, which Linux's perf does not print: readers and
 * writers of each line side by side, and all functions by their contention.
 */
#include <stdio.h>

struct c2c_lines;

/* Print the tables. On terminals of @terminal_columns names are cut; 0: lines have any length. */
void c2c_sides_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out);
void c2c_functions_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out);
