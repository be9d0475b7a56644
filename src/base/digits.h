/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Writes numbers as digits without printf, for text that contains millions of them.
 *
 * Each function writes at @at, where there must be space for DIGITS_MAX characters or the width,
 * whichever is more, and returns the end of its output. No NUL is written.
 */
#include <stdint.h>

#define DIGITS_MAX 20

/* Write @v as printf does for %lu, %ld and %lx. */
char *digits_decimal(char *at, uint64_t v);
char *digits_signed(char *at, int64_t v);
char *digits_hex(char *at, uint64_t v);

/*
 * Write the same right-aligned in @width columns, filled up with @fill: %10lu, %5ld, %06lu, %16lx.
 */
char *digits_decimal_right(char *at, uint64_t v, unsigned width, char fill);
char *digits_signed_right(char *at, int64_t v, unsigned width);
char *digits_hex_right(char *at, uint64_t v, unsigned width, char fill);

/* Writes %06u of a @v below 1,000,000. */
char *digits_microseconds(char *at, uint32_t v);

/* Writes %.2f of a @v from 0 to 1e15: shares in percent, rounded exactly as printf does. */
char *digits_hundredths(char *at, double v);

/*
 * Writes @v with up to @decimals decimals (at most 6) and without trailing zeros: "12.5", "-3",
 * "0". Magnitudes are limited to 1e11, and NaN is written as 0: for positions and labels in
 * pictures.
 */
char *digits_short(char *at, double v, unsigned decimals);

#define DIGITS_GROUPED_MAX 26

/* Writes "1,234,567". There must be space for DIGITS_GROUPED_MAX characters. */
char *digits_grouped(char *at, uint64_t v);
