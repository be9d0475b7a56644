/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Parses /tmp/perf-PID.map, in which a JIT compiler names its code: "START SIZE NAME\n", both
 * numbers hexadecimal, NAME the rest of the line. A later line is newer code.
 */
#include <stddef.h>

#include "symbol/table.h"

/* Adds the symbols in @size bytes of @text to @t and settles it. Malformed lines are skipped. */
void perf_map_parse(const char *text, size_t size, struct symbol_table *t);

/*
 * Reads the rest of the file @fd into @t, in memory that a hostile file cannot make large. Returns
 * 1 if only its beginning was read, because it is too large or not text. Errors: those of read().
 */
int perf_map_read(int fd, struct symbol_table *t);
