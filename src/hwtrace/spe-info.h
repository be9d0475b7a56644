/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The words of AUXTRACE_INFO for Arm SPE.
 *
 * At first there were two: the type of the PMU, and whether there was a ring for each CPU. Since
 * perf 6.13 they begin with the version 2 (no SPE PMU has that type), the size of the head, the
 * type of the PMU and the number of CPUs; then there are some words for each CPU.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/sample.h"

/* The words of each CPU: three words, and as many parameters as the third gives. */
enum spe_cpu_word {
	SPE_CPU_MAGIC,
	SPE_CPU_NUMBER,
	SPE_CPU_N_PARAMETERS,
	SPE_CPU_MIDR,
	SPE_CPU_PMU_TYPE,
	SPE_CPU_MIN_INTERVAL,
	SPE_CPU_EVENT_FILTER,
	SPE_CPU_WORDS,
};

struct spe_info {
	bool has_cpus; /* version 2 */
	uint64_t pmu_type;
	size_t first_cpu; /* index of the words of the first CPU */
};

/* Reads the head. -EBADMSG: there are too few words. */
int spe_info_read(const struct words *words, struct spe_info *ret);

/*
 * Finds the words of the CPU at *@at, at first spe_info.first_cpu, and moves *@at to the next.
 * Missing words are 0; *@ret_n are present. False: there are no more CPUs.
 */
bool spe_info_next_cpu(const struct words *words, size_t *at, uint64_t ret[SPE_CPU_WORDS],
		       size_t *ret_n);
