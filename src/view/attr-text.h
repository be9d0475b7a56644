/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A perf_event_attr as `evlist -v` shows it: the fields that are not zero, on one line.
 */
#include <stdio.h>

struct attr;

/* Prints "type: 1, size: 128, config: 0x3, ..." without a newline. */
void attr_print(const struct attr *attr, FILE *out);

/* The same as "type = 1, size = 128, config = 0x3, ...": with @equals between name and value. */
void attr_print_with(const struct attr *attr, const char *equals, FILE *out);
