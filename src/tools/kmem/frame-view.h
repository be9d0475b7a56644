/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the tables of `perf kmem stat` have in common: rules, and how many rows are shown.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* Appends a line of dashes. */
void kmem_print_rule(struct text *out);

/* How many of @n rows are shown in at most @lines; all, if that is below 0. */
size_t kmem_rows_shown(size_t n, int64_t lines);

/* Does a row of dots follow? One does for rows that are left out, and in a table without rows. */
bool kmem_rows_are_cut(size_t n, int64_t lines);
