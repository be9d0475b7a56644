/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small report of two events, for tests of its views.
 */
#include "profile/example-rows.h"
#include "view/report/table.h"
#include "view/report/title.h"

struct report_sample {
	struct example_rows rows[2];
	struct report_plan plan;
	struct report_group *groups[2];
	struct report_title titles[2];
	struct report_block blocks[2];
	struct report_view view;
};

static const char *const sample_names[] = { "cycles", "faults" };

static inline void sample_rows(struct report_sample *s)
{
	example_options.rq.percent_limit = 0;
	example_options.rq.absolute = false;
	example_rows_init(&s->rows[0]);
	example_add(&s->rows[0], "sh", "[k] copy_page", 600);
	example_add(&s->rows[0], "sh", "[.] main", 396);
	example_add(&s->rows[0], "longer", "[.] f,g", 4);
	example_rows_init(&s->rows[1]);
	example_add(&s->rows[1], "wc", "[.] main", 30);
	example_add(&s->rows[1], "sh", "[.] main", 10);
}

/* Makes a report of each event by itself. */
static inline void sample_apart(struct report_sample *s)
{
	*s = (struct report_sample){ .plan = example_plan() };
	sample_rows(s);
	for (size_t i = 0; i < 2; i++) {
		const struct report_rows *rows = &s->rows[i].rows;

		s->groups[i] = report_group_new(&rows, 1, 0);
		s->titles[i] = (struct report_title){ .events = &sample_names[i],
						      .n_events = 1,
						      .samples = rows->all.samples,
						      .period = rows->all.period,
						      .socket = -1 };
		s->blocks[i] = (struct report_block){ .group = s->groups[i],
						      .title = &s->titles[i] };
	}
	s->view = (struct report_view){ .plan = &s->plan, .blocks = s->blocks, .n_blocks = 2 };
}

/* Makes a report of both events side by side. */
static inline void sample_together(struct report_sample *s)
{
	*s = (struct report_sample){ .plan = example_plan() };
	sample_rows(s);
	s->groups[0] = report_group_new(
		(const struct report_rows *[]){ &s->rows[0].rows, &s->rows[1].rows }, 2, 0);
	s->titles[0] = (struct report_title){
		.events = sample_names, .n_events = 2, .samples = 103, .period = 1040, .socket = -1
	};
	s->blocks[0] = (struct report_block){ .group = s->groups[0], .title = &s->titles[0] };
	s->view = (struct report_view){ .plan = &s->plan, .blocks = s->blocks, .n_blocks = 1 };
}

static inline void sample_done(struct report_sample *s)
{
	report_group_free(s->groups[0]);
	report_group_free(s->groups[1]);
}
