/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A finished comparison of commands (base/compare.h) as one JSON document: the commands, every
 * row with its values, figures and differences, and what became of the limits.
 *
 * Figures that there are none of are null. Numbers are in the units of their rows and read back
 * exactly.
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
 * The parts of it, for documents that have more to say: members of the object that @j is in, which
 * tell how things were compared and what; all about one row; and the limits with their outcome.
 */
void compare_json_add_commands(struct json *j, const struct compare *c);
void compare_json_add_figures(struct json *j, const struct compare *c,
			      const struct compare_row *row);
void compare_json_add_limits(struct json *j, const struct threshold_results *limits);
