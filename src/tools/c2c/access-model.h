/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts accesses to memory: one counter for each kind that PERF_SAMPLE_DATA_SRC distinguishes, as
 * in Linux's `perf c2c`.
 */
#include <stdbool.h>
#include <stdint.h>

enum c2c_counter {
	C2C_RECORDS,
	C2C_LOCKED,
	C2C_LOADS,
	C2C_LOAD_UNCACHED,
	C2C_LOAD_IO,
	C2C_LOAD_MISS,
	C2C_LOAD_NO_ADDR,
	C2C_LOAD_FB,
	C2C_LOAD_L1,
	C2C_LOAD_L2,
	C2C_LOAD_LLC, /* hits of the last cache that are not HITM */
	C2C_LOCAL_HITM,
	C2C_REMOTE_HITM,
	C2C_REMOTE_HIT,
	C2C_LOCAL_DRAM,
	C2C_REMOTE_DRAM,
	C2C_LOAD_EXCLUSIVE,
	C2C_LOAD_SHARED,
	C2C_BLOCKED_DATA,
	C2C_BLOCKED_ADDR,
	C2C_LOCAL_PEER,
	C2C_REMOTE_PEER,
	C2C_STORES,
	C2C_STORE_UNCACHED,
	C2C_STORE_NO_ADDR,
	C2C_STORE_L1_HIT,
	C2C_STORE_L1_MISS,
	C2C_STORE_NA,
	C2C_NO_MAP,
	C2C_NO_PARSE,
};
#define C2C_COUNTERS (C2C_NO_PARSE + 1)

struct c2c_stats {
	uint32_t n[C2C_COUNTERS];
};

#define C2C_BIT(counter) (1U << (counter))

/*
 * Returns the counters, as C2C_BIT(), to which an access to @addr with the source @data_src adds 1.
 * @mapped: a map is known at the address and at the instruction.
 */
uint32_t c2c_access(uint64_t data_src, uint64_t addr, bool mapped);

/*
 * Returns how often @counters count for C2C_LOCAL_PEER: once for each cache that hit with the help
 * of a peer.
 */
unsigned c2c_local_peers(uint32_t counters);

void c2c_stats_count(struct c2c_stats *s, uint32_t counters);
void c2c_stats_add(struct c2c_stats *s, const struct c2c_stats *more);

/* Return sums that are often needed. */
uint64_t c2c_llc_misses(const struct c2c_stats *s);
uint64_t c2c_total_loads(const struct c2c_stats *s);
uint64_t c2c_total_records(const struct c2c_stats *s);
