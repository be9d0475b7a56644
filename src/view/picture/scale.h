/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Scales: the place of a value on an axis, the values that have a mark, and the labels of the
 * marks.
 */
#include <stdbool.h>
#include <stddef.h>

struct text;

/* The unit of the values; times are nanoseconds. */
enum scale_unit {
	SCALE_NUMBER,
	SCALE_TIME,
	SCALE_BYTES,
	SCALE_PERCENT,
};

/*
 * A scale that maps values from @low to @high to places from @from to @to (pixels; @to may be the
 * smaller one). A logarithmic scale begins above 0.
 */
struct scale {
	double low, high;
	double from, to;
	bool is_log;
	enum scale_unit unit;
};

/* Returns the place of @value. A value outside is at the nearer end. */
double scale_place(const struct scale *s, double value);

/* Returns the value at @place. */
double scale_value(const struct scale *s, double place);

#define SCALE_TICKS_MAX 64

struct scale_ticks {
	double values[SCALE_TICKS_MAX];
	size_t n;
};

/* Returns about @wanted round values within the scale, the smallest first. */
struct scale_ticks scale_ticks(const struct scale *s, size_t wanted);

/* Appends a value in up to four digits and its unit: "1.5 ms", "64 KiB", "12.5M", "30%". */
void scale_label(struct text *t, enum scale_unit unit, double value);
