/* SPDX-License-Identifier: MIT */
#include "event/vendor.h"

#include <stdlib.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/glob.h"
#include "event/tables.h"
#include "kernel/cpuid.h"
#include "kernel/pmu.h"

const struct vendor_table *vendor_table_for_cpu(const char *cpuid)
{
	for (size_t i = 0; i < vendor_cpus_n; i++)
		if (glob_matches(vendor_cpus[i].pattern, cpuid))
			return vendor_cpus[i].table;
	return NULL;
}

const struct vendor_table *vendor_table_for_pmu(const struct pmu *pmu)
{
	_cleanup_(freep) char *cpuid = NULL;
	unsigned cpu = pmu->cpus.n ? pmu->cpus.items[0] : 0;

	if (!pmu->core || cpuid_read("", cpu, &cpuid) < 0)
		return NULL;
	return vendor_table_for_cpu(cpuid);
}

static int vendor_by_name(const void *key, const void *event)
{
	return strcasecmp(key, ((const struct vendor_event *)event)->name);
}

const struct vendor_event *vendor_event_find(const struct vendor_table *t, const char *name)
{
	return bsearch(name, t->events, t->n, sizeof(t->events[0]), vendor_by_name);
}
