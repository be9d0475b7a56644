/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A finished comparison of commands (profile/compare.h) as one JSON document: the commands, every
 * row with its values, figures and differences, and what became of the limits.
 *
 * Figures that there are none of are null. Numbers are in the units of their rows and read back
 * exactly.
 */
#include <stdio.h>

struct compare;
struct threshold_results;

/* @limits may be empty. */
void compare_json_print(const struct compare *c, const struct threshold_results *limits, FILE *out);
