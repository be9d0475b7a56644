/* SPDX-License-Identifier: MIT */
/*
 * CPU_DOMAIN_INFO, in the newest versions: u32 schedstat_version, max_domains; then until the end {
 * u32 cpu, n; { u32 domain; text name, cpumask, cpulist; }[n]; }. The name exists from version 17
 * on.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature-text.h"
#include "datafile/feature.h"

#define NAMES_SINCE 17

static void cpu_take(struct cursor *c, struct cpu_domains *cpu, bool has_names)
{
	uint32_t n;

	cpu->cpu = cursor_u32(c);
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct cpu_domain *d = ARRAY_ADD(&cpu->domains);

		d->domain = cursor_u32(c);
		d->name = has_names ? feature_text_take(c) : xstrdup("");
		d->cpumask = feature_text_take(c);
		d->cpulist = feature_text_take(c);
	}
}

static void feature_cpu_domain_info_decode(void *member, struct cursor *c,
					   const struct features *known)
{
	FEATURE_TYPE(cpu_domain_info) *info = member;

	(void)known;
	info->schedstat_version = cursor_u32(c);
	info->max_domains = cursor_u32(c);
	while (cursor_left(c) && !c->bad)
		cpu_take(c, ARRAY_ADD(&info->cpus), info->schedstat_version >= NAMES_SINCE);
}

static void feature_cpu_domain_info_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(cpu_domain_info) *info = member;

	bytes_u32(out, info->schedstat_version);
	bytes_u32(out, info->max_domains);
	for (size_t i = 0; i < info->cpus.n; i++) {
		const struct cpu_domains *cpu = &info->cpus.items[i];

		bytes_u32(out, cpu->cpu);
		bytes_u32(out, (uint32_t)cpu->domains.n);
		for (size_t k = 0; k < cpu->domains.n; k++) {
			bytes_u32(out, cpu->domains.items[k].domain);
			if (info->schedstat_version >= NAMES_SINCE)
				feature_text_put(out, cpu->domains.items[k].name);
			feature_text_put(out, cpu->domains.items[k].cpumask);
			feature_text_put(out, cpu->domains.items[k].cpulist);
		}
	}
}

static void feature_cpu_domain_info_done(void *member)
{
	FEATURE_TYPE(cpu_domain_info) *info = member;

	for (size_t i = 0; i < info->cpus.n; i++) {
		struct cpu_domains *cpu = &info->cpus.items[i];

		for (size_t k = 0; k < cpu->domains.n; k++) {
			free(cpu->domains.items[k].name);
			free(cpu->domains.items[k].cpumask);
			free(cpu->domains.items[k].cpulist);
		}
		free(cpu->domains.items);
	}
	free(info->cpus.items);
}

const struct feature_codec feature_cpu_domain_info = {
	FEATURE_AT(cpu_domain_info),
	.decode = feature_cpu_domain_info_decode,
	.encode = feature_cpu_domain_info_encode,
	.done = feature_cpu_domain_info_done,
};
