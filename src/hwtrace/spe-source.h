/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The source of an operation's data, in the form of PERF_SAMPLE_DATA_SRC. The meaning of a source
 * number depends on the CPU.
 */
#include <stdint.h>

struct spe_record;

/*
 * Returns the data source. @midr: the CPU's main id register, which identifies it; 0: not known.
 * Returns 0 if it is not a memory operation.
 */
uint64_t spe_data_source(const struct spe_record *r, uint64_t midr);
