/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small time chart with hostile names, for tests of its views.
 */
#include <string.h>

#include "session/sched-event.h"
#include "tools/timechart/timechart-model.h"
#include "tools/timechart/rows-model.h"
#include "tools/timechart/timechart-view.h"

struct timechart_sample {
	struct chart chart;
	struct chart_rows rows;
	uint32_t cpus[4];
	struct timechart_picture picture;
};

static inline void sample_switch(struct chart *c, uint64_t ms, uint32_t prev, enum task_state state,
				 uint32_t next)
{
	static const char names[][CHART_COMM_MAX] = { "swapper", "</svg><script>",
						      "]]>\x1b[1m\xff&" };
	const struct sched_event e = { .kind = SCHED_SWITCH,
				       .time = (5000 + ms) * 1000000,
				       .machine_tid = prev,
				       .tid = prev,
				       .comm = { names[prev], (uint32_t)strlen(names[prev]) },
				       .state = state,
				       .next_tid = next,
				       .next_comm = { names[next],
						      (uint32_t)strlen(names[next]) } };

	chart_sched(c, &e, LANE_NONE);
}

static inline void timechart_sample_make(struct timechart_sample *s)
{
	struct chart *c = &s->chart;

	chart_init(c, &(struct chart_options){ 0 });
	sample_switch(c, 0, 0, TASK_STATE_RUNNABLE, 1);
	sample_switch(c, 10, 1, TASK_STATE_BLOCKED, 2);
	sample_switch(c, 20, 2, TASK_STATE_SLEEPING, 1);
	chart_call(c, 5021000000, 1, CHART_IO_READ, 3);
	chart_return(c, 5025000000, 1, CHART_IO_READ, -2);
	chart_idle(c, 5028000000, 0, 1);
	chart_frequency(c, 5029000000, 0, 1000000);
	sample_switch(c, 40, 1, TASK_STATE_SLEEPING, 0);
	chart_finish(c);
	chart_rows_init(&s->rows, c, &(struct chart_rows_request){ .least = 15 });
	s->cpus[0] = 0;
	s->picture = (struct timechart_picture){ .chart = c,
						 .rows = &s->rows,
						 .cpus = s->cpus,
						 .with_cpus = true,
						 .with_tasks = true,
						 .width = 700,
						 .title = "Time chart" };
}

static inline void timechart_sample_done(struct timechart_sample *s)
{
	chart_rows_done(&s->rows);
	chart_done(&s->chart);
}
