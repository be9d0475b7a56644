/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Numbers as digits, without printf: for text that comes by the million.
 *
 * Each function writes at @at, where there must be room for DIGITS_MAX characters or the width,
 * whichever is more, and returns the end of what it wrote. No NUL is written.
 */
#include <stdint.h>

#define DIGITS_MAX 20

/* %lu, %ld, %lx */
char *digits_decimal(char *at, uint64_t v);
char *digits_signed(char *at, int64_t v);
char *digits_hex(char *at, uint64_t v);

/* The same right-aligned in @width columns, filled up with @fill: %10lu, %5ld, %06lu, %16lx. */
char *digits_decimal_right(char *at, uint64_t v, unsigned width, char fill);
char *digits_signed_right(char *at, int64_t v, unsigned width);
char *digits_hex_right(char *at, uint64_t v, unsigned width, char fill);

/* %06u of a @v below 1,000,000. */
char *digits_microseconds(char *at, uint32_t v);

/* %.2f of a @v from 0 to 1e15: shares in percent, rounded exactly as printf does. */
char *digits_hundredths(char *at, double v);

/*
 * @v with up to @decimals decimals (at most 6) and without zeros at the end: "12.5", "-3", "0".
 * Magnitudes end at 1e11, and what is no number is 0: for places and labels in pictures.
 */
char *digits_short(char *at, double v, unsigned decimals);

#define DIGITS_GROUPED_MAX 26

/* "1,234,567". There must be room for DIGITS_GROUPED_MAX characters. */
char *digits_grouped(char *at, uint64_t v);
