/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the rows of a report are made of, which decides the keys it is sorted by unless told.
 */
#include <stdbool.h>

struct diag;
struct session;

enum report_mode {
	REPORT_NORMAL,     /* samples */
	REPORT_TRACEPOINT, /* samples that are all of tracepoints */
	REPORT_BRANCH,     /* branches: --branch-stack */
	REPORT_MEMORY,     /* accesses to data: --mem-mode */
};

/* What was asked for. */
struct report_mode_request {
	bool memory;
	bool branches;
	bool no_branches; /* not even if the recording is one of branches */
};

/*
 * The mode of a report of @s, whose events are known. -EINVAL with @diag: what was asked for was
 * not recorded.
 */
int report_mode_choose(const struct report_mode_request *r, const struct session *s,
		       enum report_mode *ret, struct diag *diag);
