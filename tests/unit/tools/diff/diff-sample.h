/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small comparison made by hand, for the tests of its views: three recordings of a few rows.
 */
#include <string.h>

#include "tools/diff/diff-model.h"
#include "profile/example-rows.h"
#include "profile/shared-values.h"
#include "tools/diff/table-view.h"

struct diff_sample {
	struct example_rows rows[3];
	const struct report_rows *sides[3];
	size_t n;
	struct diff_options options;
	struct diff *diff;
	struct report_plan plan;
	const char *files[3];
	struct diff_view view;
};

/* Sets up @n of the recordings. The caller makes the diff. @s must not be moved. */
__attribute__((unused)) static void diff_sample_init(struct diff_sample *s, size_t n)
{
	*s = (struct diff_sample){
		.n = n,
		.options = { .compute = DIFF_DELTA_ABS, .order = 1, .absolute = true },
		.plan = example_plan(),
		.files = { "a.data", "b.data", "c.data" },
	};
	s->view = (struct diff_view){ .plan = &s->plan, .files = s->files };
	example_env.values = shared_values_new();
	for (size_t i = 0; i < 3; i++) {
		example_rows_init(&s->rows[i]);
		s->sides[i] = &s->rows[i].rows;
	}
	example_add(&s->rows[0], "sh", "[.] main", 600);
	example_add(&s->rows[0], "ls", "[.] main", 300);
	example_add(&s->rows[0], "gone", "[.] main", 100);
	example_add(&s->rows[1], "sh", "[.] main", 400);
	example_add(&s->rows[1], "ls", "[.] main", 400);
	example_add(&s->rows[1], "new", "[.] main", 200);
	example_add(&s->rows[2], "sh", "[.] main", 50);
}

__attribute__((unused)) static void diff_sample_done(struct diff_sample *s)
{
	diff_free(s->diff);
	shared_values_free(example_env.values);
}
