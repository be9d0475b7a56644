/* SPDX-License-Identifier: MIT */
#include "tools/stat/replay-model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "event/event.h"
#include "count/stat-model.h"
#include "wire/record.h"
#include "wire/topology.h"

/* Tags of STAT_CONFIG. */
enum {
	CONFIG_AGGREGATION = 0,
	CONFIG_INTERVAL = 1,
	CONFIG_SCALE = 2,
	CONFIG_LEVEL = 3, /* since 6.5 */
};

/* The maximum number of counts of all events. A file with more is damaged. */
#define PLACES_MAX (1u << 22)

struct cpus {
	int *items; /* -1: any */
	size_t n, room;
};

struct replayed {
	struct event event;
	uint64_t first_id;
	bool supported;
	struct cpus cpus; /* its own CPUs; empty: those of all */
	struct count *counts;
};

struct id {
	uint64_t id;
	size_t event;
};

struct stat_replay {
	struct stat_replay_options o;
	struct {
		struct replayed *items;
		size_t n, room;
	} events;
	struct {
		struct id *items;
		size_t n, room;
	} ids; /* sorted once the model is made */
	struct cpus cpus;
	struct {
		struct stat_task *items;
		size_t n, room;
	} tasks;
	uint64_t aggr_mode, interval_ms;
	bool scale, has_level;
	unsigned cache_level; /* 0: the last */
	bool refused;
	struct stat_model *model;
	bool counted, ended; /* counts since the last round; the last round was read */
	uint64_t before_ns;
};

struct stat_replay *stat_replay_new(const struct stat_replay_options *o)
{
	struct stat_replay *r = xcalloc(1, sizeof(*r));

	r->o = *o;
	r->scale = true;
	r->aggr_mode = 1;
	return r;
}

void stat_replay_free(struct stat_replay *r)
{
	if (!r)
		return;
	stat_model_free(r->model);
	for (size_t i = 0; i < r->events.n; i++) {
		free(r->events.items[i].event.name);
		free(r->events.items[i].event.unit);
		free(r->events.items[i].cpus.items);
		free(r->events.items[i].counts);
	}
	for (size_t i = 0; i < r->tasks.n; i++)
		free((char *)r->tasks.items[i].comm);
	free(r->events.items);
	free(r->ids.items);
	free(r->cpus.items);
	free(r->tasks.items);
	free(r);
}

void stat_replay_add_event(struct stat_replay *r, const struct attr *attr, const char *name,
			   const uint64_t *ids, size_t n_ids)
{
	struct replayed *e = ARRAY_ADD(&r->events);

	e->event.attr = *attr;
	e->event.name = xstrdup(name);
	e->event.unit = xstrdup("");
	e->event.scale = 1.0;
	e->supported = n_ids > 0;
	e->first_id = n_ids ? ids[0] : 0;
	for (size_t i = 0; i < n_ids; i++)
		*ARRAY_ADD(&r->ids) = (struct id){ ids[i], r->events.n - 1 };
}

static void stat_replay_add_cpu(void *arg, int cpu)
{
	struct cpus *l = arg;

	*ARRAY_ADD(l) = cpu;
}

static void stat_replay_take_cpus(struct cpus *l, const struct record_cpu_map *m)
{
	l->n = 0;
	record_cpu_map_for_each(m, stat_replay_add_cpu, l);
}

static void take_tasks(struct stat_replay *r, const struct record_thread_map *m)
{
	if (r->tasks.n)
		return;
	for (size_t i = 0; i < m->n; i++) {
		struct thread_map_entry e = record_thread_map_get(m, i);
		struct stat_task *t = ARRAY_ADD(&r->tasks);

		t->tid = (pid_t)e.pid;
		t->comm = xstrdup(e.comm);
	}
}

static void stat_replay_take_config(struct stat_replay *r, const struct words *entries)
{
	for (size_t i = 0; i + 1 < entries->n; i += 2) {
		uint64_t value = words_get(entries, i + 1);

		switch (words_get(entries, i)) {
		case CONFIG_AGGREGATION:
			r->aggr_mode = value;
			break;
		case CONFIG_INTERVAL:
			r->interval_ms = value;
			break;
		case CONFIG_SCALE:
			r->scale = value;
			break;
		case CONFIG_LEVEL:
			r->has_level = true;
			r->cache_level = value < TOPOLOGY_CACHES ? (unsigned)value : 0;
			break;
		default:
			break;
		}
	}
}

static void take_update(struct stat_replay *r, const struct record_event_update *u)
{
	struct replayed *e = NULL;

	for (size_t i = 0; i < r->events.n && !e; i++)
		if (r->events.items[i].supported && r->events.items[i].first_id == u->id)
			e = &r->events.items[i];
	if (!e)
		return;
	switch (u->kind) {
	case EVENT_UPDATE_UNIT:
		free(e->event.unit);
		e->event.unit = xstrdup(u->text);
		break;
	case EVENT_UPDATE_SCALE:
		e->event.scale = u->scale;
		break;
	case EVENT_UPDATE_NAME:
		free(e->event.name);
		e->event.name = xstrdup(u->text);
		break;
	case EVENT_UPDATE_CPUS:
		stat_replay_take_cpus(&e->cpus, &u->cpus);
		break;
	default:
		break;
	}
}

/*
 * Returns the recorded aggregation. The numbers of aggr_mode changed: 6.5 inserted CACHE before
 * CORE, 6.8 inserted CLUSTER before CACHE. 6.5 also introduced a tag of its own.
 */
static enum stat_aggregation aggregation_recorded(const struct stat_replay *r)
{
	static const enum stat_aggregation old[] = {
		STAT_CPU,  STAT_GLOBAL, STAT_SOCKET, STAT_DIE,
		STAT_CORE, STAT_THREAD, STAT_GLOBAL, STAT_NODE,
	};
	static const enum stat_aggregation with_cache[] = {
		STAT_CPU,  STAT_GLOBAL, STAT_SOCKET, STAT_DIE,  STAT_CACHE,
		STAT_CORE, STAT_THREAD, STAT_GLOBAL, STAT_NODE,
	};
	static const enum stat_aggregation with_cluster[] = {
		STAT_CPU,   STAT_GLOBAL, STAT_SOCKET, STAT_DIE,    STAT_CLUSTER,
		STAT_CACHE, STAT_CORE,   STAT_THREAD, STAT_GLOBAL, STAT_NODE,
	};
	unsigned major = 0, minor = 0;

	if (r->o.version)
		(void)sscanf(r->o.version, "%u.%u", &major, &minor);
	if (!r->has_level)
		return r->aggr_mode < ARRAY_SIZE(old) ? old[r->aggr_mode] : STAT_GLOBAL;
	if (major == 6 && minor < 8)
		return r->aggr_mode < ARRAY_SIZE(with_cache) ? with_cache[r->aggr_mode]
							     : STAT_GLOBAL;
	return r->aggr_mode < ARRAY_SIZE(with_cluster) ? with_cluster[r->aggr_mode] : STAT_GLOBAL;
}

static bool counts_tasks(const struct stat_replay *r)
{
	return r->cpus.n == 1 && r->cpus.items[0] < 0;
}

static enum stat_aggregation choose_aggregation(struct stat_replay *r)
{
	enum stat_aggregation recorded = aggregation_recorded(r);

	if (!r->o.aggregate)
		return recorded;
	if (counts_tasks(r) == (r->o.aggregation == STAT_THREAD))
		return r->o.aggregation;
	r->refused = true;
	return recorded;
}

static const struct cpus *stat_replay_cpus_of(const struct stat_replay *r, const struct replayed *e)
{
	return e->cpus.n && !counts_tasks(r) ? &e->cpus : &r->cpus;
}

static int stat_replay_compare_ids(const void *a, const void *b)
{
	const struct id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Completes the maps. A file without the counted tasks is treated as one task. */
static void stat_replay_settle(struct stat_replay *r)
{
	if (!r->cpus.n)
		stat_replay_add_cpu(&r->cpus, -1);
	if (!r->tasks.n)
		*ARRAY_ADD(&r->tasks) = (struct stat_task){ .tid = -1, .comm = xstrdup("") };
	if (r->ids.n)
		qsort(r->ids.items, r->ids.n, sizeof(r->ids.items[0]), stat_replay_compare_ids);
}

static void stat_replay_make_model(struct stat_replay *r)
{
	_cleanup_(freep) struct stat_source *sources = xcalloc(r->events.n + 1,
							       sizeof(struct stat_source));
	struct stat_model_options o = {
		.topology = r->o.topology,
		.cache_level = r->o.aggregate ? r->o.cache_level : r->cache_level,
		.scale = r->scale,
		.merge = true,
	};

	size_t room = PLACES_MAX;

	stat_replay_settle(r);
	o.aggregation = choose_aggregation(r);
	o.tasks = r->tasks.items;
	o.n_tasks = r->tasks.n;
	for (size_t i = 0; i < r->events.n; i++) {
		struct replayed *e = &r->events.items[i];
		const struct cpus *cpus = stat_replay_cpus_of(r, e);
		size_t places = cpus->n * r->tasks.n;
		bool fits = places <= room;

		sources[i] = (struct stat_source){
			.event = &e->event,
			.cgroup = "",
			.supported = e->supported && fits,
			.cpus = cpus->items,
			.n_cpus = fits ? cpus->n : 0,
			.n_tasks = r->tasks.n,
		};
		if (fits)
			e->counts = xcalloc(places, sizeof(struct count));
		room -= fits ? places : 0;
	}
	r->model = stat_model_new(sources, r->events.n, &o);
}

static void stat_replay_take_count(struct stat_replay *r, const struct record_stat *s)
{
	const struct id key = { .id = s->id };
	const struct id *found;
	const struct cpus *cpus;
	struct replayed *e;

	if (!r->model)
		stat_replay_make_model(r);
	found = r->ids.n ? bsearch(&key, r->ids.items, r->ids.n, sizeof(key),
				   stat_replay_compare_ids)
			 : NULL;
	if (!found || s->thread >= r->tasks.n)
		return;
	e = &r->events.items[found->event];
	cpus = stat_replay_cpus_of(r, e);
	for (size_t i = 0; i < cpus->n && e->counts; i++) {
		if (cpus->items[i] != (int)s->cpu && cpus->items[i] >= 0)
			continue;
		e->counts[i * r->tasks.n + s->thread] = (struct count){
			.value = s->value,
			.enabled = s->enabled,
			.running = s->running,
		};
		r->counted = true;
		return;
	}
}

static void stat_replay_feed_model(struct stat_replay *r)
{
	if (!r->model)
		stat_replay_make_model(r);
	for (size_t i = 0; i < r->events.n; i++)
		if (r->events.items[i].supported && r->events.items[i].counts)
			stat_model_count(r->model, i, r->events.items[i].counts);
	r->counted = false;
}

static enum stat_replay_result end_all(struct stat_replay *r, uint64_t time_ns)
{
	stat_replay_feed_model(r);
	stat_model_end_run(r->model, (double)time_ns / 1e9);
	r->ended = true;
	return STAT_REPLAY_END;
}

static enum stat_replay_result stat_replay_take_round(struct stat_replay *r,
						      const struct record_stat_round *o)
{
	uint64_t passed_ns = o->time > r->before_ns ? o->time - r->before_ns : 0;

	if (o->type || !r->interval_ms)
		return r->ended ? STAT_REPLAY_NOTHING : end_all(r, o->time);
	stat_replay_feed_model(r);
	stat_model_end_interval(r->model, o->time, (double)passed_ns / 1e9);
	r->before_ns = o->time;
	return STAT_REPLAY_INTERVAL;
}

enum stat_replay_result stat_replay_apply(struct stat_replay *r, const struct record *rec)
{
	bool early = !r->model;

	switch (rec->header.type) {
	case PERF_RECORD_EVENT_UPDATE:
		if (early)
			take_update(r, &rec->event_update);
		break;
	case PERF_RECORD_THREAD_MAP:
		if (early)
			take_tasks(r, &rec->thread_map);
		break;
	case PERF_RECORD_CPU_MAP:
		if (early)
			stat_replay_take_cpus(&r->cpus, &rec->cpu_map);
		break;
	case PERF_RECORD_STAT_CONFIG:
		if (early)
			stat_replay_take_config(r, &rec->stat_config.entries);
		break;
	case PERF_RECORD_STAT:
		stat_replay_take_count(r, &rec->stat);
		break;
	case PERF_RECORD_STAT_ROUND:
		return stat_replay_take_round(r, &rec->stat_round);
	default:
		break;
	}
	return STAT_REPLAY_NOTHING;
}

enum stat_replay_result stat_replay_end(struct stat_replay *r)
{
	if (!r->counted || r->ended || r->interval_ms)
		return STAT_REPLAY_NOTHING;
	return end_all(r, 0);
}

struct stat_model *stat_replay_model(struct stat_replay *r)
{
	return r->model;
}

bool stat_replay_refused(const struct stat_replay *r)
{
	return r->refused;
}
