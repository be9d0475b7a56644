/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a finished comparison of commands (base/compare.h) as one JSON document: the commands,
 * every row with its values, figures and differences, and the results of the limits.
 *
 * Missing figures are null. Numbers are in the units of their rows and can be read back exactly.
 */
#include <stddef.h>
#include <stdio.h>

struct compare;
struct compare_row;
struct json;
struct threshold_results;

/* @limits may be empty. */
void compare_json_print(const struct compare *c, const struct threshold_results *limits, FILE *out);

/*
 * The parts of the document, for documents with further contents: members of the open object of @j
 * about the compared commands and the method; all data about one row; and the limits with their
 * results.
 */
void compare_json_add_commands(struct json *j, const struct compare *c);
void compare_json_add_figures(struct json *j, const struct compare *c,
			      const struct compare_row *row);
void compare_json_add_limits(struct json *j, const struct threshold_results *limits);
