/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints a histogram (pairs/histogram.h) as a table with bars, or as JSON. */
#include <stdint.h>
#include <stdio.h>

struct histogram;
struct histogram_scale;
struct text;

/* The subject of the values, for titles. Missing texts are NULL. */
struct histogram_subject {
	const char *event, *field;
	const char *pairs; /* "block", or "begin,end" */
	const char *unit;  /* the unit, with pairs: "us" */
	uint64_t time_ns;  /* the time of counting, since the beginning; 0: not live */
};

/* Appends a description such as "power-of-4, max 1048576". */
void histogram_describe(const struct histogram_scale *s, struct text *out);

/* Prints a line for each row. The bar of the largest count has the full width. */
void histogram_print(FILE *out, const struct histogram *h);

/* Prints an object on a line of its own. */
void histogram_print_json(FILE *out, const struct histogram *h,
			  const struct histogram_subject *subject);
