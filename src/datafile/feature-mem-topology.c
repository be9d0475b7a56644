/* SPDX-License-Identifier: MIT */
/*
 * MEM_TOPOLOGY, the memory blocks of each node: u64 version, block_size, count; { u64 node, n_bits,
 * n_bits again; u64 words[]; }[count].
 */
#include <stdlib.h>

#include "base/memory.h"
#include "datafile/feature.h"

static size_t feature_mem_topology_words_of(uint64_t n_bits)
{
	return n_bits / 64 + (n_bits % 64 ? 1 : 0);
}

static void node_take(struct cursor *c, struct memory_node *node)
{
	size_t n;

	node->node = cursor_u64(c);
	node->n_bits = cursor_u64(c);
	cursor_u64(c);
	n = feature_mem_topology_words_of(node->n_bits);
	if (n > cursor_left(c) / sizeof(uint64_t)) {
		c->bad = true;
		return;
	}
	node->words = xcalloc(n ? n : 1, sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		node->words[i] = cursor_u64(c);
}

static void feature_mem_topology_decode(void *member, struct cursor *c,
					const struct features *known)
{
	FEATURE_TYPE(mem_topology) *t = member;
	uint64_t n;

	(void)known;
	t->version = cursor_u64(c);
	t->block_size = cursor_u64(c);
	n = cursor_u64(c);
	for (uint64_t i = 0; i < n && !c->bad; i++)
		node_take(c, ARRAY_ADD(&t->nodes));
}

static void feature_mem_topology_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(mem_topology) *t = member;

	bytes_u64(out, t->version);
	bytes_u64(out, t->block_size);
	bytes_u64(out, t->nodes.n);
	for (size_t i = 0; i < t->nodes.n; i++) {
		const struct memory_node *node = &t->nodes.items[i];

		bytes_u64(out, node->node);
		bytes_u64(out, node->n_bits);
		bytes_u64(out, node->n_bits);
		bytes_add(out, node->words,
			  feature_mem_topology_words_of(node->n_bits) * sizeof(uint64_t));
	}
}

static void feature_mem_topology_done(void *member)
{
	FEATURE_TYPE(mem_topology) *t = member;

	for (size_t i = 0; i < t->nodes.n; i++)
		free(t->nodes.items[i].words);
	free(t->nodes.items);
}

const struct feature_codec feature_mem_topology = {
	FEATURE_AT(mem_topology),
	.decode = feature_mem_topology_decode,
	.encode = feature_mem_topology_encode,
	.done = feature_mem_topology_done,
};
