/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-print.h"

#include <string.h>

#include "base/digits.h"

/* The maximum number of digits of 64 bits in base 8. */
#define OCTAL_DIGITS_MAX 22

void put_decimal(struct text *t, uint64_t value)
{
	text_filled(t, digits_decimal(text_room(t, DIGITS_MAX), value));
}

void put_signed(struct text *t, int64_t value)
{
	text_filled(t, digits_signed(text_room(t, DIGITS_MAX), value));
}

void put_hex(struct text *t, uint64_t value, unsigned min)
{
	text_filled(t, digits_hex_right(text_room(t, DIGITS_MAX), value, min, '0'));
}

static char *plan_number_octal(char *at, uint64_t value)
{
	unsigned n = 1;

	while (n < OCTAL_DIGITS_MAX && value >> 3 * n)
		n++;
	for (unsigned i = n; i-- > 0; value >>= 3)
		at[i] = (char)('0' + (value & 7));
	return at + n;
}

static char *upper_hex(char *at, uint64_t value)
{
	char *end = digits_hex(at, value);

	for (; at < end; at++)
		if (*at >= 'a')
			*at -= 'a' - 'A';
	return end;
}

static char *plan_number_digits_of(char *at, const struct plan_piece *piece, uint64_t value)
{
	if (piece->base == 10)
		return digits_decimal(at, value);
	if (piece->base == 8)
		return plan_number_octal(at, value);
	return piece->flags & PIECE_UPPER ? upper_hex(at, value) : digits_hex(at, value);
}

/* Returns the text in front of the digits: the sign, or the prefix of the base. */
static const char *plan_number_prefix_of(const struct plan_piece *piece, bool negative,
					 uint64_t value)
{
	if (negative)
		return "-";
	if (piece->flags & PIECE_SIGNED)
		return piece->flags & PIECE_PLUS ? "+" : piece->flags & PIECE_BLANK ? " " : "";
	if (!(piece->flags & PIECE_ALTERNATE) || !value || piece->base == 10)
		return "";
	return piece->base == 8 ? "0" : piece->flags & PIECE_UPPER ? "0X" : "0x";
}

static void put_times(struct text *t, char c, int n)
{
	if (n > 0)
		text_pad(t, t->length, 0, (size_t)n, c);
}

void put_integer(struct text *t, const struct plan_piece *piece, uint64_t value, int width,
		 int precision)
{
	bool negative = piece->flags & PIECE_SIGNED && (int64_t)value < 0;
	bool left = piece->flags & PIECE_LEFT;
	char digits[OCTAL_DIGITS_MAX];
	char *end = plan_number_digits_of(digits, piece, negative ? -value : value);
	const char *prefix = plan_number_prefix_of(piece, negative, value);
	int n = precision == 0 && !value ? 0 : (int)(end - digits);
	int zeros = precision > n ? precision - n : 0;
	int blanks = width - (int)strlen(prefix) - zeros - n;

	if (piece->flags & PIECE_ZERO && !left && precision < 0) {
		zeros = blanks > 0 ? blanks : 0;
		blanks = 0;
	}
	if (!left)
		put_times(t, ' ', blanks);
	text_add(t, prefix);
	put_times(t, '0', zeros);
	text_add_bytes(t, digits, (size_t)n);
	if (left)
		put_times(t, ' ', blanks);
}
