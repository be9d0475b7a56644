/* SPDX-License-Identifier: MIT */
/*
 * CPU_TOPOLOGY: lists of CPUs by socket and by core; then, as far as the payload goes, { u32 core,
 * socket; } of each available CPU; then lists by die and the u32 die of each CPU.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature-layout.h"
#include "datafile/feature.h"

static const struct feature_field feature_cpu_topology_lists[] = {
	LAYOUT_LIST(FEATURE_TYPE(cpu_topology), sockets, feature_layout_text),
	LAYOUT_LIST(FEATURE_TYPE(cpu_topology), threads, feature_layout_text),
	LAYOUT_END,
};

static const struct feature_field feature_cpu_topology_dies[] = {
	LAYOUT_LIST(FEATURE_TYPE(cpu_topology), dies, feature_layout_text),
	LAYOUT_END,
};

static void places_take(struct cursor *c, FEATURE_TYPE(cpu_topology) * t, size_t n)
{
	t->core_id = xcalloc(n, sizeof(uint32_t));
	t->socket_id = xcalloc(n, sizeof(uint32_t));
	for (t->n_cpus = 0; t->n_cpus < n; t->n_cpus++) {
		t->core_id[t->n_cpus] = cursor_u32(c);
		t->socket_id[t->n_cpus] = cursor_u32(c);
	}
}

static void dies_take(struct cursor *c, FEATURE_TYPE(cpu_topology) * t)
{
	feature_layout_decode(feature_cpu_topology_dies, t, c);
	if (c->bad || cursor_left(c) / sizeof(uint32_t) < t->n_cpus) {
		c->bad = true;
		return;
	}
	t->die_id = xcalloc(t->n_cpus, sizeof(uint32_t));
	for (size_t i = 0; i < t->n_cpus; i++)
		t->die_id[i] = cursor_u32(c);
}

/* Old files end after the lists. */
static void feature_cpu_topology_decode(void *member, struct cursor *c,
					const struct features *known)
{
	FEATURE_TYPE(cpu_topology) *t = member;
	size_t n = known->cpus_available;

	feature_layout_decode(feature_cpu_topology_lists, t, c);
	if (c->bad || !n || cursor_left(c) / (2 * sizeof(uint32_t)) < n)
		return;
	places_take(c, t, n);
	if (cursor_left(c))
		dies_take(c, t);
}

static void feature_cpu_topology_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(cpu_topology) *t = member;

	feature_layout_encode(feature_cpu_topology_lists, t, out);
	for (size_t i = 0; i < t->n_cpus; i++) {
		bytes_u32(out, t->core_id[i]);
		bytes_u32(out, t->socket_id[i]);
	}
	if (!t->die_id)
		return;
	feature_layout_encode(feature_cpu_topology_dies, t, out);
	for (size_t i = 0; i < t->n_cpus; i++)
		bytes_u32(out, t->die_id[i]);
}

static void feature_cpu_topology_done(void *member)
{
	FEATURE_TYPE(cpu_topology) *t = member;

	feature_layout_done(feature_cpu_topology_lists, t);
	feature_layout_done(feature_cpu_topology_dies, t);
	free(t->core_id);
	free(t->socket_id);
	free(t->die_id);
}

const struct feature_codec feature_cpu_topology = {
	FEATURE_AT(cpu_topology),
	.decode = feature_cpu_topology_decode,
	.encode = feature_cpu_topology_encode,
	.done = feature_cpu_topology_done,
};
