/* SPDX-License-Identifier: MIT */
/* NUMA_TOPOLOGY: u32 count; { u32 node; u64 mem_total_kb, mem_free_kb; text cpus; }[count]. */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static void feature_numa_topology_decode(void *member, struct cursor *c,
					 const struct features *known)
{
	FEATURE_TYPE(numa_nodes) *l = member;
	uint32_t n = cursor_u32(c);

	(void)known;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct numa_node *node = ARRAY_ADD(l);

		node->node = cursor_u32(c);
		node->mem_total_kb = cursor_u64(c);
		node->mem_free_kb = cursor_u64(c);
		node->cpus = feature_text_take(c);
	}
}

static void feature_numa_topology_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(numa_nodes) *l = member;

	bytes_u32(out, (uint32_t)l->n);
	for (size_t i = 0; i < l->n; i++) {
		bytes_u32(out, l->items[i].node);
		bytes_u64(out, l->items[i].mem_total_kb);
		bytes_u64(out, l->items[i].mem_free_kb);
		feature_text_put(out, l->items[i].cpus);
	}
}

static void feature_numa_topology_done(void *member)
{
	FEATURE_TYPE(numa_nodes) *l = member;

	for (size_t i = 0; i < l->n; i++)
		free(l->items[i].cpus);
	free(l->items);
}

const struct feature_codec feature_numa_topology = {
	FEATURE_AT(numa_nodes),
	.decode = feature_numa_topology_decode,
	.encode = feature_numa_topology_encode,
	.done = feature_numa_topology_done,
};
