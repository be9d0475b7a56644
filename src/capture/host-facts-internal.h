/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of host_facts(); capture/host-facts.h is the contract. Each takes the prefix of /proc
 * and /sys.
 */
struct features;

/* host-facts-topology.c: NRCPUS, CPU_TOPOLOGY, CACHE */
void host_facts_cpus(const char *root, struct features *f);

/* host-facts-memory.c: TOTAL_MEM, NUMA_TOPOLOGY, MEM_TOPOLOGY */
void host_facts_memory(const char *root, struct features *f);

/* host-facts-pmu.c: PMU_MAPPINGS, CPU_PMU_CAPS, PMU_CAPS, HYBRID_TOPOLOGY */
void host_facts_pmus(const char *root, struct features *f);
