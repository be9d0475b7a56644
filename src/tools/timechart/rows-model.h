/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which threads of a time chart are drawn, and in which order: those that ran longest first, or
 * moved most bytes where there are only I/O calls.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/timechart/timechart-model.h"

struct chart_rows_request {
	const char *const *selected; /* numbers or names (-p); only these are drawn */
	size_t n_selected;
	size_t least; /* how many threads are drawn at least */
	bool by_bytes;
};

struct chart_rows {
	uint32_t *tasks; /* places in chart.tasks */
	size_t n;
	bool by_bytes;  /* they are in the order of bytes, else of running times */
	size_t n_drawn; /* the first ones; a reader of the picture can have the others shown */
};

/* After chart_finish(). */
void chart_rows_init(struct chart_rows *rows, const struct chart *c,
		     const struct chart_rows_request *rq);
void chart_rows_done(struct chart_rows *rows);

/* Whether @word is the number of @t or of its process, or a name that it had. */
bool chart_task_is(const struct chart_task *t, const char *word);
