/* SPDX-License-Identifier: MIT */
#include "options/branch.h"

#include <errno.h>

#include "base/diag.h"
#include "event/branch-type.h"
#include "wire/abi.h"

static int options_branch_once(uint64_t filter, struct diag *diag)
{
	if (!filter)
		return 0;
	diag_set(diag, -EINVAL,
		 "branch stacks are asked for twice, by --branch-any (-b) or "
		 "--branch-filter (-j)");
	diag_hint(diag, "Give one list: -j any_call,u");
	return -EINVAL;
}

static int any_set(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	uint64_t *filter = field;

	(void)o;
	(void)value;
	if (!negated && options_branch_once(*filter, diag) < 0)
		return -EINVAL;
	*filter = negated ? 0 : PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

static int filter_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	uint64_t *filter = field;

	(void)o;
	if (negated) {
		*filter = 0;
		return 0;
	}
	return options_branch_once(*filter, diag) < 0 ? -EINVAL
						      : branch_type_parse(value, filter, diag);
}

const struct option branch_options[] = {
	OPT_HEADING("Branches:"),
	OPT_CALL('b', "branch-any", struct sampling_request, branch_filter, NULL,
		 "the last taken branches with each sample", .set = any_set,
		 .flags = OPTION_NO_VALUE),
	OPT_CALL('j', "branch-filter", struct sampling_request, branch_filter, "filter[,filter...]",
		 "the same for some branches: any_call,u", .set = filter_set),
	OPT_END
};
