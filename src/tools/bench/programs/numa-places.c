/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/numa-places.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"

#define NODES_MAX 1024
#define CPUS_MAX  65536

void bench_numa_places_done(struct bench_numa_places *l)
{
	free(l->node_of);
	free(l->task_cpus);
	free(l->task_nodes);
}

static int bench_numa_places_add_numbers(const char *item, int **items, size_t *n, size_t *room)
{
	unsigned first, last, times = 1;
	int used = 0;

	if (sscanf(item, "%u-%u%n", &first, &last, &used) < 2 || !used) {
		used = 0;
		if (sscanf(item, "%u%n", &first, &used) != 1)
			return -EINVAL;
		last = first;
	}
	item += used;
	used = 0;
	if (*item == 'x' && (sscanf(item, "x%u%n", &times, &used) != 1 || item[used]))
		return -EINVAL;
	if (*item != 'x' && *item)
		return -EINVAL;
	if (last < first || last >= CPUS_MAX || times > BENCH_NUMA_TASKS_MAX)
		return -EINVAL;
	for (unsigned k = 0; k < times; k++)
		for (unsigned i = first; i <= last; i++) {
			if (*n >= BENCH_NUMA_TASKS_MAX)
				return -EINVAL;
			*items = array_reserve(*items, room, *n + 1, sizeof(**items));
			(*items)[(*n)++] = (int)i;
		}
	return 0;
}

int bench_numa_list_parse(const char *s, int **ret, size_t *ret_n)
{
	_cleanup_(freep) char *copy = xstrdup(s);
	char *rest = copy, *item;
	size_t n = 0, room = 0;
	int *items = NULL, r = *s ? 0 : -EINVAL;

	while (r >= 0 && (item = strsep(&rest, ",")))
		r = bench_numa_places_add_numbers(item, &items, &n, &room);
	if (r < 0) {
		free(items);
		return r;
	}
	*ret = items;
	*ret_n = n;
	return 0;
}

/* Finds the nodes. Without files for nodes, there is one node with all CPUs. */
static void bench_numa_places_find_nodes(struct bench_numa_places *l)
{
	l->node_of = xcalloc((size_t)l->cpus, sizeof(*l->node_of));
	l->nodes = 0;
	for (int node = 0; node < NODES_MAX; node++) {
		_cleanup_(freep) char *path = xasprintf("/sys/devices/system/node/node%d/cpulist",
							node);
		_cleanup_(freep) char *line = NULL;
		struct cpu_list cpus = { 0 };

		if (file_read_line(AT_FDCWD, path, &line) < 0 || cpu_list_parse(line, &cpus) < 0)
			continue;
		l->nodes = node + 1;
		for (size_t i = 0; i < cpus.n; i++)
			if (cpus.items[i] < (unsigned)l->cpus)
				l->node_of[cpus.items[i]] = node;
		cpu_list_done(&cpus);
	}
	if (!l->nodes)
		l->nodes = 1;
}

static int bench_numa_places_parse(const char *option, const char *text, int **ret, size_t *n,
				   struct diag *diag)
{
	if (text && bench_numa_list_parse(text, ret, n) < 0) {
		diag_mark(diag, -EINVAL, text, 0, strlen(text),
			  "--%s is a list of numbers, one for each task", option);
		diag_hint(diag, "As in 0,2 or 0-3, or 1x4 for four times 1.");
		return -EINVAL;
	}
	return 0;
}

static bool bench_numa_places_exceed(const int *items, size_t n, int limit)
{
	for (size_t i = 0; i < n; i++)
		if (items[i] >= limit)
			return true;
	return false;
}

int bench_numa_places_find(struct bench_numa_places *l, const char *cpus, const char *nodes,
			   char **ret_why, struct diag *diag)
{
	int r;

	l->cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	bench_numa_places_find_nodes(l);
	r = bench_numa_places_parse("cpus", cpus, &l->task_cpus, &l->n_task_cpus, diag);
	if (r >= 0)
		r = bench_numa_places_parse("memnodes", nodes, &l->task_nodes, &l->n_task_nodes,
					    diag);
	if (r < 0)
		return r;
	if (bench_numa_places_exceed(l->task_cpus, l->n_task_cpus, l->cpus))
		*ret_why = xasprintf("system has only %d CPUs.", l->cpus);
	else if (bench_numa_places_exceed(l->task_nodes, l->n_task_nodes, l->nodes))
		*ret_why = xasprintf("system has only %d nodes.", l->nodes);
	return *ret_why ? -ENOSYS : 0;
}

void bench_numa_bind_to_cpu(int cpu)
{
	size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *set = xcalloc(1, size);

	if (cpu >= 0)
		CPU_SET_S((size_t)cpu, size, set);
	else
		memset(set, 0xff, size);
	sched_setaffinity(0, size, set);
	free(set);
}

int bench_numa_bind_to_node(int node)
{
	unsigned long mask[NODES_MAX / (8 * sizeof(unsigned long))] = { 0 };
	size_t bits = 8 * sizeof(mask[0]);

	mask[(size_t)node / bits] |= 1UL << (size_t)node % bits;
	return syscall(SYS_set_mempolicy, MPOL_BIND, mask, NODES_MAX) < 0 ? -errno : 0;
}
