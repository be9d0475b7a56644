/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The names of the numbers in a perf_event_attr: PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, or
 * the name of the PMU that had this number on the recording's machine.
 */
#include "base/text.h"

struct attr;
struct features;

struct attr_names {
	struct text type, config; /* empty: the name is unknown */
};

/*
 * Names @attr's type and config. @features contains the PMUs of the recording, or is NULL;
 * @tracepoint is the name of a tracepoint, or NULL. The result must be freed with
 * attr_names_done().
 */
struct attr_names attr_names_of(const struct attr *attr, const struct features *features,
				const char *tracepoint);

void attr_names_done(struct attr_names *n);
