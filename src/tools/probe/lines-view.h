/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Source lines as `perf probe -L` shows them: those with code have a number before them.
 */
#include <stdbool.h>
#include <stdio.h>

struct debug_lines;
struct text_file;

/* @path is where @source was found. Lines without code are shown in blue if there are colours. */
void probe_lines_print(const struct debug_lines *l, const char *path,
		       const struct text_file *source, bool colour, FILE *out);
