/* SPDX-License-Identifier: MIT */
#include "kernel/topology.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/name-list.h"

/* The file has a line of 200 bytes for each CPU, and one of 100 KB for interrupts. */
#define PROC_STAT_MAX ((size_t)16 << 20)

/*
 * Reads the online CPUs from procfs if there is no sysfs, as in a container made by hand: a line
 * "cpuN ..." for each.
 */
static int online_of_proc(struct cpu_list *ret)
{
	_cleanup_(freep) char *text = NULL;
	struct cpu_list l = { 0 };
	size_t size;
	int r = file_read(AT_FDCWD, "/proc/stat", PROC_STAT_MAX, &text, &size);

	if (r < 0)
		return r;
	for (const char *at = strstr(text, "\ncpu"); at; at = strstr(at + 1, "\ncpu")) {
		const char *digits = at + strlen("\ncpu");
		unsigned long cpu = strtoul(digits, NULL, 10);

		if (*digits >= '0' && *digits <= '9' && cpu < CPU_MAX)
			*ARRAY_ADD(&l) = (unsigned)cpu;
	}
	if (!l.n)
		return -ENOENT;
	*ret = l;
	return 0;
}

int topology_online(const char *system, struct cpu_list *ret, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/cpu/online", system);
	_cleanup_(freep) char *line = NULL;
	int r = file_read_line(AT_FDCWD, path, &line);

	if (r >= 0)
		r = cpu_list_parse(line, ret);
	else if (!strcmp(system, SYSTEM_DEVICES) && online_of_proc(ret) >= 0)
		return 0;
	if (r < 0)
		diag_set(diag, r, "cannot tell which CPUs are online: %s: %s", path, strerror(-r));
	return r;
}

/* Reads the number in cpuN/@name, or -1. */
static int topology_read_number(int dir, const char *name)
{
	_cleanup_(freep) char *line = NULL;
	int64_t n;

	if (file_read_line(dir, name, &line) < 0 || number_parse_signed(line, &n) < 0)
		return -1;
	return n < 0 || n > INT32_MAX ? -1 : (int)n;
}

/* Reads the first CPU of the list in @name, or -1. */
static int read_first(int dir, const char *name)
{
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	_cleanup_(freep) char *line = NULL;

	if (file_read_line(dir, name, &line) < 0 || cpu_list_parse(line, &cpus) < 0 || !cpus.n)
		return -1;
	return (int)cpus.items[0];
}

static bool is_instruction_cache(int dir, const char *type_file)
{
	_cleanup_(freep) char *type = NULL;

	return file_read_line(dir, type_file, &type) >= 0 && !strcmp(type, "Instruction");
}

/* Reads cache/index0, index1, ... until one is missing. */
static void read_caches(int dir, struct cpu_place *place)
{
	for (unsigned i = 0;; i++) {
		_cleanup_(freep) char *level_file = xasprintf("cache/index%u/level", i);
		_cleanup_(freep) char *type_file = xasprintf("cache/index%u/type", i);
		_cleanup_(freep) char *list_file = xasprintf("cache/index%u/shared_cpu_list", i);
		int level = topology_read_number(dir, level_file);

		if (level < 0)
			return;
		if (level < TOPOLOGY_CACHES && !is_instruction_cache(dir, type_file))
			place->cache[level] = read_first(dir, list_file);
	}
}

/* Reads the node. A CPU's directory has a link "nodeN" on machines with NUMA. */
static int read_node(int dir)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };

	if (name_list_read(dir, ".", true, &names) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		uint64_t node;

		if (!strncmp(names.items[i], "node", 4) &&
		    number_parse(names.items[i] + 4, &node) == 0 && node <= INT32_MAX)
			return (int)node;
	}
	return -1;
}

static void topology_read_place(const char *system, struct cpu_place *place)
{
	_cleanup_(freep) char *path = xasprintf("%s/cpu/cpu%u", system, place->cpu);
	_cleanup_(closep) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	place->socket = place->die = place->cluster = place->core = place->node = -1;
	for (size_t i = 0; i < TOPOLOGY_CACHES; i++)
		place->cache[i] = -1;
	if (dir < 0)
		return;
	place->socket = topology_read_number(dir, "topology/physical_package_id");
	place->die = topology_read_number(dir, "topology/die_id");
	place->cluster = topology_read_number(dir, "topology/cluster_id");
	place->core = topology_read_number(dir, "topology/core_id");
	place->node = read_node(dir);
	read_caches(dir, place);
}

int topology_read(const char *system, struct topology *ret, struct diag *diag)
{
	_cleanup_(cpu_list_done) struct cpu_list online = { 0 };
	struct topology t = { 0 };
	int r = topology_online(system, &online, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < online.n; i++) {
		struct cpu_place *place = ARRAY_ADD(&t);

		place->cpu = online.items[i];
		topology_read_place(system, place);
	}
	*ret = t;
	return 0;
}
