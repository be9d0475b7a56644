/* SPDX-License-Identifier: MIT */
#include "count/stat-unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "wire/topology.h"

/* Returns the level that was requested, or the last one of @place. */
static unsigned cache_level(const struct stat_model_options *o, const struct cpu_place *place)
{
	unsigned level = TOPOLOGY_CACHES - 1;

	if (o->cache_level || !place)
		return o->cache_level;
	while (level > 0 && place->cache[level] < 0)
		level--;
	return level;
}

/* Returns the name of a CPU's unit: only the parts that the aggregation distinguishes. */
static struct stat_unit name_unit(const struct stat_model_options *o, int cpu)
{
	struct stat_unit u = { -1, -1, -1, -1, -1, -1, -1, -1, -1, "" };
	const struct cpu_place *place = cpu < 0 ? NULL : topology_find(o->topology, (unsigned)cpu);

	switch (o->aggregation) {
	case STAT_CPU:
		u.cpu = cpu;
		/* The CPU's place is part of the name, too, because `percore` sums up a core. */
		__attribute__((fallthrough));
	case STAT_CORE:
		u.core = place ? place->core : -1;
		__attribute__((fallthrough));
	case STAT_DIE:
		u.die = place && place->die > 0 ? place->die : 0;
		__attribute__((fallthrough));
	case STAT_SOCKET:
		u.socket = place && place->socket > 0 ? place->socket : 0;
		break;
	case STAT_NODE:
		u.node = place && place->node > 0 ? place->node : 0;
		break;
	case STAT_CACHE:
		u.socket = place && place->socket > 0 ? place->socket : 0;
		u.die = place && place->die > 0 ? place->die : 0;
		u.cache_level = (int)cache_level(o, place);
		u.cache = place ? place->cache[u.cache_level] : -1;
		break;
	case STAT_CLUSTER:
		u.socket = place && place->socket > 0 ? place->socket : 0;
		u.die = place && place->die > 0 ? place->die : 0;
		u.cluster = place && place->cluster > 0 ? place->cluster : 0;
		break;
	case STAT_GLOBAL:
	case STAT_THREAD:
		break;
	}
	return u;
}

static int compare_ints(int a, int b)
{
	return a < b ? -1 : a > b;
}

/*
 * Compares by socket, die, cluster, core, node, cache, CPU, ascending; irrelevant parts are -1 in
 * both.
 */
static int stat_unit_by_place(const void *x, const void *y)
{
	const struct stat_unit *a = x, *b = y;
	int r = a->cpu >= 0 ? compare_ints(a->cpu, b->cpu) : 0;

	if (!r)
		r = compare_ints(a->socket, b->socket);
	if (!r)
		r = compare_ints(a->die, b->die);
	if (!r)
		r = compare_ints(a->cluster, b->cluster);
	if (!r)
		r = compare_ints(a->core, b->core);
	if (!r)
		r = compare_ints(a->node, b->node);
	return r ? r : compare_ints(a->cache, b->cache);
}

static const struct stat_unit *stat_unit_find(const struct stat_units *u,
					      const struct stat_unit *key)
{
	for (size_t i = 0; i < u->n; i++)
		if (!stat_unit_by_place(&u->items[i], key))
			return &u->items[i];
	return NULL;
}

static void stat_unit_add_cpus(struct stat_units *u, const struct stat_source *s,
			       const struct stat_model_options *o)
{
	for (size_t i = 0; i < s->n_cpus; i++) {
		struct stat_unit unit = name_unit(o, s->cpus[i]);

		if (s->cpus[i] >= 0 && !stat_unit_find(u, &unit))
			*ARRAY_ADD(u) = unit;
	}
}

static void stat_unit_add_tasks(struct stat_units *u, const struct stat_model_options *o)
{
	for (size_t i = 0; i < o->n_tasks; i++) {
		struct stat_unit *unit = ARRAY_ADD(u);

		*unit = (struct stat_unit){ -1, -1, -1, -1, -1, -1, -1, -1, o->tasks[i].tid, "" };
		snprintf(unit->comm, sizeof(unit->comm), "%s", o->tasks[i].comm);
	}
}

void stat_units_make(struct stat_units *u, const struct stat_source *sources, size_t n,
		     const struct stat_model_options *o)
{
	if (o->aggregation == STAT_GLOBAL)
		(void)ARRAY_ADD(u);
	else if (o->aggregation == STAT_THREAD)
		stat_unit_add_tasks(u, o);
	else
		for (size_t i = 0; i < n; i++)
			stat_unit_add_cpus(u, &sources[i], o);
	if (u->n && o->aggregation != STAT_THREAD)
		qsort(u->items, u->n, sizeof(u->items[0]), stat_unit_by_place);
}

void stat_units_done(struct stat_units *u)
{
	free(u->items);
	*u = (struct stat_units){ 0 };
}

size_t stat_units_find(const struct stat_units *u, const struct stat_model_options *o, int cpu,
		       size_t task)
{
	if (o->aggregation == STAT_GLOBAL)
		return 0;
	if (o->aggregation == STAT_THREAD)
		return task;

	struct stat_unit key = name_unit(o, cpu);
	const struct stat_unit *unit = stat_unit_find(u, &key);

	return unit ? (size_t)(unit - u->items) : 0;
}
