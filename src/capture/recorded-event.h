/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An event as it was opened for recording: what the file has to say about it. Plain data that the
 * recorder fills in and the synthesised records, the features and the tracing data are made from;
 * it borrows everything.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire/attr.h"

struct cpu_list;

struct recorded_event {
	struct attr attr; /* as opened, .size set */
	const char *name;
	const char *system, *tracepoint; /* NULL: no tracepoint */
	const char *unit;                /* "" if none */
	double scale;                    /* 1 if none; counts only with a unit */
	const struct cpu_list *own_cpus; /* of a PMU that is not everywhere; or NULL */
	const uint64_t *ids;             /* in the order of the file: for each CPU, each task */
	size_t n_ids;
	size_t leader;          /* index; its own if it leads or stands alone */
	const char *group_name; /* of a named group's leader, or NULL */
};
