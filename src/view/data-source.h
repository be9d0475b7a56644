/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PERF_SAMPLE_DATA_SRC in words: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A".
 */
#include <stdint.h>

struct text;

/* Appends what the bits of @data_src say. */
void data_source_text(struct text *t, uint64_t data_src);
