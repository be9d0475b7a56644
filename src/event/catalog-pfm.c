/* SPDX-License-Identifier: MIT */
/*
 * The names that --pfm-events takes, "PMU::EVENT" and "PMU::EVENT:UNIT_MASK". They are listed only
 * when asked for by their class: -e does not know them.
 */
#include <errno.h>

#include "base/diag.h"
#include "event/catalog-gather.h"
#include "event/pfm-encode.h"

/* What an event counts, and what its unit mask selects of it. */
static const char *describe(struct gathering *g, const struct pfm_name *n)
{
	const char *event = n->description ? n->description : n->event;

	return n->unit_mask && n->unit_mask_description
		       ? gather_keepf(g, "%s: %s", event, n->unit_mask_description)
		       : gather_keep(g, event);
}

static void add_name(void *arg, const struct pfm_name *n)
{
	struct gathering *g = arg;
	struct pfm_encoding ignored;
	struct catalog_entry *e;
	const char *why, *name;

	name = n->unit_mask ? gather_keepf(g, "%s::%s:%s", n->pmu, n->event, n->unit_mask)
			    : gather_keepf(g, "%s::%s", n->pmu, n->event);
	/* An event that needs a unit mask is listed with its masks only. */
	if (pfm_encode(name, &ignored, &why) < 0)
		return;
	e = gather_add(g, CATALOG_PFM, name);
	e->pmu = gather_keep(g, n->pmu);
	e->topic = n->pmu_description ? gather_keepf(g, "%s, %s", n->pmu, n->pmu_description)
				      : e->pmu;
	e->brief = e->description = describe(g, n);
}

int gather_pfm(struct gathering *g)
{
	const char *why;
	int r = pfm_for_each(add_name, g, &why);

	if (r < 0) {
		diag_set(g->diag, r, "%s", why);
		diag_hint(g->diag, "install libpfm4-dev and build again");
	}
	return r;
}
