/* SPDX-License-Identifier: MIT */
#pragma once
/* The units of an aggregation, and the unit to which a CPU belongs. */
#include "count/stat.h"
#include "count/stat-model.h"

struct stat_units {
	struct stat_unit *items; /* in the order they are shown */
	size_t n, room;
};

/* Makes the units of @o for the CPUs of @sources; a single one in STAT_GLOBAL. */
void stat_units_make(struct stat_units *u, const struct stat_source *sources, size_t n,
		     const struct stat_model_options *o);
void stat_units_done(struct stat_units *u);

/* Returns the unit of @cpu (or, in STAT_THREAD, of task number @task). */
size_t stat_units_find(const struct stat_units *u, const struct stat_model_options *o, int cpu,
		       size_t task);
