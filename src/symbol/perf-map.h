/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * /tmp/perf-PID.map, in which a JIT compiler names the code it makes: "START SIZE NAME\n", both
 * numbers hexadecimal, NAME the rest of the line. A later line is newer code.
 */
#include <stddef.h>

#include "symbol/table.h"

/* Adds what @size bytes of @text say to @t and settles it. Lines that make no sense are skipped. */
void perf_map_parse(const char *text, size_t size, struct symbol_table *t);

/* Reads the rest of the file @fd into @t. */
int perf_map_read(int fd, struct symbol_table *t);
