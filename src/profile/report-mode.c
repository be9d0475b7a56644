/* SPDX-License-Identifier: MIT */
#include "profile/report-mode.h"

#include <errno.h>

#include "base/diag.h"
#include "datafile/features.h"
#include "session/session.h"

static bool any_has(const struct session *s, uint64_t sample_type)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & sample_type)
			return true;
	return false;
}

static bool all_are_tracepoints(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.type != PERF_TYPE_TRACEPOINT)
			return false;
	return session_event_count(s);
}

/* True if branches were recorded for their own sake, and not to get call stacks. */
static bool is_of_branches(const struct session *s)
{
	if (!features_have(session_features(s), FEATURE_BRANCH_STACK))
		return false;
	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct attr *a = &session_event(s, i)->attr;

		if (a->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(a->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	}
	return false;
}

static int refuse_memory(struct diag *diag)
{
	diag_set(diag, -EINVAL, "the profile does not tell what memory was accessed");
	diag_hint(diag,
		  "Record with 'perf record -d -W -e cpu/mem-loads/P', or 'perf mem record'.");
	return -EINVAL;
}

static int refuse_branches(struct diag *diag)
{
	diag_set(diag, -EINVAL, "the profile has no branches");
	diag_hint(diag, "Record them with 'perf record -b'.");
	return -EINVAL;
}

int report_mode_choose(const struct report_mode_request *r, const struct session *s,
		       enum report_mode *ret, struct diag *diag)
{
	if (r->memory) {
		if (!any_has(s, PERF_SAMPLE_DATA_SRC))
			return refuse_memory(diag);
		*ret = REPORT_MEMORY;
	} else if (r->branches) {
		if (!any_has(s, PERF_SAMPLE_BRANCH_STACK))
			return refuse_branches(diag);
		*ret = REPORT_BRANCH;
	} else if (!r->no_branches && is_of_branches(s)) {
		*ret = REPORT_BRANCH;
	} else {
		*ret = all_are_tracepoints(s) ? REPORT_TRACEPOINT : REPORT_NORMAL;
	}
	return 0;
}
