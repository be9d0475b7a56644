/* SPDX-License-Identifier: MIT */
#include "capture/trace-events.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "event/event.h"
#include "kernel/pmu.h"

/* sysfs does not tell which PMUs have an AUX area: these are all that Linux has drivers for. */
static const char *const trace_pmus[] = {
	"intel_pt", "intel_bts", "cs_etm", "arm_spe_*", "hisi_ptt*",
};

static bool is_of_trace_pmu(const struct event *e)
{
	for (size_t i = 0; e->pmu && i < ARRAY_SIZE(trace_pmus); i++)
		if (glob_matches(trace_pmus[i], e->pmu->name))
			return true;
	return false;
}

int trace_events_refuse(const struct event_list *events, struct diag *diag)
{
	for (size_t i = 0; i < events->n; i++)
		if (is_of_trace_pmu(events->items[i]))
			return diag_set(diag, -EOPNOTSUPP,
					"hardware traces (%s) are not in this version",
					events->items[i]->pmu->name);
	return 0;
}
