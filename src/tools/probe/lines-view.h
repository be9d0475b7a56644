/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints source lines as in `perf probe -L`: lines with code have a number in front of them. */
#include <stdbool.h>
#include <stdio.h>

struct debug_lines;
struct text_file;

/*
 * Prints the lines. @path is the place at which @source was found. Lines without code are blue if
 * there are colours.
 */
void probe_lines_print(const struct debug_lines *l, const char *path,
		       const struct text_file *source, bool colour, FILE *out);
