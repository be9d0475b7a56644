/* SPDX-License-Identifier: MIT */
#include "datafile/features-topology.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "wire/topology.h"

/* Returns the node of @cpu; -1: not known. */
static int features_topology_node_of(const struct features *f, unsigned cpu)
{
	for (size_t i = 0; i < f->numa_nodes.n; i++) {
		_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

		if (cpu_list_parse(f->numa_nodes.items[i].cpus, &cpus) == 0 &&
		    cpu_list_contains(&cpus, cpu))
			return (int)f->numa_nodes.items[i].node;
	}
	return -1;
}

static void caches_of(const struct features *f, struct cpu_place *p)
{
	for (size_t i = 0; i < TOPOLOGY_CACHES; i++)
		p->cache[i] = -1;
	for (size_t i = 0; i < f->caches.list.n; i++) {
		const struct cache_desc *d = &f->caches.list.items[i];
		_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };

		if (d->level < TOPOLOGY_CACHES && strcmp(d->type, "Instruction") != 0 &&
		    cpu_list_parse(d->cpu_map, &cpus) == 0 && cpu_list_contains(&cpus, p->cpu))
			p->cache[d->level] = (int)cpus.items[0];
	}
}

void features_topology(const struct features *f, struct topology *ret)
{
	*ret = (struct topology){ 0 };
	for (size_t cpu = 0; cpu < f->cpu_topology.n_cpus && cpu < CPU_MAX; cpu++) {
		struct cpu_place *p = ARRAY_ADD(ret);

		p->cpu = (unsigned)cpu;
		p->socket = (int)f->cpu_topology.socket_id[cpu];
		p->cluster = -1; /* no feature contains it */
		p->core = (int)f->cpu_topology.core_id[cpu];
		p->die = f->cpu_topology.die_id ? (int)f->cpu_topology.die_id[cpu] : 0;
		p->node = features_topology_node_of(f, p->cpu);
		caches_of(f, p);
	}
}
