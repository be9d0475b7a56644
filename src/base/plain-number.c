/* SPDX-License-Identifier: MIT */
#include "base/plain-number.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

locale_t plain_numbers(void)
{
	/* If there is no memory for a locale, the usual one stays. */
	return uselocale(newlocale(LC_NUMERIC_MASK, "C", (locale_t)0));
}

void plain_numbers_end(locale_t *usual)
{
	locale_t plain = uselocale(*usual);

	if (plain != *usual)
		freelocale(plain);
}

void plain_number_add(struct text *t, double x)
{
	PLAIN_NUMBERS_IN_SCOPE;
	char digits[32];

	for (int n = DBL_DIG; n <= DBL_DECIMAL_DIG; n++) {
		snprintf(digits, sizeof(digits), "%.*g", n, x);
		if (strtod(digits, NULL) == x)
			break;
	}
	text_add(t, digits);
}
