/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Scales: where a value lies on an axis, which values have a mark, and what is written at it.
 */
#include <stdbool.h>
#include <stddef.h>

struct text;

/* What the values are; times are nanoseconds. */
enum scale_unit {
	SCALE_NUMBER,
	SCALE_TIME,
	SCALE_BYTES,
	SCALE_PERCENT,
};

/*
 * Values from @low to @high lie between the places @from and @to (pixels; @to may be the smaller).
 * A logarithmic scale begins above 0.
 */
struct scale {
	double low, high;
	double from, to;
	bool is_log;
	enum scale_unit unit;
};

/* Where @value lies. What is outside lies at the nearer end. */
double scale_place(const struct scale *s, double value);

/* The value at @place. */
double scale_value(const struct scale *s, double place);

#define SCALE_TICKS_MAX 64

struct scale_ticks {
	double values[SCALE_TICKS_MAX];
	size_t n;
};

/* About @wanted round values within the scale, the smallest first. */
struct scale_ticks scale_ticks(const struct scale *s, size_t wanted);

/* Appends a value in up to four digits and its unit: "1.5 ms", "64 KiB", "12.5M", "30%". */
void scale_label(struct text *t, enum scale_unit unit, double value);
