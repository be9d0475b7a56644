/* SPDX-License-Identifier: MIT */
#pragma once
/* The kind of data from which the rows of a report are made. It decides the default sort keys. */
#include <stdbool.h>

struct diag;
struct session;

enum report_mode {
	REPORT_NORMAL,     /* samples */
	REPORT_TRACEPOINT, /* samples that are all from tracepoints */
	REPORT_BRANCH,     /* branches: --branch-stack */
	REPORT_MEMORY,     /* accesses to data: --mem-mode */
};

/* The requested mode. */
struct report_mode_request {
	bool memory;
	bool branches;
	bool no_branches; /* never that of branches, even if branches were recorded */
};

/*
 * Chooses the mode of a report of @s, whose events are known. -EINVAL with @diag: the requested
 * data was not recorded.
 */
int report_mode_choose(const struct report_mode_request *r, const struct session *s,
		       enum report_mode *ret, struct diag *diag);
