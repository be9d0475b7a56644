/* SPDX-License-Identifier: MIT */
#include "wire/topology.h"

#include <stdlib.h>

static int by_cpu(const void *key, const void *item)
{
	unsigned cpu = *(const unsigned *)key, other = ((const struct cpu_place *)item)->cpu;

	return cpu < other ? -1 : cpu > other;
}

const struct cpu_place *topology_find(const struct topology *t, unsigned cpu)
{
	return t->n ? bsearch(&cpu, t->items, t->n, sizeof(t->items[0]), by_cpu) : NULL;
}

void topology_done(struct topology *t)
{
	free(t->items);
	*t = (struct topology){ 0 };
}
