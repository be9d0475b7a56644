/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A histogram (pairs/histogram.h) as a table with bars, or as JSON.
 */
#include <stdint.h>
#include <stdio.h>

struct histogram;
struct histogram_scale;
struct text;

/* What the values are, for titles. Texts that are not there are NULL. */
struct histogram_subject {
	const char *event, *field;
	const char *pairs; /* "block", or "begin,end" */
	const char *unit;  /* of pairs: "us" */
	uint64_t time_ns;  /* when the values were counted, since the begin; 0: not live */
};

/* "power-of-4, max 1048576" */
void histogram_describe(const struct histogram_scale *s, struct text *out);

/* A line for each row, the bar of the largest count as wide as it gets. */
void histogram_print(FILE *out, const struct histogram *h);

/* An object on a line of its own. */
void histogram_print_json(FILE *out, const struct histogram *h,
			  const struct histogram_subject *subject);
