/* SPDX-License-Identifier: MIT */
/* HYBRID_TOPOLOGY: u32 count; { text pmu_name, cpus; }[count]. */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_hybrid_topology_decode(void *member, struct cursor *c,
					   const struct features *known)
{
	FEATURE_TYPE(hybrid) *l = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct hybrid_pmu *p = ARRAY_ADD(l);

		p->pmu_name = feature_text_take(c);
		p->cpus = feature_text_take(c);
	}
}

static void feature_hybrid_topology_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(hybrid) *l = member;

	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++) {
		feature_text_put(out, l->items[i].pmu_name);
		feature_text_put(out, l->items[i].cpus);
	}
}

static void feature_hybrid_topology_done(void *member)
{
	FEATURE_TYPE(hybrid) *l = member;

	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].pmu_name);
		free(l->items[i].cpus);
	}
	free(l->items);
}

const struct feature_codec feature_hybrid_topology = {
	FEATURE_AT(hybrid),
	.decode = feature_hybrid_topology_decode,
	.encode = feature_hybrid_topology_encode,
	.done = feature_hybrid_topology_done,
};
