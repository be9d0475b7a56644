/* SPDX-License-Identifier: MIT */
#pragma once
/* The tables that data/generate makes from data/events and data/metrics. Private to event/. */
#include <stddef.h>

#include "event/metric.h"
#include "event/vendor.h"

/* The CPUs for which a table is; the first row whose pattern matches decides. */
struct vendor_cpu {
	const char *pattern; /* a glob over the text of cpuid_read() */
	const struct vendor_table *table;
};

extern const struct vendor_cpu vendor_cpus[];
extern const size_t vendor_cpus_n;

/* The metrics for every machine, sorted by name. */
extern const struct metric metrics_generic[];
extern const size_t metrics_generic_n;

struct metric_cpu {
	const char *pattern; /* as in struct vendor_cpu */
	const struct metric_table *table;
};

extern const struct metric_cpu metric_cpus[];
extern const size_t metric_cpus_n;
