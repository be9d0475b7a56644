/* SPDX-License-Identifier: MIT */
/*
 * CPU_PMU_CAPS: u32 count; { text name, value; }[count]. PMU_CAPS: u32 count; { capabilities like
 * the former; text pmu_name; }[count]: the name of the PMU comes last.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void caps_take(struct cursor *c, struct pmu_caps *p)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct pmu_cap *cap = ARRAY_ADD(&p->caps);

		cap->name = feature_text_take(c);
		cap->value = feature_text_take(c);
	}
}

static void caps_put(struct bytes *out, const struct pmu_caps *p)
{
	bytes_u32(out, (uint32_t)p->caps.n);
	for (size_t i = 0; i < p->caps.n; i++) {
		feature_text_put(out, p->caps.items[i].name);
		feature_text_put(out, p->caps.items[i].value);
	}
}

static void caps_done(struct pmu_caps *p)
{
	for (size_t i = 0; i < p->caps.n; i++) {
		free(p->caps.items[i].name);
		free(p->caps.items[i].value);
	}
	free(p->caps.items);
	free(p->pmu_name);
}

static void cpu_decode(void *member, struct cursor *c, const struct features *known)
{
	(void)known;
	caps_take(c, member);
}

static void cpu_encode(const void *member, struct bytes *out)
{
	caps_put(out, member);
}

static void cpu_done(void *member)
{
	caps_done(member);
}

const struct feature_codec feature_cpu_pmu_caps = {
	FEATURE_AT(cpu_pmu_caps),
	.decode = cpu_decode,
	.encode = cpu_encode,
	.done = cpu_done,
};

static void all_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(pmu_caps) *l = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct pmu_caps *p = ARRAY_ADD(l);

		caps_take(c, p);
		p->pmu_name = feature_text_take(c);
	}
}

static void all_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(pmu_caps) *l = member;

	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++) {
		caps_put(out, &l->items[i]);
		feature_text_put(out, l->items[i].pmu_name);
	}
}

static void all_done(void *member)
{
	FEATURE_TYPE(pmu_caps) *l = member;

	for (size_t i = 0; i < l->n; i++)
		caps_done(&l->items[i]);
	free(l->items);
}

const struct feature_codec feature_pmu_caps = {
	FEATURE_AT(pmu_caps),
	.decode = all_decode,
	.encode = all_encode,
	.done = all_done,
};
