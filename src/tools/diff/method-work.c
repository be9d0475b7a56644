/* SPDX-License-Identifier: MIT */
#include "tools/diff/method-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static int parse_weight(const char **at, char end, int64_t *ret)
{
	char *rest;

	errno = 0;
	*ret = strtoll(*at, &rest, 10);
	if (rest == *at || *rest != end || errno)
		return -EINVAL;
	*at = rest + (end != '\0');
	return 0;
}

static int parse_weights(const char *text, struct diff_method *m)
{
	if (*text++ != ':' || parse_weight(&text, ',', &m->weight_base) < 0 ||
	    parse_weight(&text, '\0', &m->weight_other) < 0)
		return -EINVAL;
	return 0;
}

int diff_method_parse(const char *text, struct diff_method *ret, size_t *ret_offset)
{
	static const struct {
		const char *name;
		struct diff_method method;
	} methods[] = {
		{ "delta", { .compute = DIFF_DELTA } },
		{ "delta-abs", { .compute = DIFF_DELTA_ABS } },
		{ "ratio", { .compute = DIFF_RATIO } },
		{ "wdiff", { .compute = DIFF_WDIFF } },
		{ "cycles", { .cycles = true } },
	};
	size_t n = strcspn(text, ":");

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		struct diff_method m = methods[i].method;
		bool has_weights = m.compute == DIFF_WDIFF;

		if (strlen(methods[i].name) != n || strncmp(methods[i].name, text, n))
			continue;
		*ret_offset = n;
		if (has_weights ? parse_weights(text + n, &m) < 0 : text[n] != '\0')
			return -EINVAL;
		*ret = m;
		return 0;
	}
	*ret_offset = 0;
	return -EINVAL;
}
