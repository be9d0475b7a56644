/* SPDX-License-Identifier: MIT */
#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "00" to "99": two digits at a time halve the divisions. */
static const char pairs[] = "00010203040506070809"
			    "10111213141516171819"
			    "20212223242526272829"
			    "30313233343536373839"
			    "40414243444546474849"
			    "50515253545556575859"
			    "60616263646566676869"
			    "70717273747576777879"
			    "80818283848586878889"
			    "90919293949596979899";

static unsigned decimal_length(uint64_t v)
{
	unsigned n = 1;

	for (; v >= 10000; v /= 10000)
		n += 4;
	return n + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* Writes the digits of @v so that they end at @end. */
static void decimal_before(char *end, uint64_t v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, &pairs[v % 100 * 2], 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(end - 2, &pairs[v * 2], 2);
	else
		end[-1] = (char)('0' + v);
}

static unsigned hex_length(uint64_t v)
{
	return v ? (67U - (unsigned)__builtin_clzll(v)) / 4 : 1;
}

/* Columns are narrow: a loop beats a call. */
static char *filled(char *at, unsigned n, unsigned width, char fill)
{
	for (; n < width; width--)
		*at++ = fill;
	return at;
}

char *digits_decimal_right(char *at, uint64_t v, unsigned width, char fill)
{
	unsigned n = decimal_length(v);

	at = filled(at, n, width, fill) + n;
	decimal_before(at, v);
	return at;
}

char *digits_decimal(char *at, uint64_t v)
{
	return digits_decimal_right(at, v, 0, ' ');
}

char *digits_signed_right(char *at, int64_t v, unsigned width)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	unsigned n = decimal_length(size);

	at = filled(at, n + (v < 0), width, ' ');
	if (v < 0)
		*at++ = '-';
	decimal_before(at + n, size);
	return at + n;
}

char *digits_signed(char *at, int64_t v)
{
	return digits_signed_right(at, v, 0);
}

char *digits_hex(char *at, uint64_t v)
{
	unsigned n = hex_length(v);

	for (unsigned i = n; i-- > 0; v >>= 4)
		at[i] = "0123456789abcdef"[v & 15];
	return at + n;
}

char *digits_hex_right(char *at, uint64_t v, unsigned width, char fill)
{
	return digits_hex(filled(at, hex_length(v), width, fill), v);
}

/*
 * The product is off by a few parts in 2^52, which matters only next to the middle between two
 * hundredths: there, and beyond 1e9, printf is asked.
 */
char *digits_hundredths(char *at, double v)
{
	double scaled = v * 100;
	char exact[DIGITS_MAX + 1];
	uint64_t n;

	if (!(scaled >= 0 && scaled < 1e11) || fabs(scaled - floor(scaled) - 0.5) < 1e-4) {
		size_t length = (size_t)snprintf(exact, sizeof(exact), "%.2f", v);

		if (length > DIGITS_MAX)
			length = DIGITS_MAX;
		memcpy(at, exact, length);
		return at + length;
	}
	n = (uint64_t)(scaled + 0.5);
	at = digits_decimal(at, n / 100);
	at[0] = '.';
	memcpy(at + 1, &pairs[n % 100 * 2], 2);
	return at + 3;
}

char *digits_short(char *at, double v, unsigned decimals)
{
	static const uint64_t scales[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	uint64_t scale = scales[decimals < 6 ? decimals : 6];
	double size = isnan(v) ? 0 : fmin(fabs(v), 1e11);
	uint64_t n = (uint64_t)(size * (double)scale + 0.5);

	if (v < 0 && n)
		*at++ = '-';
	at = digits_decimal(at, n / scale);
	n %= scale;
	if (!n)
		return at;
	*at++ = '.';
	for (; n; n = n * 10 % scale)
		*at++ = (char)('0' + n * 10 / scale);
	return at;
}

char *digits_grouped(char *at, uint64_t v)
{
	char plain[DIGITS_MAX];
	size_t n = (size_t)(digits_decimal(plain, v) - plain);

	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*at++ = ',';
		*at++ = plain[i];
	}
	return at;
}
