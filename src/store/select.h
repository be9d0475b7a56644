/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables and times that are read for a filter, and the SQL for it, which servers have
 * in common except for how patterns are matched.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/tables.h"

struct fleet_filter;
struct text;

enum fleet_dialect {
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

/* A range of time that is read from one table: [from, to) by column @time. */
struct fleet_part {
	enum fleet_table table; /* FLEET_SAMPLE or FLEET_HOUR */
	const char *time;
	int64_t from, to;
};

#define FLEET_PARTS_MAX 3

/*
 * Finds what is read for @f, and returns the number of parts. Hours before @rolled are taken from
 * the sums of hours if @f allows it, which is when it chooses whole hours, of all hosts, and
 * distinguishes neither minutes nor hosts. 0: there are no sums.
 */
size_t fleet_parts(const struct fleet_filter *f, int64_t rolled,
		   struct fleet_part ret[FLEET_PARTS_MAX]);

/* Appends the SELECT of the rows that @f chooses, from the tables of fleet_parts(). */
void fleet_select_weights(struct text *t, const struct fleet_filter *f, int64_t rolled,
			  enum fleet_dialect dialect);

/*
 * Appends the text by which @f distinguishes sources, which replaces the host: "HOST", "/SERVICE",
 * "HOST/SERVICE" or nothing.
 */
void fleet_whose(struct text *t, const struct fleet_filter *f, const char *host,
		 const char *service);

/* Appends @s in quotes. */
void fleet_quote(struct text *t, const char *s, enum fleet_dialect dialect);

/*
 * Appends a regular expression that matches the same texts as the pattern @glob, from beginning to
 * end.
 */
void fleet_glob_regex(struct text *t, const char *glob);
