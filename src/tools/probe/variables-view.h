/* SPDX-License-Identifier: MIT */
#pragma once
/* Formats the text of `perf probe -V`. */
#include <stdbool.h>
#include <stdint.h>

struct text;
struct variable_list;

/* Appends the line above the places of @point. */
void probe_variables_head(struct text *out, const char *point);

/* Appends a place @offset bytes after the beginning of @function, and its variables. */
void probe_variables_text(struct text *out, const char *function, uint64_t offset,
			  const struct variable_list *l, bool with_ranges);
