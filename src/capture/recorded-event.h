/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An event as it was opened for recording: the facts that the file contains about it. Plain data
 * that the recorder fills in, and from which the synthesised records, the features and the tracing
 * data are made; it borrows everything.
 */
#include <stddef.h>
#include <stdint.h>

#include "wire/attr.h"

struct cpu_list;
struct file_event;
struct opened_event;

struct recorded_event {
	struct attr attr; /* as opened, with .size set */
	const char *name;
	const char *system, *tracepoint; /* NULL: no tracepoint */
	const char *unit;                /* "" if none */
	double scale;                    /* 1 if none; only used with a unit */
	const struct cpu_list *own_cpus; /* CPUs of a PMU that is not on all of them; or NULL */
	const uint64_t *ids;             /* in the order of the file: for each CPU, each task */
	size_t n_ids;
	size_t leader;          /* index; its own if it leads or has no group */
	const char *group_name; /* name of the group that it leads, or NULL */
};

/* Puts the ids of @e, where it is open, into @f. The caller frees them. */
void recorded_event_ids(const struct opened_event *e, struct file_event *f);

/* Describes @e, which has the attr and the ids of @f in the file. */
struct recorded_event recorded_event_of(const struct opened_event *e, const struct file_event *f);
