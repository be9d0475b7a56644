/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as rows of sql-tables.h: samples and call paths as they come, names at the end.
 */
#include "tools/data/sql-tables.h"
#include "tools/data/timeline.h"

struct sql_rows {
	const struct timeline *t;
	void (*row)(void *arg, enum export_table table, const struct export_value *values,
		    size_t n);
	void *arg;
	/* private: */
	struct contexts comms;        /* pid, and the text's pointer: its id - 1 */
	struct contexts comm_threads; /* comm and thread: their id - 1 */
	struct {
		uint64_t *items; /* time and task of each comm's first use */
		size_t n, room;
	} comm_firsts;
	uint64_t n_samples, n_switches;
	uint32_t n_paths; /* number of paths that were passed on */
};

void sql_rows_init(struct sql_rows *r, const struct timeline *t);
void sql_rows_done(struct sql_rows *r);

/* The callbacks of a struct timeline_writer whose object begins with a struct sql_rows: @rows. */
void sql_rows_sample(void *rows, const struct timeline_sample *s);
void sql_rows_switch(void *rows, const struct timeline_switch *s);

/* Adds the rows of all other tables, after everything has been passed on. */
void sql_rows_end(struct sql_rows *r);
