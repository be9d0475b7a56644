/* SPDX-License-Identifier: MIT */
/* PMU_MAPPINGS: u32 count; { u32 type; text name; }[count], in any order. */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_pmu_mappings_decode(void *member, struct cursor *c,
					const struct features *known)
{
	FEATURE_TYPE(pmu_mappings) *l = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct pmu_mapping *m = ARRAY_ADD(l);

		m->type = cursor_u32(c);
		m->name = feature_text_take(c);
	}
}

static void feature_pmu_mappings_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(pmu_mappings) *l = member;

	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++) {
		bytes_u32(out, l->items[i].type);
		feature_text_put(out, l->items[i].name);
	}
}

static void feature_pmu_mappings_done(void *member)
{
	FEATURE_TYPE(pmu_mappings) *l = member;

	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].name);
	free(l->items);
}

const struct feature_codec feature_pmu_mappings = {
	FEATURE_AT(pmu_mappings),
	.decode = feature_pmu_mappings_decode,
	.encode = feature_pmu_mappings_encode,
	.done = feature_pmu_mappings_done,
};
