/* SPDX-License-Identifier: MIT */
#pragma once
/* The list of self-tests, how they end, and their sum; also as JUnit XML. */
#include <stdbool.h>
#include <stdio.h>

struct selftest_plan;
struct selftest_result;
struct selftest_row;

struct selftest_text {
	FILE *out;
	const struct selftest_plan *plan;
	unsigned verbose;       /* 1: the output of tests that fail; 2: of all */
	unsigned snippet_lines; /* how much of it with 1 */
	bool quiet;             /* only what fails */
	bool colour;
	unsigned column; /* of the colon; selftest_text_init() finds it */
};

void selftest_text_init(struct selftest_text *v);

/* Prints the names of the selected tests with their numbers; @verbose: what a failure means. */
void selftest_list_print(const struct selftest_plan *p, bool verbose, FILE *out);

/* Prints how @row ended; above its first case the line of the suite. */
void selftest_result_print(const struct selftest_text *v, const struct selftest_row *row,
			   const struct selftest_result *result);

/* Prints how many ended how, and which failed. */
void selftest_summary_print(const struct selftest_text *v);

/* Prints all that ran as a JUnit document, whatever is in names and outputs. */
void selftest_junit_print(const struct selftest_plan *p, FILE *out);
