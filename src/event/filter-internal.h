/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The internals of filter.h: the parser that filter.c (the joining of comparisons) and
 * filter-comparison.c (one comparison) share. No other file includes this.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct tracepoint_format;

struct filter_parser {
	const char *text, *at; /* the whole text, and its unread part */
	const struct tracepoint_format *format;
	struct diag *diag;
	struct {
		const char **items;
		size_t n, room;
	} open; /* the parentheses that are still open */
};

#define FILTER_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/*
 * Returns -EINVAL after marking @length characters at @start. A macro, so that formats are checked.
 */
#define FILTER_REFUSE(p, start, length, ...)                                                       \
	diag_mark((p)->diag, -EINVAL, (p)->text, (size_t)((start) - (p)->text), length, __VA_ARGS__)

bool filter_starts_with(const char *s, const char *prefix);

/* Returns the length of the token at @s, as a reader sees it; 0 at the end. */
size_t filter_token_length(const char *s);

/* Parses FIELD OPERATOR VALUE, from its first character on. */
int filter_take_comparison(struct filter_parser *p);
