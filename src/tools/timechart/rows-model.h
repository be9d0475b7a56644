/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Chooses the threads of a time chart to draw, and their order: those with the longest running time
 * first, or, if there are only I/O calls, those that moved the most bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/timechart/timechart-model.h"

struct chart_rows_request {
	const char *const *selected; /* numbers or names (-p): only these are drawn */
	size_t n_selected;
	size_t least; /* the minimum number of threads to draw */
	bool by_bytes;
};

struct chart_rows {
	uint32_t *tasks; /* indices in chart.tasks */
	size_t n;
	bool by_bytes;  /* sorted by bytes; else by running times */
	size_t n_drawn; /* drawn ones come first; the picture can show the others */
};

/* Chooses and sorts the rows. Must be called after chart_finish(). */
void chart_rows_init(struct chart_rows *rows, const struct chart *c,
		     const struct chart_rows_request *rq);
void chart_rows_done(struct chart_rows *rows);

/* True if @word is the number of @t or of its process, or a name that it had. */
bool chart_task_is(const struct chart_task *t, const char *word);
