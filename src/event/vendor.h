/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events that CPU vendors define in addition to those that the kernel names, from the tables in
 * data/events.
 *
 * The tables are compiled in (data/generate makes them) and never change. The identity of the CPUs
 * on which a core PMU counts decides which one applies (kernel/cpuid.h). Terms are written as they
 * could be typed between the slashes of pmu/.../.
 */
#include <stdbool.h>
#include <stddef.h>

struct pmu;

/* Absent texts are NULL. */
struct vendor_event {
	const char *name;  /* lower case: br_mis_pred, inst_retired.any */
	const char *terms; /* "event=0xc4,umask=0x1" */
	const char *topic; /* "cache" */
	const char *brief;
	const char *description; /* longer than @brief */
	const char *unit;        /* unit of the scaled count */
	double scale;
	bool deprecated;
};

struct vendor_table {
	const char *name;
	const struct vendor_event *events; /* sorted by name */
	size_t n;
};

/* Returns the table for a CPU as cpuid_read() names it, or NULL. */
const struct vendor_table *vendor_table_for_cpu(const char *cpuid);

/*
 * Returns the table for the CPUs of @pmu, or NULL: it is not a core's, or no table describes that
 * core.
 */
const struct vendor_table *vendor_table_for_pmu(const struct pmu *pmu);

/* Finds an event by name, in either case, or NULL. O(log n). */
const struct vendor_event *vendor_event_find(const struct vendor_table *t, const char *name);
