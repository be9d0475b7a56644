/* SPDX-License-Identifier: MIT */
/* CPUs and their caches, from /sys/devices/system/cpu. */
#include <fcntl.h>
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

/* Reads an id. -1 (as in the files): unknown. */
static uint32_t read_id(int dir, const char *name)
{
	_cleanup_(freep) char *line = NULL;
	int64_t n;

	if (file_read_line(dir, name, &line) < 0 || number_parse_signed(line, &n) < 0)
		return UINT32_MAX;
	return (uint32_t)n;
}

static int read_cpu_list(int dir, const char *name, struct cpu_list *ret)
{
	_cleanup_(freep) char *line = NULL;
	int r = file_read_line(dir, name, &line);

	return r < 0 ? r : cpu_list_parse(line, ret);
}

/*
 * Adds the text in the file @name, or in @old_name of kernels before Linux 5.4, unless the list has
 * it already.
 */
static void host_facts_topology_add_list(int dir, const char *name, const char *old_name,
					 struct string_list *l)
{
	_cleanup_(freep) char *line = NULL;

	if (file_read_line(dir, name, &line) < 0 && file_read_line(dir, old_name, &line) < 0)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i], line))
			return;
	*ARRAY_ADD(l) = TAKE(line);
}

/* Fills in the topology. CPUs that are not online keep -1. */
static void host_facts_topology(int cpus, const struct cpu_list *online, struct features *f)
{
	size_t n = f->cpus_available;
	uint32_t *core = xmalloc(n * sizeof(*core)), *socket = xmalloc(n * sizeof(*socket));
	uint32_t *die = xmalloc(n * sizeof(*die));

	memset(core, 0xff, n * sizeof(*core));
	memset(socket, 0xff, n * sizeof(*socket));
	memset(die, 0xff, n * sizeof(*die));
	for (size_t i = 0; i < online->n && online->items[i] < n; i++) {
		unsigned cpu = online->items[i];
		_cleanup_(freep) char *path = xasprintf("cpu%u/topology", cpu);
		_cleanup_(closep) int dir = openat(cpus, path, O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (dir < 0)
			continue;
		host_facts_topology_add_list(dir, "package_cpus_list", "core_siblings_list",
					     &f->cpu_topology.sockets);
		host_facts_topology_add_list(dir, "core_cpus_list", "thread_siblings_list",
					     &f->cpu_topology.threads);
		host_facts_topology_add_list(dir, "die_cpus_list", "die_cpus_list",
					     &f->cpu_topology.dies);
		core[cpu] = read_id(dir, "core_id");
		socket[cpu] = read_id(dir, "physical_package_id");
		die[cpu] = read_id(dir, "die_id");
	}
	f->cpu_topology.n_cpus = n;
	f->cpu_topology.core_id = core;
	f->cpu_topology.socket_id = socket;
	if (f->cpu_topology.dies.n)
		f->cpu_topology.die_id = TAKE(die);
	free(die);
	if (f->cpu_topology.sockets.n)
		features_mark(f, FEATURE_CPU_TOPOLOGY);
}

/*
 * True if @cpu is the first of those that share a cache: a shared cache is described once, with its
 * first CPU.
 */
static bool is_first_sharer(int dir, unsigned cpu, char **ret_cpus)
{
	_cleanup_(cpu_list_done) struct cpu_list sharers = { 0 };
	_cleanup_(freep) char *line = NULL;

	if (file_read_line(dir, "shared_cpu_list", &line) < 0 ||
	    cpu_list_parse(line, &sharers) < 0 || !sharers.n || sharers.items[0] != cpu)
		return false;
	*ret_cpus = TAKE(line);
	return true;
}

static void host_facts_topology_add_cache(int dir, unsigned cpu, struct features *f)
{
	_cleanup_(freep) char *cpus = NULL, *type = NULL, *size = NULL;

	if (!is_first_sharer(dir, cpu, &cpus) || file_read_line(dir, "type", &type) < 0 ||
	    file_read_line(dir, "size", &size) < 0)
		return;
	struct cache_desc *c = ARRAY_ADD(&f->caches.list);
	c->level = read_id(dir, "level");
	c->line_size = read_id(dir, "coherency_line_size");
	c->sets = read_id(dir, "number_of_sets");
	c->ways = read_id(dir, "ways_of_associativity");
	c->type = TAKE(type);
	c->size = TAKE(size);
	c->cpu_map = TAKE(cpus);
}

/* Sorts caches by level, and each level in the order in which it was found. */
static void sort_caches(struct features *f)
{
	struct cache_desc *c = f->caches.list.items;

	for (size_t i = 1; i < f->caches.list.n; i++) {
		struct cache_desc moved = c[i];
		size_t at = i;

		for (; at > 0 && c[at - 1].level > moved.level; at--)
			c[at] = c[at - 1];
		c[at] = moved;
	}
}

static void host_facts_topology_caches(int cpus, const struct cpu_list *online, struct features *f)
{
	f->caches.version = 1;
	for (size_t i = 0; i < online->n; i++)
		for (unsigned index = 0;; index++) {
			_cleanup_(freep) char *path = xasprintf("cpu%u/cache/index%u",
								online->items[i], index);
			_cleanup_(closep) int dir = openat(cpus, path,
							   O_PATH | O_DIRECTORY | O_CLOEXEC);

			if (dir < 0)
				break;
			host_facts_topology_add_cache(dir, online->items[i], f);
		}
	sort_caches(f);
	if (f->caches.list.n)
		features_mark(f, FEATURE_CACHE);
}

void host_facts_cpus(const char *root, struct features *f)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/system/cpu", root);
	_cleanup_(closep) int cpus = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(cpu_list_done) struct cpu_list online = { 0 }, present = { 0 };

	if (cpus < 0 || read_cpu_list(cpus, "online", &online) < 0 || !online.n)
		return;
	if (read_cpu_list(cpus, "present", &present) < 0 || !present.n)
		f->cpus_available = online.items[online.n - 1] + 1;
	else
		f->cpus_available = present.items[present.n - 1] + 1;
	f->cpus_online = (uint32_t)online.n;
	features_mark(f, FEATURE_NRCPUS);
	host_facts_topology(cpus, &online, f);
	host_facts_topology_caches(cpus, &online, f);
}
