/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events that sample accesses to memory, as words for `perf record -e`: of Intel's load latency
 * facility, AMD's instruction based sampling and Arm's statistical profiling extension. Which there
 * are, sysfs tells.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct pmu_list;

enum memory_access {
	MEMORY_LOADS = 1 << 0,
	MEMORY_STORES = 1 << 1,
};
#define MEMORY_ACCESSES (MEMORY_LOADS | MEMORY_STORES)

/* Faster loads are not worth a sample. */
#define MEMORY_LATENCY_DEFAULT 30

struct memory_event {
	const char *tag;   /* what -e takes: "ldlat-loads" */
	unsigned accesses; /* MEMORY_x that it samples */
	char *words;       /* "cpu/mem-loads,ldlat=30/P" */
	bool has_aux;      /* it fills an AUX area, one such event at a time */
};

/* In the order of their PMUs; `{ 0 }` are none. */
struct memory_events {
	struct memory_event *items;
	size_t n, room;
};

/*
 * Adds all that @pmus have. Loads that take less than @latency cycles are left out where the
 * hardware can do that; NULL: the usual choice.
 */
void memory_events_find(struct memory_events *e, struct pmu_list *pmus, const uint64_t *latency);
void memory_events_done(struct memory_events *e);

/*
 * Picks those for @accesses: one event that does all of it goes before several. *@ret has a flag
 * for each event, which the caller frees. -ENOENT with @diag: none does it.
 */
int memory_events_pick(const struct memory_events *e, unsigned accesses, bool **ret,
		       struct diag *diag);

/* Adds to @picked those whose tag contains @word. -ENOENT with @diag: there is none. */
int memory_events_pick_named(const struct memory_events *e, const char *word, bool *picked,
			     struct diag *diag);

/* Says in @diag which hardware is missing; -ENODEV. */
int memory_events_explain_none(struct diag *diag);
