/* SPDX-License-Identifier: MIT */
/*
 * Gathers the names of libpfm4, "PMU::EVENT" and "PMU::EVENT:UNIT_MASK", for --pfm-events and -e.
 * The kernel's own events, which it has too, are listed only with its class.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "event/catalog-gather.h"
#include "event/env.h"
#include "event/pfm-encode.h"

/* Returns a description of an event, and of the part that its unit mask selects. */
static const char *catalog_pfm_describe(struct gathering *g, const struct pfm_name *n)
{
	const char *event = n->description ? n->description : n->event;

	return n->unit_mask && n->unit_mask_description
		       ? gather_keepf(g, "%s: %s", event, n->unit_mask_description)
		       : gather_keep(g, event);
}

struct pfm_gathering {
	struct gathering *g;
	bool kernels; /* list the kernel's events, too */
};

static void catalog_pfm_add_name(void *arg, const struct pfm_name *n)
{
	const struct pfm_gathering *pg = arg;
	struct gathering *g = pg->g;
	struct pfm_encoding ignored;
	struct catalog_entry *e;
	const char *why, *name;

	name = n->unit_mask ? gather_keepf(g, "%s::%s:%s", n->pmu, n->event, n->unit_mask)
			    : gather_keepf(g, "%s::%s", n->pmu, n->event);
	if (!gather_selects_any_case(g, name) || (!pg->kernels && !strcmp(n->pmu, "perf")))
		return;
	/* An event that needs a unit mask is listed with its masks only. */
	if (pfm_encode(name, &ignored, &why) < 0)
		return;
	e = gather_add(g, CATALOG_PFM, name);
	e->pmu = gather_keep(g, n->pmu);
	e->topic = n->pmu_description ? gather_keepf(g, "%s, %s", n->pmu, n->pmu_description)
				      : e->pmu;
	e->brief = e->description = catalog_pfm_describe(g, n);
}

int gather_pfm(struct gathering *g, struct diag *diag)
{
	const char *why;
	int r;

	/* libpfm4 only knows the CPU of this machine. */
	if (!diag && !event_env_is_here(g->env))
		return 0;
	r = pfm_for_each(catalog_pfm_add_name, &(struct pfm_gathering){ g, diag != NULL }, &why);

	if (r < 0 && diag) {
		diag_set(diag, r, "%s", why);
		diag_hint(diag, "%s", PFM_HINT);
	}
	return r;
}
