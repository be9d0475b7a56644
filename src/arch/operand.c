/* SPDX-License-Identifier: MIT */
#include "arch/operand.h"

#include <ctype.h>
#include <stdlib.h>

bool operand_number(const char *s, const char *end, int64_t *ret)
{
	char *stop;

	if (s == end || isspace((unsigned char)*s))
		return false;
	*ret = strtoll(s, &stop, 0);
	return stop == end;
}
