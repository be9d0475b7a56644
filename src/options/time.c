/* SPDX-License-Identifier: MIT */
#include "options/time.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "options/value.h"

#define NS_PER_S 1000000000ULL

int time_window_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct time_window w = { 0 };
	size_t offset;

	if (!negated && time_window_parse(value, &w, &offset) < 0) {
		value_refuse(diag, o, value, offset, 0, "'%s' is not a span of time", value);
		diag_hint(diag,
			  "Seconds from,to, either of which may be left out: 12.5,13 or 12.5, or "
			  ",13; several with blanks between them.");
		diag_hint(
			diag,
			"Or parts of the profile: 10%%/2 (the second tenth), 0%%-10%%,30%%-40%%.");
		return -EINVAL;
	}
	time_window_done(field);
	*(struct time_window *)field = w;
	return 0;
}

int duration_set(void *field, const struct option *o, const char *value, bool negated,
		 struct diag *diag)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", NS_PER_S }
	};
	uint64_t number;
	char *s;

	if (negated) {
		*(uint64_t *)field = 0;
		return 0;
	}
	errno = 0;
	number = strtoull(value, &s, 10);
	if (isdigit((unsigned char)*value) && !errno && number)
		for (size_t i = 0; i < ARRAY_SIZE(units); i++)
			if (!strcmp(units[i].unit, s) && number <= UINT64_MAX / units[i].ns) {
				*(uint64_t *)field = number * units[i].ns;
				return 0;
			}
	value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a length of time", value);
	diag_hint(diag, "Write a number from 1 up and its unit: 100ms, 5us, 250ns or 1s.");
	return -EINVAL;
}
