/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads a recording for `perf sched timehist` (tools/sched/timehist-model.h). */
#include "tools/sched/timehist-model.h"

struct diag;
struct notes;
struct recorded;
struct task_times;

struct timehist_request {
	struct timehist_options model;
	/* Called when the events are known, before the first row; or NULL. */
	void (*begin)(void *arg, struct recorded *r, bool has_chains);
	/* Called at its place in the order for each record that reports @n lost ones; or NULL. */
	void (*lost)(void *arg, uint64_t time_ns, uint32_t cpu, uint64_t n);
	/* Also takes all events and forks; or NULL. */
	struct task_times *times;
	void *arg;
};

/*
 * Feeds @r, which is open, to a model. Returns -ENOENT with @diag if there are no context switches
 * in it. Other errors are those of recorded_feed(). The caller frees *@ret.
 */
int timehist_run(struct recorded *r, const struct timehist_request *rq, struct notes *notes,
		 struct timehist **ret, struct diag *diag);
