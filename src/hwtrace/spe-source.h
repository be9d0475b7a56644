/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the data of an operation came from, as PERF_SAMPLE_DATA_SRC says it. Which source a number
 * is depends on the CPU.
 */
#include <stdint.h>

struct spe_record;

/* @midr: the CPU's main id register, by which it is known; 0: not known. 0: no memory operation. */
uint64_t spe_data_source(const struct spe_record *r, uint64_t midr);
