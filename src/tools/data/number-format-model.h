/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The format of a field in a tracepoint's print fmt: `"cpu=%03d", REC->target_cpu` has "%03d" for
 * target_cpu. Only conversions of numbers are supported, for fields that are arguments without
 * further expressions.
 */
#include <stdbool.h>
#include <stdint.h>

struct text;

struct number_format {
	char flags[16];  /* "%03", without length and conversion */
	char conversion; /* d, i, u, o, x, X or p; 0: the field has no format */
	bool is_long;    /* all 64 bits count */
	bool has_0x;     /* the text has "0x" right before it */
};

/* Finds the format of the field @name in @print_fmt. O(length). */
struct number_format number_format_find(const char *print_fmt, const char *name);

/* Appends @value, which is sign-extended. */
void number_format_add(struct text *t, const struct number_format *f, uint64_t value);
