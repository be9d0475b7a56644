/* SPDX-License-Identifier: MIT */
/* Memory: its size, and the node to which each of its blocks belongs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "capture/host-facts-internal.h"
#include "datafile/features.h"
#include "base/name-list.h"

#define MEMINFO_MAX (64U << 10)

/* An upper bound: a petabyte in blocks of the smallest size (128 MiB). */
#define BLOCKS_MAX (1U << 24)

/* Returns the number after "KEY:" in a meminfo text; 0 if it is not there. */
static uint64_t meminfo_kb(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static void host_facts_memory_total(const char *root, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/meminfo", root);
	_cleanup_(freep) char *text = NULL;

	if (file_read(AT_FDCWD, path, MEMINFO_MAX, &text, NULL) < 0)
		return;
	f->total_mem_kb = meminfo_kb(text, "MemTotal:");
	features_mark(f, FEATURE_TOTAL_MEM);
}

static void host_facts_memory_add_node(int nodes, unsigned node, struct features *f)
{
	_cleanup_(freep) char *meminfo = xasprintf("node%u/meminfo", node);
	_cleanup_(freep) char *cpulist = xasprintf("node%u/cpulist", node);
	_cleanup_(freep) char *text = NULL, *cpus = NULL;

	if (file_read(nodes, meminfo, MEMINFO_MAX, &text, NULL) < 0 ||
	    file_read_line(nodes, cpulist, &cpus) < 0)
		return;
	struct numa_node *n = ARRAY_ADD(&f->numa_nodes);
	n->node = node;
	n->mem_total_kb = meminfo_kb(text, "MemTotal:");
	n->mem_free_kb = meminfo_kb(text, "MemFree:");
	n->cpus = TAKE(cpus);
}

/* Returns the number in the name of a directory, @prefix and a number, or -1. */
static int64_t host_facts_memory_numbered(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	uint64_t number;

	if (strncmp(name, prefix, n) != 0 || number_parse(name + n, &number) < 0)
		return -1;
	return number < BLOCKS_MAX ? (int64_t)number : -1;
}

/* Adds the blocks of a node, whose directory has a link memoryN for each of them. */
static void host_facts_memory_add_blocks(int nodes, unsigned node, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("node%u", node);
	_cleanup_(name_list_done) struct name_list names = { 0 };
	struct memory_node *m = ARRAY_ADD(&f->mem_topology.nodes);

	m->node = node;
	if (name_list_read(nodes, path, false, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		int64_t block = host_facts_memory_numbered(names.items[i], "memory");

		if (block >= (int64_t)m->n_bits)
			m->n_bits = (uint64_t)block + 1;
	}
	m->words = xcalloc(m->n_bits / 64 + 1, sizeof(m->words[0]));
	for (size_t i = 0; i < names.n; i++) {
		int64_t block = host_facts_memory_numbered(names.items[i], "memory");

		if (block >= 0)
			m->words[block / 64] |= 1ULL << block % 64;
	}
}

static void host_facts_memory_blocks(const char *root, int nodes, const struct cpu_list *online,
				     struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/system/memory/block_size_bytes",
						root);
	_cleanup_(freep) char *size = NULL;

	if (file_read_line(AT_FDCWD, path, &size) < 0 ||
	    number_parse_hex(size, &f->mem_topology.block_size) < 0)
		return;
	f->mem_topology.version = 1;
	for (size_t i = 0; i < online->n; i++)
		host_facts_memory_add_blocks(nodes, online->items[i], f);
	features_mark(f, FEATURE_MEM_TOPOLOGY);
}

void host_facts_memory(const char *root, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/system/node", root);
	_cleanup_(closep) int nodes = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* The list of nodes has the format of a list of CPUs. */
	_cleanup_(cpu_list_done) struct cpu_list online = { 0 };
	_cleanup_(freep) char *line = NULL;

	host_facts_memory_total(root, f);
	if (nodes < 0 || file_read_line(nodes, "online", &line) < 0 ||
	    cpu_list_parse(line, &online) < 0)
		return;
	for (size_t i = 0; i < online.n; i++)
		host_facts_memory_add_node(nodes, online.items[i], f);
	if (f->numa_nodes.n)
		features_mark(f, FEATURE_NUMA_TOPOLOGY);
	host_facts_memory_blocks(root, nodes, &online, f);
}
