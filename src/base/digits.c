/* SPDX-License-Identifier: MIT */
#include "base/digits.h"

#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "00" to "99": writing two digits at a time halves the divisions. */
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

/* The first number with one digit more than the index. */
static const uint64_t powers[] = {
	0,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/*
 * Returns the number of digits of @v. A bit is 1233/4096 of a digit, so the estimate is right or
 * one too low.
 */
static unsigned digits_decimal_length(uint64_t v)
{
	unsigned n = (64 - (unsigned)__builtin_clzll(v | 1)) * 1233 >> 12;

	return n + (v >= powers[n]);
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

/*
 * Writes the fill characters before @n digits. Columns are narrow: one word is enough for most, and
 * there is space for it.
 */
static char *digits_filled(char *at, unsigned n, unsigned width, char fill)
{
	unsigned more = n < width ? width - n : 0;
	uint64_t word = (uint64_t)(unsigned char)fill * 0x0101010101010101;

	if (more <= sizeof(word))
		memcpy(at, &word, sizeof(word));
	else
		memset(at, fill, more);
	return at + more;
}

char *digits_decimal_right(char *at, uint64_t v, unsigned width, char fill)
{
	unsigned n = digits_decimal_length(v);

	at = digits_filled(at, n, width, fill) + n;
	decimal_before(at, v);
	return at;
}

char *digits_microseconds(char *at, uint32_t v)
{
	uint32_t high = v / 10000, middle = v / 100 % 100;

	memcpy(at, &pairs[high * 2], 2);
	memcpy(at + 2, &pairs[middle * 2], 2);
	memcpy(at + 4, &pairs[v % 100 * 2], 2);
	return at + 6;
}

char *digits_decimal(char *at, uint64_t v)
{
	return digits_decimal_right(at, v, 0, ' ');
}

char *digits_signed_right(char *at, int64_t v, unsigned width)
{
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	unsigned n = digits_decimal_length(size);

	at = digits_filled(at, n + (v < 0), width, ' ');
	if (v < 0)
		*at++ = '-';
	decimal_before(at + n, size);
	return at + n;
}

char *digits_signed(char *at, int64_t v)
{
	return digits_signed_right(at, v, 0);
}

/*
 * Writes eight digits at once, the highest first: each nibble becomes a byte, and then a character.
 */
static void digits_hex8(char *at, uint32_t v)
{
	uint64_t x = v, letters;

	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
	letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	x = htobe64(x + 0x3030303030303030 + letters * ('a' - '0' - 10));
	memcpy(at, &x, sizeof(x));
}

/*
 * Writes @v in hexadecimal. The digits are moved to the top; whatever is written after them lies in
 * the free space.
 */
char *digits_hex(char *at, uint64_t v)
{
	unsigned n = hex_length(v);

	v <<= 64 - 4 * n;
	digits_hex8(at, (uint32_t)(v >> 32));
	if (n > 8)
		digits_hex8(at + 8, (uint32_t)v);
	return at + n;
}

char *digits_hex_right(char *at, uint64_t v, unsigned width, char fill)
{
	unsigned n = hex_length(v);

	at = digits_filled(at, n, width, fill);
	for (unsigned i = n; i-- > 0; v >>= 4)
		at[i] = "0123456789abcdef"[v & 15];
	return at + n;
}

/*
 * Writes hundredths by a multiplication. The product is off by a few parts in 2^52, which matters
 * only next to the middle between two hundredths. In that case, and beyond 1e9, printf is used.
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
