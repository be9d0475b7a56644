/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Events that sample memory accesses, as words for `perf record -e`: those of Intel's load latency
 * facility, AMD's instruction based sampling and Arm's statistical profiling extension. sysfs shows
 * which of them exist.
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
	const char *tag;   /* the text for -e: "ldlat-loads" */
	unsigned accesses; /* MEMORY_x that it samples */
	char *words;       /* "cpu/mem-loads,ldlat=30/P" */
	bool has_aux;      /* fills an AUX area; only one such event at a time */
};

/* The events in the order of their PMUs; `{ 0 }` is empty. */
struct memory_events {
	struct memory_event *items;
	size_t n, room;
};

/*
 * Adds all events of @pmus. Loads that take less than @latency cycles are left out if the hardware
 * can do that; NULL: the default.
 */
void memory_events_find(struct memory_events *e, struct pmu_list *pmus, const uint64_t *latency);
void memory_events_done(struct memory_events *e);

/*
 * Selects the events for @accesses: one event that samples all of them is preferred to several.
 * *@ret has a flag for each event, which the caller frees. -ENOENT with @diag: there is none.
 */
int memory_events_pick(const struct memory_events *e, unsigned accesses, bool **ret,
		       struct diag *diag);

/* Adds the events whose tag contains @word to @picked. -ENOENT with @diag: there is none. */
int memory_events_pick_named(const struct memory_events *e, const char *word, bool *picked,
			     struct diag *diag);

/* Reports in @diag which hardware is missing; returns -ENODEV. */
int memory_events_explain_none(struct diag *diag);
