/* SPDX-License-Identifier: MIT */
#pragma once
/* The SQL for reading, which the databases have in common except for how patterns are matched. */
#include <stdbool.h>
#include <stdint.h>

struct fleet_filter;
struct text;

enum fleet_dialect {
	FLEET_SQLITE,
	FLEET_POSTGRESQL,
	FLEET_CLICKHOUSE,
};

/* The columns of the SELECT of fleet_select_weights(). */
enum {
	WEIGHT_MINUTE, /* 0: the minutes are added up */
	WEIGHT_HOST,   /* fleet_whose(); "": added up */
	WEIGHT_COMM,
	WEIGHT_EVENT,
	WEIGHT_STACK, /* by function: the innermost frame of the stacks; 0: none */
	WEIGHT_SAMPLES,
	WEIGHT_PERIOD,
	N_WEIGHT_COLUMNS
};

/*
 * Appends the SELECT of the rows that @f chooses. Hours before @rolled are taken from the sums of
 * hours if @f allows it, which is when it chooses whole hours, of all hosts, and distinguishes
 * neither minutes nor hosts. 0: there are no sums.
 */
void fleet_select_weights(struct text *t, const struct fleet_filter *f, int64_t rolled,
			  enum fleet_dialect dialect);

/*
 * Appends the same without adding up: columns are the minute or 0, and source, event, stack,
 * samples and period as they are stored. The order is that of the store.
 */
void fleet_select_rows(struct text *t, const struct fleet_filter *f, int64_t rolled,
		       enum fleet_dialect dialect);

/*
 * Appends the text by which @f distinguishes sources, which replaces the host: "HOST", "/SERVICE",
 * "HOST/SERVICE" or nothing.
 */
void fleet_whose(struct text *t, const struct fleet_filter *f, const char *host,
		 const char *service);

/* True if @f distinguishes, or chooses by, data that sums of hours do not have. */
bool fleet_needs_minutes(const struct fleet_filter *f);

/* Appends @s in quotes. */
void fleet_quote(struct text *t, const char *s, enum fleet_dialect dialect);

/*
 * Appends a regular expression that matches the same texts as the pattern @glob, from beginning to
 * end.
 */
void fleet_glob_regex(struct text *t, const char *glob);
