/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the list of self-tests, their results, and a summary; also as JUnit XML. */
#include <stdbool.h>
#include <stdio.h>

struct selftest_plan;
struct selftest_result;
struct selftest_row;

struct selftest_text {
	FILE *out;
	const struct selftest_plan *plan;
	unsigned verbose;       /* 1: print the output of tests that fail; 2: of all */
	unsigned snippet_lines; /* the number of lines with 1 */
	bool quiet;             /* print only tests that fail */
	bool colour;
	unsigned column; /* the colon's column; set by selftest_text_init() */
};

void selftest_text_init(struct selftest_text *v);

/*
 * Prints the names of the selected tests with their numbers. @verbose: also the meaning of a
 * failure.
 */
void selftest_list_print(const struct selftest_plan *p, bool verbose, FILE *out);

/* Prints the result of @row. Prints the line of the suite above its first case. */
void selftest_result_print(const struct selftest_text *v, const struct selftest_row *row,
			   const struct selftest_result *result);

/* Prints the number of tests for each result, and the failed ones. */
void selftest_summary_print(const struct selftest_text *v);

/* Prints all tests that ran as a JUnit document. Names and outputs may contain any bytes. */
void selftest_junit_print(const struct selftest_plan *p, FILE *out);
