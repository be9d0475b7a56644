/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of filter.h: the parser that filter.c (how comparisons are joined) and
 * filter-comparison.c (one comparison) share. No other file includes this.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct tracepoint_format;

struct filter_parser {
	const char *text, *at; /* the whole, and what is not read yet */
	const struct tracepoint_format *format;
	struct diag *diag;
	struct {
		const char **items;
		size_t n, room;
	} open; /* the parentheses that wait for their other half */
};

#define FILTER_WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* -EINVAL, having marked @length characters at @start. A macro, so that formats are checked. */
#define FILTER_REFUSE(p, start, length, ...)                                                       \
	diag_mark((p)->diag, -EINVAL, (p)->text, (size_t)((start) - (p)->text), length, __VA_ARGS__)

bool filter_starts_with(const char *s, const char *prefix);

/* How much of what stands at @s a reader takes for one thing; 0 at the end. */
size_t filter_token_length(const char *s);

/* FIELD OPERATOR VALUE, from its first character on. */
int filter_take_comparison(struct filter_parser *p);
