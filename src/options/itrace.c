/* SPDX-License-Identifier: MIT */
#include "options/itrace.h"

int itrace_set(void *field, const struct option *o, const char *value, bool negated,
	       struct diag *diag)
{
	struct itrace_request *rq = field;
	struct itrace words = { .off = true };
	int r;

	(void)o;
	if (negated) {
		*rq = (struct itrace_request){ .words = words };
		return 0;
	}
	/* Without words everything is decoded, as if the option had not been typed. */
	if (!value || !value[0]) {
		*rq = (struct itrace_request){ .asked = true };
		return 0;
	}
	r = itrace_parse(value, &words, diag);
	if (r >= 0)
		*rq = (struct itrace_request){ .asked = true, .typed = true, .words = words };
	return r;
}
