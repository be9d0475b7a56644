/* SPDX-License-Identifier: MIT */
#pragma once
/* The CPUs and nodes of the machine, and those of each task of the benchmark of memory. */
#include <stddef.h>

struct diag;

/* The maximum number of tasks. */
#define BENCH_NUMA_TASKS_MAX 65536

struct bench_numa_places {
	int cpus, nodes;
	int *node_of;                /* the node of each CPU */
	int *task_cpus, *task_nodes; /* of the first tasks; the others are not bound */
	size_t n_task_cpus, n_task_nodes;
};

/*
 * Finds the places of the machine, and those of tasks: @cpus and @nodes are lists of numbers, or
 * NULL. -EINVAL with @diag: they are not; -ENOSYS with *@ret_why: this machine has fewer CPUs or
 * nodes. bench_numa_places_done() is called in any case.
 */
int bench_numa_places_find(struct bench_numa_places *l, const char *cpus, const char *nodes,
			   char **ret_why, struct diag *diag);
void bench_numa_places_done(struct bench_numa_places *l);

/*
 * Parses numbers for tasks, one after the other: "0,2", "0-3", "1x4" (1 four times). -EINVAL: it is
 * no list, or too long. The caller frees *@ret.
 */
int bench_numa_list_parse(const char *s, int **ret, size_t *ret_n);

/* Binds this thread to @cpu; -1: to none. */
void bench_numa_bind_to_cpu(int cpu);

/* Binds new pages of this thread to @node alone. */
int bench_numa_bind_to_node(int node);
