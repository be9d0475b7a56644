/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Metrics: named formulas over events, from the tables in data/metrics, for `perf stat -M`.
 *
 * The tables are compiled in and never change. A formula may use other metrics by name; compiling
 * one puts theirs in its place, so that only events are left (metric-expr.h).
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;
struct metric_expr;

struct metric {
	const char *name;
	const char *groups; /* ';' between them */
	const char *expression;
	const char *brief;
	const char *unit; /* of the scaled value: "%", "GHz"; "" when there is none */
	double scale;
};

/* All of them, sorted by name; *@ret_n of them. */
const struct metric *metrics(size_t *ret_n);

/* By name, in either case, or NULL. */
const struct metric *metric_find(const char *name);

/* Is @group one of the groups of @m? */
bool metric_in_group(const struct metric *m, const char *group);

/*
 * Does one word of -M select @m: "all", a name, a group, or a pattern for either? In either case of
 * letters.
 */
bool metric_selected(const struct metric *m, const char *word);

/*
 * Parses the formula of @m and those of the metrics it uses. -EINVAL: it makes no sense, or uses
 * itself; @diag says where. The caller releases *@ret with metric_expr_free().
 */
int metric_compile(const struct metric *m, struct metric_expr **ret, struct diag *diag);
