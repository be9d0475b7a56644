/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "capture/recorded-event.h"
#include "capture/synth-internal.h"
#include "capture/task-list.h"

#define ID_INDEX_WORDS 4
#define COMM_SIZE      16

/* The numbers of entries that fit into one record; 2,000 threads on 64 CPUs take many records. */
#define ID_INDEX_MAX   ((UINT16_MAX - 16) / (ID_INDEX_WORDS * 8))
#define THREAD_MAP_MAX ((UINT16_MAX - 16) / (8 + COMM_SIZE))

enum {
	CPU_MAP_LIST = 0,
	CPU_MAP_RANGE = 2,
};

static void id_index_part(const struct synth_plan *p, const struct synth_id *ids, size_t n,
			  struct bytes *out)
{
	_cleanup_(freep) uint64_t *words = xcalloc(n, ID_INDEX_WORDS * sizeof(*words));
	const struct record r = {
		.header.type = PERF_RECORD_ID_INDEX,
		.id_index.entries = { .bytes = (uint8_t *)words, .n = ID_INDEX_WORDS * n },
	};

	for (size_t i = 0; i < n; i++) {
		uint64_t *w = words + ID_INDEX_WORDS * i;

		w[0] = ids[i].id;
		w[1] = ids[i].ring;
		w[2] = (uint64_t)ids[i].cpu;
		w[3] = (uint64_t)ids[i].tid;
	}
	synth_add(p, &r, out);
}

void synth_id_index(const struct synth_plan *p, struct bytes *out)
{
	for (size_t i = 0; i < p->n_ids; i += ID_INDEX_MAX) {
		size_t left = p->n_ids - i;

		id_index_part(p, p->ids + i, left < ID_INDEX_MAX ? left : ID_INDEX_MAX, out);
	}
}

static uint8_t *cpu_map_of(const struct synth_plan *p, const struct cpu_list *cpus,
			   struct record_cpu_map *ret)
{
	const unsigned *c = cpus->items;

	if (!p->counts && cpus->n && c[cpus->n - 1] - c[0] + 1 == cpus->n) {
		*ret = (struct record_cpu_map){
			.kind = CPU_MAP_RANGE,
			.first = (uint16_t)c[0],
			.last = (uint16_t)c[cpus->n - 1],
		};
		return NULL;
	}

	uint16_t *items = xcalloc(cpus->n + 1, sizeof(*items));
	for (size_t i = 0; i < cpus->n; i++)
		items[i] = (uint16_t)c[i];
	*ret = (struct record_cpu_map){
		.kind = CPU_MAP_LIST,
		.n = (uint16_t)cpus->n,
		.items = (uint8_t *)items,
	};
	return (uint8_t *)items;
}

void synth_cpu_map(const struct synth_plan *p, struct bytes *out)
{
	static const uint16_t any = UINT16_MAX;
	struct record r = { .header.type = PERF_RECORD_CPU_MAP };
	_cleanup_(freep) uint8_t *items = NULL;

	if (p->cpus)
		items = cpu_map_of(p, p->cpus, &r.cpu_map);
	else
		r.cpu_map = (struct record_cpu_map){
			.kind = CPU_MAP_LIST,
			.n = 1,
			.items = (const uint8_t *)&any,
		};
	synth_add(p, &r, out);
}

static void event_update(const struct synth_plan *p, const struct recorded_event *e,
			 struct bytes *out)
{
	struct record r = {
		.header.type = PERF_RECORD_EVENT_UPDATE,
		.event_update.id = e->n_ids ? e->ids[0] : 0,
	};
	struct record_event_update *u = &r.event_update;
	bool has_unit = e->unit && *e->unit;
	_cleanup_(freep) uint8_t *items = NULL;

	/* An event that is not open anywhere has no id and no counts. */
	if (p->counts && !e->n_ids)
		return;
	if (has_unit) {
		u->kind = EVENT_UPDATE_UNIT;
		u->text = e->unit;
		synth_add(p, &r, out);
	}
	if (p->counts ? e->scale != 1.0 : has_unit) {
		u->kind = EVENT_UPDATE_SCALE;
		u->scale = e->scale;
		synth_add(p, &r, out);
	}
	if (e->own_cpus) {
		u->kind = EVENT_UPDATE_CPUS;
		items = cpu_map_of(p, e->own_cpus, &u->cpus);
		synth_add(p, &r, out);
	}
	if (p->event_names) {
		u->kind = EVENT_UPDATE_NAME;
		u->text = e->name;
		synth_add(p, &r, out);
	}
}

void synth_event_updates(const struct synth_plan *p, struct bytes *out)
{
	for (size_t i = 0; i < p->n_events; i++)
		event_update(p, &p->events[i], out);
}

/*
 * Adds the threads. For samples the names stay empty, as in Linux's perf, because COMM records
 * contain them.
 */
void synth_thread_map(const struct synth_plan *p, struct bytes *out)
{
	static const struct target_task everybody = { .tid = -1 };
	const struct target_task *tasks = p->tasks && p->tasks->n ? p->tasks->items : &everybody;
	size_t n = p->tasks && p->tasks->n ? p->tasks->n : 1;
	_cleanup_(bytes_done) struct bytes entries = { 0 };
	struct record r = { .header.type = PERF_RECORD_THREAD_MAP };

	n = n < THREAD_MAP_MAX ? n : THREAD_MAP_MAX;
	for (size_t i = 0; i < n; i++) {
		char comm[COMM_SIZE] = "";

		if (p->task_names)
			memccpy(comm, tasks[i].comm, 0, sizeof(comm) - 1);
		bytes_u64(&entries, (uint64_t)tasks[i].tid);
		bytes_add(&entries, comm, sizeof(comm));
	}
	r.thread_map.n = n;
	r.thread_map.entries = entries.data;
	synth_add(p, &r, out);
}
