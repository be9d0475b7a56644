/* SPDX-License-Identifier: MIT */
#include "profile/memory-classes.h"

#define CLASS_BITS 3

/* Fields of the word: union perf_mem_data_src of the kernel's uapi/linux/perf_event.h. */
enum {
	OP_LOAD = 1 << 1,
	OP_STORE = 1 << 2,
	OP_PREFETCH = 1 << 3,
	OP_EXEC = 1 << 4,
	SNOOP_HIT = 1 << 2,
	SNOOP_MISS = 1 << 3,
	SNOOP_HITM = 1 << 4,
	TLB_HIT = 1 << 1,
	TLB_MISS = 1 << 2,
	TLB_L1 = 1 << 3,
	TLB_L2 = 1 << 4,
};

enum {
	OP_IS_LOAD,
	OP_IS_STORE,
	OP_IS_BOTH,
	OP_IS_PREFETCH,
	OP_IS_EXEC,
	OP_IS_OTHER
};
enum {
	CACHE_L1,
	CACHE_L2,
	CACHE_L3,
	CACHE_L4,
	CACHE_L1_BUFFER,
	CACHE_L2_BUFFER,
	CACHE_OTHER
};
enum {
	MEM_RAM,
	MEM_MSC,
	MEM_UNCACHED,
	MEM_CXL,
	MEM_IO,
	MEM_PMEM,
	MEM_OTHER
};
enum {
	SNOOP_IS_HIT,
	SNOOP_IS_HITM,
	SNOOP_IS_MISS,
	SNOOP_IS_OTHER
};
enum {
	DTLB_L1_HIT,
	DTLB_L2_HIT,
	DTLB_ANY_HIT,
	DTLB_IS_MISS,
	DTLB_OTHER
};

static const struct memory_class classes[N_MEMORY_BREAKDOWNS][MEMORY_CLASSES_MAX] = {
	[MEMORY_BY_OP] = {
		[OP_IS_LOAD] = { "Load", "op_load" },
		[OP_IS_STORE] = { "Store", "op_store" },
		[OP_IS_BOTH] = { "Ld+St", "op_load_store" },
		[OP_IS_PREFETCH] = { "Pfetch", "op_prefetch" },
		[OP_IS_EXEC] = { "Exec", "op_exec" },
		[OP_IS_OTHER] = { "Other", "op_other" },
	},
	[MEMORY_BY_CACHE] = {
		[CACHE_L1] = { "L1", "cache_l1" },
		[CACHE_L2] = { "L2", "cache_l2" },
		[CACHE_L3] = { "L3", "cache_l3" },
		[CACHE_L4] = { "L4", "cache_l4" },
		[CACHE_L1_BUFFER] = { "L1-buf", "cache_l1_buffer" },
		[CACHE_L2_BUFFER] = { "L2-buf", "cache_l2_buffer" },
		[CACHE_OTHER] = { "Other", "cache_other" },
	},
	[MEMORY_BY_MEMORY] = {
		[MEM_RAM] = { "RAM", "memory_ram" },
		[MEM_MSC] = { "MSC", "memory_msc" },
		[MEM_UNCACHED] = { "Uncach", "memory_uncached" },
		[MEM_CXL] = { "CXL", "memory_cxl" },
		[MEM_IO] = { "IO", "memory_io" },
		[MEM_PMEM] = { "PMEM", "memory_pmem" },
		[MEM_OTHER] = { "Other", "memory_other" },
	},
	[MEMORY_BY_SNOOP] = {
		[SNOOP_IS_HIT] = { "Hit", "snoop_hit" },
		[SNOOP_IS_HITM] = { "HitM", "snoop_hitm" },
		[SNOOP_IS_MISS] = { "Miss", "snoop_miss" },
		[SNOOP_IS_OTHER] = { "Other", "snoop_other" },
	},
	[MEMORY_BY_DTLB] = {
		[DTLB_L1_HIT] = { "L1-Hit", "dtlb_l1_hit" },
		[DTLB_L2_HIT] = { "L2-Hit", "dtlb_l2_hit" },
		[DTLB_ANY_HIT] = { "L?-Hit", "dtlb_any_hit" },
		[DTLB_IS_MISS] = { "Miss", "dtlb_miss" },
		[DTLB_OTHER] = { "Other", "dtlb_other" },
	},
};

const struct memory_class *memory_classes(enum memory_breakdown b)
{
	return classes[b];
}

static unsigned op_class(unsigned op)
{
	if (op & OP_PREFETCH)
		return OP_IS_PREFETCH;
	if (op & OP_EXEC)
		return OP_IS_EXEC;
	switch (op) {
	case OP_LOAD:
		return OP_IS_LOAD;
	case OP_STORE:
		return OP_IS_STORE;
	case OP_LOAD | OP_STORE:
		return OP_IS_BOTH;
	default:
		return OP_IS_OTHER;
	}
}

/* Returns the class of a cache level, which is a mem_lvl_num. */
static unsigned cache_class(unsigned level)
{
	switch (level) {
	case 1:
		return CACHE_L1;
	case 2:
		return CACHE_L2;
	case 3:
		return CACHE_L3;
	case 4:
		return CACHE_L4;
	case 5:
		return CACHE_L2_BUFFER;
	case 12:
		return CACHE_L1_BUFFER;
	default:
		return CACHE_OTHER;
	}
}

static unsigned mem_class(unsigned level)
{
	switch (level) {
	case 6:
		return MEM_MSC;
	case 8:
		return MEM_UNCACHED;
	case 9:
		return MEM_CXL;
	case 10:
		return MEM_IO;
	case 13:
		return MEM_RAM;
	case 14:
		return MEM_PMEM;
	default:
		return MEM_OTHER;
	}
}

static unsigned snoop_class(unsigned snoop)
{
	switch (snoop) {
	case SNOOP_HIT:
		return SNOOP_IS_HIT;
	case SNOOP_HITM:
		return SNOOP_IS_HITM;
	case SNOOP_MISS:
		return SNOOP_IS_MISS;
	default:
		return SNOOP_IS_OTHER;
	}
}

static unsigned dtlb_class(unsigned tlb)
{
	if (tlb & TLB_MISS)
		return DTLB_IS_MISS;
	switch (tlb) {
	case TLB_HIT | TLB_L1:
		return DTLB_L1_HIT;
	case TLB_HIT | TLB_L2:
		return DTLB_L2_HIT;
	case TLB_HIT | TLB_L1 | TLB_L2:
		return DTLB_ANY_HIT;
	default:
		return DTLB_OTHER;
	}
}

uint32_t memory_classes_of(uint64_t v)
{
	unsigned level = v >> 33 & 0xf;

	return op_class(v & 0x1f) << MEMORY_BY_OP * CLASS_BITS |
	       cache_class(level) << MEMORY_BY_CACHE * CLASS_BITS |
	       mem_class(level) << MEMORY_BY_MEMORY * CLASS_BITS |
	       snoop_class(v >> 19 & 0x1f) << MEMORY_BY_SNOOP * CLASS_BITS |
	       dtlb_class(v >> 26 & 0x7f) << MEMORY_BY_DTLB * CLASS_BITS;
}

unsigned memory_class_in(uint32_t all, enum memory_breakdown b)
{
	return all >> b * CLASS_BITS & ((1 << CLASS_BITS) - 1);
}
