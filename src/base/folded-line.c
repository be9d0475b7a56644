/* SPDX-License-Identifier: MIT */
#include "base/folded-line.h"

#include <ctype.h>
#include <string.h>

/* Parses a whole number, or one with decimals, which is rounded. */
static bool parse_count(const char *s, size_t n, uint64_t *ret)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < n && isdigit((unsigned char)s[i]); i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(s[i] - '0'), &value))
			return false;
	if (i < n && (s[i] != '.' || !i || i + 1 == n))
		return false;
	if (i < n)
		value += s[i + 1] >= '5' && value < UINT64_MAX;
	for (i++; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	*ret = value;
	return n > 0;
}

bool folded_take_count(const char *s, size_t *n, uint64_t *ret)
{
	size_t at = *n;

	while (at && s[at - 1] != ' ' && s[at - 1] != '\t')
		at--;
	if (!at || !parse_count(s + at, *n - at, ret))
		return false;
	while (at && (s[at - 1] == ' ' || s[at - 1] == '\t'))
		at--;
	*n = at;
	return at > 0;
}

const char *folded_next_frame(const char **at, const char *end, size_t *ret_length)
{
	while (*at < end) {
		const char *frame = *at, *next = memchr(frame, ';', (size_t)(end - frame));

		*at = next ? next + 1 : end;
		*ret_length = (size_t)((next ? next : end) - frame);
		if (*ret_length)
			return frame;
	}
	return NULL;
}
