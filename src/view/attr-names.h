/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the numbers of a perf_event_attr are called: PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
 * or the name of the PMU that the recording's machine had under that number.
 */
#include "base/text.h"

struct attr;
struct features;

struct attr_names {
	struct text type, config; /* empty: no name is known */
};

/*
 * Names @attr's type and config. @features tells the PMUs of the recording, or is NULL; @tracepoint
 * is the name of a tracepoint, or NULL. Free the result with attr_names_done().
 */
struct attr_names attr_names_of(const struct attr *attr, const struct features *features,
				const char *tracepoint);

void attr_names_done(struct attr_names *n);
