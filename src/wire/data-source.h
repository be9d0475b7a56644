/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PERF_SAMPLE_DATA_SRC in words: "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A".
 */
#include <stdint.h>

struct text;

/* Appends the meaning of the bits of @data_src. */
void data_source_text(struct text *t, uint64_t data_src);

/* The bits of each part of it. */
#define DATA_SOURCE_LEVEL_SET 0x7ffe0ULL /* the level, as a set of bits */
#define DATA_SOURCE_LEVEL     (DATA_SOURCE_LEVEL_SET | 0x381e00000000ULL | 1ULL << 37)
#define DATA_SOURCE_SNOOP     (0xf80000ULL | 3ULL << 38)
#define DATA_SOURCE_LOCK      (3ULL << 24)
#define DATA_SOURCE_TLB       (0x7fULL << 26)
#define DATA_SOURCE_BLOCKED   (7ULL << 40)
#define DATA_SOURCE_HOPS      (7ULL << 43)

/* Append one part, without its name: "L1 hit", "None", "L1 or L2 hit", "No", " N/A". */
void data_source_level(struct text *t, uint64_t data_src);
void data_source_snoop(struct text *t, uint64_t data_src);
void data_source_lock(struct text *t, uint64_t data_src);
void data_source_tlb(struct text *t, uint64_t data_src);
void data_source_blocked(struct text *t, uint64_t data_src);
