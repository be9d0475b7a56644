/* SPDX-License-Identifier: MIT */
#include "hwtrace/spe-source.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "hwtrace/spe-packet.h"
#include "hwtrace/spe-record.h"

#define MIDR_IMPLEMENTER(midr) ((midr) >> 24 & 0xff)
#define MIDR_PART(midr)        ((midr) >> 4 & 0xfff)

#define IMPLEMENTER_ARM 0x41

#define SRC(a, v)          PERF_MEM_S(a, v)
#define HIT(level, number) (SRC(LVL, level) | SRC(LVL, HIT) | PERF_MEM_S(LVLNUM, number))

/* True for cores that use the numbers of the Neoverse family. */
static bool is_neoverse(uint64_t midr)
{
	static const uint16_t parts[] = { 0xd0c /* N1 */, 0xd40 /* V1 */, 0xd49 /* N2 */ };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (MIDR_IMPLEMENTER(midr) == IMPLEMENTER_ARM && MIDR_PART(midr) == parts[i])
			return true;
	return false;
}

static uint64_t neoverse_source(const struct spe_record *r)
{
	/* The source of stores is not recorded. */
	if (r->op & SPE_STORE)
		return SRC(LVL, NA) | PERF_MEM_S(LVLNUM, NA) | SRC(SNOOP, NA);
	switch (r->source) {
	case 0x0: /* L1 */
		return HIT(L1, L1) | SRC(SNOOP, NONE);
	case 0x8: /* L2 */
		return HIT(L2, L2) | SRC(SNOOP, NONE);
	case 0x9: /* another core of the cluster */
		return HIT(L2, L2) | PERF_MEM_S(SNOOPX, PEER);
	case 0xa: /* the cluster's cache */
	case 0xc: /* another cluster */
		return HIT(L3, L3) | PERF_MEM_S(SNOOPX, PEER);
	case 0xb: /* the system's cache */
		return HIT(L3, L3) | SRC(SNOOP, HIT);
	case 0xd: /* another socket */
		return SRC(LVL, NA) | PERF_MEM_S(LVLNUM, NA) | PERF_MEM_S(REMOTE, REMOTE) |
		       PERF_MEM_S(SNOOPX, PEER);
	case 0xe: /* memory */
		return HIT(LOC_RAM, RAM) | SRC(SNOOP, NONE);
	default:
		return 0;
	}
}

/* Returns the source from the events that every SPE has. */
static uint64_t common_source(const struct spe_record *r)
{
	uint64_t v = 0;

	if (r->events & (SPE_EVENT_LLC_ACCESS | SPE_EVENT_LLC_MISS))
		v |= SRC(LVL, L3) |
		     (r->events & SPE_EVENT_LLC_MISS ? SRC(LVL, MISS) : SRC(LVL, HIT));
	else if (r->events & (SPE_EVENT_L1D_ACCESS | SPE_EVENT_L1D_MISS))
		v |= SRC(LVL, L1) |
		     (r->events & SPE_EVENT_L1D_MISS ? SRC(LVL, MISS) : SRC(LVL, HIT));
	if (r->events & SPE_EVENT_REMOTE)
		v |= PERF_MEM_S(REMOTE, REMOTE);
	return v;
}

static uint64_t tlb_source(const struct spe_record *r)
{
	if (!(r->events & (SPE_EVENT_TLB_ACCESS | SPE_EVENT_TLB_WALK)))
		return 0;
	return SRC(TLB, WK) | (r->events & SPE_EVENT_TLB_WALK ? SRC(TLB, MISS) : SRC(TLB, HIT));
}

uint64_t spe_data_source(const struct spe_record *r, uint64_t midr)
{
	if (r->op == SPE_NO_OP)
		return 0;
	return (r->op & SPE_LOAD ? SRC(OP, LOAD) : SRC(OP, STORE)) |
	       (is_neoverse(midr) ? neoverse_source(r) : common_source(r)) | tlb_source(r);
}
