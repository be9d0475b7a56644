/* SPDX-License-Identifier: MIT */
#include "cmd/diff-config.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "cli/config.h"
#include "cmd/diff-opts.h"

static int apply_method(const struct config *c, struct diff_opts *o, struct diag *diag)
{
	const char *value = config_get(c, "diff.compute");
	struct diff_method configured;
	size_t offset;

	if (!value)
		return 0;
	if (diff_method_parse(value, &configured, &offset) < 0)
		return config_refuse(c, "diff.compute",
				     "delta, delta-abs, ratio, wdiff:1,1, cycles", diag);
	if (!o->method.is_said)
		o->method = configured;
	return 0;
}

int diff_config_apply(const struct config *c, struct diff_opts *o, struct diag *diag)
{
	uint64_t order = 1;
	int r = config_get_uint(c, "diff.order", &order, diag);

	if (r >= 0 && o->order == ORDER_UNSAID)
		o->order = order;
	if (r >= 0)
		r = apply_method(c, o, diag);
	return r < 0 ? r : percentage_configure(&o->percentage, c, diag);
}
