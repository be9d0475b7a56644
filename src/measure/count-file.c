/* SPDX-License-Identifier: MIT */
#include "measure/count-file.h"

#include "capture/count-recorder.h"
#include "event/env.h"
#include "measure/count.h"
#include "measure/origin.h"

int count_file_open(const char *path, struct count_recorder **ret, struct diag *diag)
{
	int r = count_recorder_new(path, ret, diag);

	if (r >= 0)
		origin_describe(count_recorder_features(*ret));
	return r;
}

static enum count_aggregation recorded_aggregation(enum stat_aggregation over)
{
	static const enum count_aggregation map[] = {
		[STAT_GLOBAL] = COUNT_AGGREGATION_GLOBAL,
		[STAT_CPU] = COUNT_AGGREGATION_CPU,
		[STAT_CORE] = COUNT_AGGREGATION_CORE,
		[STAT_DIE] = COUNT_AGGREGATION_DIE,
		[STAT_SOCKET] = COUNT_AGGREGATION_SOCKET,
		[STAT_NODE] = COUNT_AGGREGATION_NODE,
		[STAT_CACHE] = COUNT_AGGREGATION_CACHE,
		[STAT_THREAD] = COUNT_AGGREGATION_THREAD,
		[STAT_CLUSTER] = COUNT_AGGREGATION_CLUSTER,
	};

	return map[over];
}

/* Opens tracefs if one of the events needs it; otherwise *@ret stays NULL. */
static int find_tracefs(struct count_job *j, struct tracefs **ret)
{
	for (size_t i = 0; i < j->plan.events.n; i++)
		if (j->plan.events.items[i]->tracepoint)
			return event_env_tracefs(j->plan.env, ret, j->diag);
	return 0;
}

int count_file_begin(struct count_job *j, const struct task_list *tasks)
{
	enum stat_aggregation over = count_job_aggregation(j);
	struct count_recorder_setup setup = {
		.events = &j->counters,
		.tasks = tasks,
		.cpus = tasks->n ? NULL : &j->cpu_list,
		.aggregation = recorded_aggregation(over),
		.cache_level = j->rq->aggregate.cache_level,
		.interval_ms = j->rq->interval_ms,
		.scale = j->rq->scale != CHOICE_NO,
		.with_names = over == STAT_THREAD,
	};
	struct tracefs *tracefs = NULL;
	int r = find_tracefs(j, &tracefs);

	if (r < 0)
		return r;
	setup.tracefs = tracefs;
	return count_recorder_begin(j->recorder, &setup, j->diag);
}
