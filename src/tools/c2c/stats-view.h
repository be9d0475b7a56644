/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of sums of `perf c2c report`: of all accesses, of those to shared lines, and of the
 * request's options.
 */
#include <stddef.h>
#include <stdio.h>

struct c2c_lines;

void c2c_stats_print(const struct c2c_lines *l, FILE *out);
void c2c_shared_print(const struct c2c_lines *l, FILE *out);
void c2c_details_print(const struct c2c_lines *l, const char *const *events, size_t n, FILE *out);

/* Prints the title of a table. */
void c2c_title_print(const char *title, FILE *out);
