/* SPDX-License-Identifier: MIT */
#include "event/memory-events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/pmu.h"

/* Adds an event, and takes ownership of @words. */
static void memory_events_add(struct memory_events *e, const char *tag, unsigned accesses,
			      char *words)
{
	*ARRAY_ADD(e) = (struct memory_event){ .tag = tag, .accesses = accesses, .words = words };
}

/*
 * Returns the event for loads. Since Sapphire Rapids, loads are sampled only together with an
 * auxiliary event that leads their group; the kernel lists it in sysfs (mem-loads-aux) if it is
 * needed.
 */
static char *intel_loads(const struct pmu *p, uint64_t latency)
{
	if (pmu_alias_find(p, "mem-loads-aux"))
		return xasprintf("{%s/mem-loads-aux/,%s/mem-loads,ldlat=%" PRIu64 "/}:P", p->name,
				 p->name, latency);
	/* POWER machines have the event, too, without such a term. */
	if (!pmu_format_find(p, "ldlat"))
		return xasprintf("%s/mem-loads/", p->name);
	return xasprintf("%s/mem-loads,ldlat=%" PRIu64 "/P", p->name, latency);
}

static void add_core(struct memory_events *e, const struct pmu *p, uint64_t latency)
{
	bool precise = pmu_format_find(p, "ldlat");

	if (pmu_alias_find(p, "mem-loads"))
		memory_events_add(e, "ldlat-loads", MEMORY_LOADS, intel_loads(p, latency));
	if (pmu_alias_find(p, "mem-stores"))
		memory_events_add(e, "ldlat-stores", MEMORY_STORES,
				  xasprintf("%s/mem-stores/%s", p->name, precise ? "P" : ""));
}

/*
 * Adds IBS. Without --ldlat all accesses are sampled: most processors cannot select them, and
 * selecting is slow.
 */
static void add_ibs(struct memory_events *e, const struct pmu *p, const uint64_t *latency)
{
	memory_events_add(e, "mem-ldst", MEMORY_ACCESSES,
			  pmu_format_find(p, "ldlat") ? xasprintf("%s/ldlat=%" PRIu64 "/", p->name,
								  latency ? *latency : 0)
						      : xasprintf("%s//", p->name));
}

static void add_spe(struct memory_events *e, const struct pmu *p, uint64_t latency)
{
	static const struct {
		const char *tag, *filter;
		unsigned accesses;
	} kinds[] = {
		{ "spe-load", "load_filter=1", MEMORY_LOADS },
		{ "spe-store", "store_filter=1", MEMORY_STORES },
		{ "spe-ldst", "load_filter=1,store_filter=1", MEMORY_ACCESSES },
	};
	_cleanup_(freep) char *least = xasprintf(",min_latency=%" PRIu64, latency);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		memory_events_add(e, kinds[i].tag, kinds[i].accesses,
				  xasprintf("%s/ts_enable=1,pa_enable=1,%s%s/", p->name,
					    kinds[i].filter,
					    kinds[i].accesses & MEMORY_LOADS ? least : ""));
		e->items[e->n - 1].has_aux = true;
	}
}

void memory_events_find(struct memory_events *e, struct pmu_list *pmus, const uint64_t *latency)
{
	uint64_t least = latency ? *latency : MEMORY_LATENCY_DEFAULT;
	const struct pmu *p;

	for (size_t at = 0; (p = pmu_list_next_core(pmus, &at));)
		add_core(e, p, least);
	p = pmu_list_find(pmus, "ibs_op");
	if (p)
		add_ibs(e, p, latency);
	p = pmu_list_find(pmus, "arm_spe_0");
	if (p)
		add_spe(e, p, least);
}

void memory_events_done(struct memory_events *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->items[i].words);
	free(e->items);
}

int memory_events_explain_none(struct diag *diag)
{
	diag_set(diag, -ENODEV, "failed: no PMU supports the memory events");
	diag_hint(diag, "Accesses to memory are sampled by Intel processors (mem-loads of the PMU "
			"cpu), AMD's (the PMU ibs_op) and Arm's with SPE (arm_spe_0); virtual "
			"machines seldom have them.");
	diag_hint(diag, "What works without: perf stat -e cache-misses counts misses where there "
			"are counters; perf record -e page-faults -d samples addresses that fault; "
			"perf mem report and perf c2c report read recordings of other machines.");
	return -ENODEV;
}

/* True if the event samples some of the wanted accesses, and no others. */
static bool memory_events_fits(const struct memory_event *m, unsigned accesses)
{
	return !(m->accesses & ~accesses);
}

static unsigned pick_exact(const struct memory_events *e, unsigned accesses, bool *picked)
{
	unsigned found = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (e->items[i].accesses != accesses)
			continue;
		picked[i] = true;
		found |= e->items[i].accesses;
	}
	return found;
}

int memory_events_pick(const struct memory_events *e, unsigned accesses, bool **ret,
		       struct diag *diag)
{
	_cleanup_(freep) bool *picked = xcalloc(e->n + 1, sizeof(*picked));
	unsigned found = pick_exact(e, accesses, picked);

	for (size_t i = 0; i < e->n && !found; i++)
		picked[i] = memory_events_fits(&e->items[i], accesses);
	for (size_t i = 0; i < e->n; i++)
		found |= picked[i] ? e->items[i].accesses : 0;
	/* AMD's hardware cannot sample loads alone. */
	for (size_t i = 0; i < e->n && !(found & accesses); i++) {
		picked[i] = e->items[i].accesses & accesses;
		found |= picked[i] ? e->items[i].accesses : 0;
	}
	if (!(found & accesses))
		return e->n ? diag_set(diag, -ENOENT, "no event of this machine samples %s",
				       accesses == MEMORY_LOADS ? "loads" : "stores")
			    : memory_events_explain_none(diag);
	*ret = TAKE(picked);
	return 0;
}

int memory_events_pick_named(const struct memory_events *e, const char *word, bool *picked,
			     struct diag *diag)
{
	_cleanup_(text_done) struct text tags = TEXT_EMPTY;
	bool found = false;

	for (size_t i = 0; i < e->n; i++) {
		if (!strcmp(e->items[i].tag, word) || (strstr(e->items[i].tag, word) && *word)) {
			picked[i] = true;
			found = true;
		}
		text_addf(&tags, "%s%s", i ? ", " : "", e->items[i].tag);
	}
	if (found)
		return 0;
	diag_set(diag, -ENOENT, "event '%s' not found", word);
	diag_hint(diag, "There are: %s. -e list lists them.", e->n ? tags.chars : "none");
	return -ENOENT;
}
