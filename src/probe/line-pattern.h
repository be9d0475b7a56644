/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds lines of source by their text (FUNC;PATTERN): a glob over the whole line in which blanks do
 * not count, so that `rq=cpu_rq*` finds "\trq = cpu_rq(cpu);".
 */
#include <stdbool.h>

bool line_pattern_matches(const char *pattern, const char *line);
