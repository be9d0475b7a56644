/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints a perf_event_attr like `evlist -v`: the fields that are not zero, on one line. */
#include <stdio.h>

struct attr;
struct attr_names;

/* Prints "type: 1, size: 128, config: 0x3, ..." without a newline. */
void attr_print(const struct attr *attr, FILE *out);

/*
 * Does the same as "type = 1, size = 128, config = 0x3, ...": with @equals between name and value.
 */
void attr_print_with(const struct attr *attr, const char *equals, FILE *out);

/* Prints "type: 0 (PERF_TYPE_HARDWARE), size: 128, config: 0 (PERF_COUNT_HW_CPU_CYCLES), ...". */
void attr_print_named(const struct attr *attr, const struct attr_names *names, FILE *out);

/* Prints a line for each field, between rules: the data for the kernel, for -vv. */
void attr_print_lines(const struct attr *attr, FILE *out);
