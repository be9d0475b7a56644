/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Parses digits only: strtoull() also accepts blanks and signs, and wraps -1 round; none of them is
 * a number here.
 */
static int base_number_parse(const char *s, int base, uint64_t *ret)
{
	char *end;

	if (!isxdigit((unsigned char)s[0]))
		return -EINVAL;
	errno = 0;
	unsigned long long value = strtoull(s, &end, base);

	if (*end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*ret = value;
	return 0;
}

int number_parse(const char *s, uint64_t *ret)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');

	return base_number_parse(s, hex ? 16 : 10, ret);
}

int number_parse_hex(const char *s, uint64_t *ret)
{
	return base_number_parse(s, 16, ret);
}

int number_parse_signed(const char *s, int64_t *ret)
{
	uint64_t magnitude;
	bool negative = s[0] == '-';
	int r = number_parse(s + negative, &magnitude);

	if (r < 0)
		return r;
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*ret = negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
	return 0;
}

int number_parse_size(const char *s, uint64_t *ret)
{
	static const char units[] = "BKMG";
	size_t n = strspn(s, "0123456789");
	unsigned shift = 0;
	char digits[24];
	uint64_t value;

	if (!n || n >= sizeof(digits))
		return n ? -ERANGE : -EINVAL;
	memcpy(digits, s, n);
	digits[n] = '\0';
	if (s[n]) {
		const char *unit = strchr(units, toupper((unsigned char)s[n]));

		if (!unit || s[n + 1])
			return -EINVAL;
		shift = 10 * (unsigned)(unit - units);
	}

	int r = base_number_parse(digits, 10, &value);

	if (r < 0)
		return r;
	if (value > UINT64_MAX >> shift)
		return -ERANGE;
	*ret = value << shift;
	return 0;
}
