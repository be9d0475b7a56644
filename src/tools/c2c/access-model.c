/* SPDX-License-Identifier: MIT */
#include "tools/c2c/access-model.h"

#include <stddef.h>

/* Fields of the word: union perf_mem_data_src of the kernel's uapi/linux/perf_event.h. */
enum {
	OP_LOAD = 1 << 1,
	OP_STORE = 1 << 2,
	LVL_NA = 1 << 0,
	LVL_HIT = 1 << 1,
	LVL_MISS = 1 << 2,
	LVL_L1 = 1 << 3,
	LVL_FB = 1 << 4,
	LVL_L2 = 1 << 5,
	LVL_L3 = 1 << 6,
	LVL_LOCAL_RAM = 1 << 7,
	LVL_REMOTE_RAM = 1 << 8 | 1 << 9,
	LVL_REMOTE_CACHE = 1 << 10 | 1 << 11,
	LVL_IO = 1 << 12,
	LVL_UNCACHED = 1 << 13,
	SNOOP_HIT = 1 << 2,
	SNOOP_HITM = 1 << 4,
	SNOOPX_PEER = 1 << 1,
	LOCK_LOCKED = 1 << 1,
	BLK_DATA = 1 << 1,
	BLK_ADDR = 1 << 2,
};

struct c2c_access_source {
	unsigned op, level, snoop, snoopx, lock, blocked;
	bool remote;
};

static struct c2c_access_source c2c_access_unpack(uint64_t v)
{
	return (struct c2c_access_source){
		.op = v & 0x1f,
		.level = v >> 5 & 0x3fff,
		.snoop = v >> 19 & 0x1f,
		.lock = v >> 24 & 3,
		/* With a number of hops it may still be the same node; the level decides. */
		.remote = (v >> 37 & 1) && !(v >> 43 & 7),
		.snoopx = v >> 38 & 3,
		.blocked = v >> 40 & 7,
	};
}

#define IF(condition, counter) ((condition) ? C2C_BIT(counter) : 0)

static uint32_t shared_or_not(const struct c2c_access_source *s)
{
	return C2C_BIT(s->snoop & SNOOP_HIT ? C2C_LOAD_SHARED : C2C_LOAD_EXCLUSIVE);
}

/* Returns the counters of a load that found the data. */
static uint32_t load_hit(const struct c2c_access_source *s)
{
	bool peer = s->snoopx & SNOOPX_PEER;
	uint32_t c = IF(s->level & LVL_UNCACHED, C2C_LOAD_UNCACHED) |
		     IF(s->level & LVL_IO, C2C_LOAD_IO) | IF(s->level & LVL_FB, C2C_LOAD_FB) |
		     IF(s->level & LVL_L1, C2C_LOAD_L1) | IF(s->level & LVL_L2, C2C_LOAD_L2) |
		     IF(peer && s->level & (LVL_L2 | LVL_L3), C2C_LOCAL_PEER);

	if (s->level & LVL_L3)
		c |= C2C_BIT(s->snoop & SNOOP_HITM ? C2C_LOCAL_HITM : C2C_LOAD_LLC);
	if (s->level & LVL_LOCAL_RAM)
		c |= C2C_BIT(C2C_LOCAL_DRAM) | shared_or_not(s);
	if (s->level & LVL_REMOTE_RAM || s->remote)
		c |= C2C_BIT(C2C_REMOTE_DRAM) | shared_or_not(s);
	return c;
}

static uint32_t c2c_access_load(const struct c2c_access_source *s)
{
	uint32_t c = s->level & LVL_HIT ? load_hit(s) : 0;

	if (s->level & LVL_REMOTE_CACHE || s->remote) {
		if (s->snoop & SNOOP_HIT)
			c |= C2C_BIT(C2C_REMOTE_HIT);
		else if (s->snoop & SNOOP_HITM)
			c |= C2C_BIT(C2C_REMOTE_HITM);
		else if (s->snoopx & SNOOPX_PEER)
			c |= C2C_BIT(C2C_REMOTE_HIT) | C2C_BIT(C2C_REMOTE_PEER);
	}
	return c | IF(s->level & LVL_MISS, C2C_LOAD_MISS);
}

static uint32_t c2c_access_store(const struct c2c_access_source *s)
{
	bool hit = s->level & LVL_HIT, miss = s->level & LVL_MISS, l1 = s->level & LVL_L1;

	return IF(hit && s->level & LVL_UNCACHED, C2C_STORE_UNCACHED) |
	       IF(hit && l1, C2C_STORE_L1_HIT) | IF(miss && l1, C2C_STORE_L1_MISS) |
	       IF(s->level & LVL_NA, C2C_STORE_NA);
}

uint32_t c2c_access(uint64_t data_src, uint64_t addr, bool mapped)
{
	const struct c2c_access_source s = c2c_access_unpack(data_src);
	uint32_t c = C2C_BIT(C2C_RECORDS) | IF(s.lock & LOCK_LOCKED, C2C_LOCKED) |
		     IF(s.blocked & BLK_DATA, C2C_BLOCKED_DATA) |
		     IF(s.blocked & BLK_ADDR, C2C_BLOCKED_ADDR);

	if (s.op & OP_LOAD) {
		c |= C2C_BIT(C2C_LOADS);
		if (!addr)
			return c | C2C_BIT(C2C_LOAD_NO_ADDR);
		c |= c2c_access_load(&s);
	} else if (s.op & OP_STORE) {
		c |= C2C_BIT(C2C_STORES);
		if (!addr)
			return c | C2C_BIT(C2C_STORE_NO_ADDR);
		c |= c2c_access_store(&s);
	} else {
		return c | C2C_BIT(C2C_NO_PARSE);
	}
	return c | IF(!mapped, C2C_NO_MAP);
}

unsigned c2c_local_peers(uint32_t counters)
{
	const uint32_t l3 = C2C_BIT(C2C_LOAD_LLC) | C2C_BIT(C2C_LOCAL_HITM);

	if (!(counters & C2C_BIT(C2C_LOCAL_PEER)))
		return 0;
	return counters & C2C_BIT(C2C_LOAD_L2) && counters & l3 ? 2 : 1;
}

void c2c_stats_count(struct c2c_stats *s, uint32_t counters)
{
	const uint32_t both = C2C_BIT(C2C_LOCAL_DRAM) | C2C_BIT(C2C_REMOTE_DRAM);

	/* The access counts for both kinds of DRAM, and so does its state. */
	if ((counters & both) == both)
		s->n[counters & C2C_BIT(C2C_LOAD_SHARED) ? C2C_LOAD_SHARED : C2C_LOAD_EXCLUSIVE]++;
	if (c2c_local_peers(counters) > 1)
		s->n[C2C_LOCAL_PEER]++;
	for (; counters; counters &= counters - 1)
		s->n[__builtin_ctz(counters)]++;
}

void c2c_stats_add(struct c2c_stats *s, const struct c2c_stats *more)
{
	for (size_t i = 0; i < C2C_COUNTERS; i++)
		s->n[i] += more->n[i];
}

uint64_t c2c_llc_misses(const struct c2c_stats *s)
{
	return (uint64_t)s->n[C2C_LOCAL_DRAM] + s->n[C2C_REMOTE_DRAM] + s->n[C2C_REMOTE_HIT] +
	       s->n[C2C_REMOTE_HITM];
}

uint64_t c2c_total_loads(const struct c2c_stats *s)
{
	return c2c_llc_misses(s) + s->n[C2C_LOAD_FB] + s->n[C2C_LOAD_L1] + s->n[C2C_LOAD_L2] +
	       s->n[C2C_LOAD_LLC] + s->n[C2C_LOCAL_HITM];
}

uint64_t c2c_total_records(const struct c2c_stats *s)
{
	return c2c_total_loads(s) + s->n[C2C_STORE_L1_HIT] + s->n[C2C_STORE_L1_MISS] +
	       s->n[C2C_STORE_NA];
}
