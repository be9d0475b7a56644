/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What data/generate makes of data/events and data/metrics. Private to event/.
 */
#include <stddef.h>

#include "event/metric.h"
#include "event/vendor.h"

/* Which CPUs a table is for; the first row whose pattern matches decides. */
struct vendor_cpu {
	const char *pattern; /* a glob over the text of cpuid_read() */
	const struct vendor_table *table;
};

extern const struct vendor_cpu vendor_cpus[];
extern const size_t vendor_cpus_n;

/* The metrics of every machine, sorted by name. */
extern const struct metric metrics_generic[];
extern const size_t metrics_generic_n;

struct metric_cpu {
	const char *pattern; /* as in struct vendor_cpu */
	const struct metric_table *table;
};

extern const struct metric_cpu metric_cpus[];
extern const size_t metric_cpus_n;
