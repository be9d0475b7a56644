/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Metrics: named formulas over events, from the tables in data/metrics, for `perf stat -M`.
 *
 * The tables are compiled in and never change: one for every machine, and those of the CPUs whose
 * vendors define metrics. A formula may use other metrics of its CPU by name; compiling it replaces
 * them by their formulas, so only events are left (metric-expr.h).
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;
struct event_env;
struct metric_expr;
struct metric_table;

struct metric {
	const char *name;
	const char *groups; /* separated by ';' */
	const char *expression;
	const char *brief;
	const char *unit; /* unit of the scaled value: "%", "GHz"; "" if there is none */
	double scale;
	const struct metric_table *table; /* the vendor's table; NULL: for every machine */
};

struct metric_table {
	const char *name;
	const struct metric *metrics; /* sorted by name */
	size_t n;
};

/* Returns the vendor's table for a CPU as cpuid_read() names it, or NULL. */
const struct metric_table *metric_table_for_cpu(const char *cpuid);

/* Returns the metrics for every machine, sorted by name; *@ret_n of them. */
const struct metric *metrics(size_t *ret_n);

struct metric_list {
	const struct metric **items;
	size_t n, room;
};

/*
 * Makes a list of all metrics of the cores of @env, sorted by name. A vendor's metric replaces a
 * general one of the same name. The caller calls metric_list_done().
 */
void metric_list_make(struct metric_list *l, struct event_env *env);
void metric_list_done(struct metric_list *l);

/*
 * Finds a metric of @table, which may be NULL, or of every machine, by name in either case; or
 * NULL.
 */
const struct metric *metric_find(const struct metric_table *table, const char *name);

/* True if @group is one of the groups of @m. */
bool metric_in_group(const struct metric *m, const char *group);

/*
 * True if one word of -M selects @m: "all", a name, a group, or a pattern for either; in either
 * case of letters.
 */
bool metric_selected(const struct metric *m, const char *word);

/*
 * Parses the formula of @m and those of the metrics it uses. -EINVAL: it is invalid, or uses
 * itself; @diag gives the place. The caller releases *@ret with metric_expr_free().
 */
int metric_compile(const struct metric *m, struct metric_expr **ret, struct diag *diag);
