/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The value axis of a heat map: values as fine steps first, then as rows with round bounds.
 *
 * Which rows are right is known only when all values are. Until then a value is kept as its three
 * leading digits and its magnitude, a *step*: 123456 is in the step of 123000 to 123999. Below 1000
 * steps are exact. Every bound chosen here is the beginning of a step, so rows are sums of whole
 * steps and their counts exact.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The step of @value; steps are ordered as values are. */
uint32_t heat_step(uint64_t value);

/* The smallest value of @step. */
uint64_t heat_step_value(uint32_t step);

/* Row i has the values from bounds[i] to bounds[i + 1]; only the last row has both of them. */
struct heat_rows {
	uint64_t *bounds; /* n + 1 */
	size_t n;
};

#define HEAT_ROWS_MAX 200

void heat_rows_done(struct heat_rows *r);

/* At most @rows equal ones from 0 to a value above @high, with a round width. */
struct heat_rows heat_rows_linear(uint64_t high, size_t rows);

/*
 * Rows that grow with the value, as many to each power of ten as keep it at @rows; two at least. 0
 * has a row of its own.
 */
struct heat_rows heat_rows_log(uint64_t low, uint64_t high, size_t rows);

/* The row of @value, which lies within the bounds. O(log n). */
size_t heat_rows_find(const struct heat_rows *r, uint64_t value);

/* The smallest of 1, 2, 5, 10, 20, 50, ... that is not below @at_least. */
uint64_t heat_round_up(uint64_t at_least);
