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

/* %.2f of a @v from 0 to 1e15: shares in percent, rounded exactly as printf does. */
char *digits_hundredths(char *at, double v);
