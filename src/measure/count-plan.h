/* SPDX-License-Identifier: MIT */
#pragma once
/* The events to count: requested by name, by metric or by default, with the cgroup of each. */
#include <stdbool.h>
#include <stddef.h>

#include "event/event.h"
#include "measure/cgroup-choice.h"

struct attached_probes;
struct bpf_events;
struct count_request;
struct diag;
struct event_env;
struct metric;
struct metric_expr;
struct notes;

/* A metric of -M, and the events that are its operands. */
struct count_metric {
	const struct metric *metric;
	struct metric_expr *expr;
	size_t first, n; /* in the list of events */
};

struct count_plan {
	struct event_env *env;
	struct attached_probes *attached; /* for markers among the events; or NULL */
	struct bpf_events *programs;      /* BPF programs among the events */
	struct event_list events;
	struct cgroup_choice cgroups;
	struct {
		struct count_metric *items;
		size_t n, room;
	} metrics;
};

/*
 * Fills *@p, to be released with count_plan_done() in any case. @cpus: CPUs are counted, not tasks.
 * @notes: receives messages. Returns a negative errno with @diag set: an event, metric or cgroup is
 * wrong.
 */
int count_plan_make(struct count_plan *p, const struct count_request *rq, bool cpus,
		    struct notes *notes, struct diag *diag);

/* Releases @p. To be called after the counters are closed. */
void count_plan_done(struct count_plan *p);
