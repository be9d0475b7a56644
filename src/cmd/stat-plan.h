/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf stat` is to count: the events that were asked for, by name, by metric or by default,
 * and the cgroup of each.
 */
#include <stdbool.h>
#include <stddef.h>

#include "job/cgroup-choice.h"
#include "event/event.h"

struct attached_probes;
struct diag;
struct event_env;
struct metric;
struct metric_expr;
struct stat_opts;

/* A metric of -M, and which events are its operands. */
struct stat_metric_use {
	const struct metric *metric;
	struct metric_expr *expr;
	size_t first, n; /* in the list of events */
};

struct stat_plan {
	struct event_env *env;
	struct attached_probes *attached; /* for markers among the events; or NULL */
	struct event_list events;
	struct cgroup_choice cgroups;
	struct {
		struct stat_metric_use *items;
		size_t n, room;
	} metrics;
};

/*
 * Fills *@p, to be released with stat_plan_done() in any case. @cpus: CPUs are counted, not tasks;
 * @buildid_dir: where markers are known, or NULL.
 * A negative errno with @diag set: an event, metric or cgroup is wrong.
 */
int stat_plan_make(struct stat_plan *p, const struct stat_opts *o, bool cpus,
		   const char *buildid_dir, struct diag *diag);

/* Once the counters are closed. */
void stat_plan_done(struct stat_plan *p);
