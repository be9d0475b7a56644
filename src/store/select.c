/* SPDX-License-Identifier: MIT */
#include "store/select.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/sums.h"
#include "store/url.h"

#define HOUR 3600

void fleet_quote(struct text *t, const char *s, enum fleet_dialect dialect)
{
	text_add_char(t, '\'');
	for (; *s; s++) {
		if (*s == '\'' || (*s == '\\' && dialect == FLEET_CLICKHOUSE))
			text_add_char(t, *s == '\'' ? '\'' : '\\');
		text_add_char(t, *s);
	}
	text_add_char(t, '\'');
}

/*
 * Appends the class that begins at @s, after its '['. Returns the text after it; NULL: it has no
 * end.
 */
static const char *store_select_add_class(struct text *t, const char *s)
{
	bool is_negated = *s == '!' || *s == '^';
	const char *first = s + is_negated, *end = *first ? strchr(first + 1, ']') : NULL;

	if (!end)
		return NULL;
	text_add(t, is_negated ? "[^" : "[");
	for (s = first; s < end; s++) {
		if (strchr("\\[]^", *s))
			text_add_char(t, '\\');
		text_add_char(t, *s);
	}
	text_add_char(t, ']');
	return end + 1;
}

void fleet_glob_regex(struct text *t, const char *glob)
{
	text_add_char(t, '^');
	while (*glob) {
		char c = *glob++;
		const char *rest = c == '[' ? store_select_add_class(t, glob) : NULL;

		if (rest) {
			glob = rest;
			continue;
		}
		if (c == '*') {
			text_add(t, ".*");
		} else if (c == '?') {
			text_add_char(t, '.');
		} else {
			if (c == '\\' && *glob)
				c = *glob++;
			if (strchr("\\[](){}.*+?^$|", c))
				text_add_char(t, '\\');
			text_add_char(t, c);
		}
	}
	text_add_char(t, '$');
}

static void store_select_add_match(struct text *t, const char *column, const char *glob,
				   enum fleet_dialect dialect)
{
	_cleanup_(text_done) struct text regex = TEXT_EMPTY;

	fleet_glob_regex(&regex, glob);
	text_addf(t, dialect == FLEET_POSTGRESQL ? "%s ~ " : "match(%s, ", column);
	fleet_quote(t, regex.chars, dialect);
	if (dialect == FLEET_CLICKHOUSE)
		text_add_char(t, ')');
}

static void add_condition(struct text *t, const char **joint, const char *column, const char *glob,
			  enum fleet_dialect dialect)
{
	if (!glob)
		return;
	text_add(t, *joint);
	*joint = " AND ";
	store_select_add_match(t, column, glob, dialect);
}

/* Appends the condition for the sources that @f chooses. */
static void store_select_add_sources(struct text *t, const struct fleet_filter *f,
				     enum fleet_dialect dialect)
{
	const char *in = dialect == FLEET_CLICKHOUSE ? "GLOBAL IN" : "IN";
	_cleanup_(freep) char *first =
		xasprintf(" AND source %s (SELECT id FROM perf_source WHERE ", in);
	const char *joint = first;

	add_condition(t, &joint, "host", f->host, dialect);
	add_condition(t, &joint, "service", f->service, dialect);
	add_condition(t, &joint, "container", f->container, dialect);
	add_condition(t, &joint, "comm", f->comm, dialect);
	if (!strcmp(joint, " AND "))
		text_add_char(t, ')');
	if (f->event) {
		text_addf(t, " AND event %s (SELECT id FROM perf_event WHERE ", in);
		store_select_add_match(t, "name", f->event, dialect);
		text_add_char(t, ')');
	}
}

static int64_t hour_up(int64_t time)
{
	return time > INT64_MAX - HOUR ? time : (time + HOUR - 1) / HOUR * HOUR;
}

/* Appends the SELECT for one part. ClickHouse would take `0 AS minute` for the column. */
static void store_select_add_part(struct text *t, const struct fleet_filter *f,
				  const struct fleet_part *p, enum fleet_dialect dialect)
{
	text_addf(t,
		  "SELECT %s%s AS the_minute, source, event, stack, samples, period FROM %s "
		  "WHERE %s >= %" PRId64 " AND %s < %" PRId64,
		  p->time, f->by_minute ? "" : " * 0", fleet_tables[p->table].name, p->time,
		  p->from, p->time, p->to);
	store_select_add_sources(t, f, dialect);
}

/* True if @f distinguishes, or chooses by, data that sums of hours do not have. */
static bool store_select_needs_minutes(const struct fleet_filter *f)
{
	return f->host || f->container || f->by_minute || f->by_host;
}

static struct fleet_part store_select_minutes(int64_t from, int64_t to)
{
	return (struct fleet_part){ FLEET_SAMPLE, "minute", from, to };
}

size_t fleet_parts(const struct fleet_filter *f, int64_t rolled,
		   struct fleet_part ret[FLEET_PARTS_MAX])
{
	int64_t from = hour_up(f->since);
	int64_t to = (rolled < f->until ? rolled : f->until) / HOUR * HOUR;
	size_t n = 0;

	if (store_select_needs_minutes(f) || from >= to) {
		ret[0] = store_select_minutes(f->since, f->until);
		return 1;
	}
	ret[n++] = (struct fleet_part){ FLEET_HOUR, "hour", from, to };
	if (f->since < from)
		ret[n++] = store_select_minutes(f->since, from);
	if (to < f->until)
		ret[n++] = store_select_minutes(to, f->until);
	return n;
}

/* Appends the SELECT of all parts, without adding up. */
static void store_select_add_rows(struct text *t, const struct fleet_filter *f, int64_t rolled,
				  enum fleet_dialect dialect)
{
	struct fleet_part parts[FLEET_PARTS_MAX];
	size_t n = fleet_parts(f, rolled, parts);

	for (size_t i = 0; i < n; i++) {
		const struct fleet_part unrolled = store_select_minutes(parts[i].from, parts[i].to);

		if (i)
			text_add(t, " UNION ALL ");
		store_select_add_part(t, f, &parts[i], dialect);
		if (parts[i].table != FLEET_HOUR || dialect != FLEET_POSTGRESQL)
			continue;
		/* These are the samples that are in no sum yet. */
		text_add(t, " UNION ALL ");
		store_select_add_part(t, f, &unrolled, dialect);
		text_add(t, " AND (minute, batch) IN "
			    "(SELECT minute, id FROM perf_batch WHERE rolled = 0)");
	}
}

/* Returns the type of sums. PostgreSQL's sums have unlimited size, and are slow to add up again. */
static const char *sum_type(enum fleet_dialect dialect)
{
	return dialect == FLEET_POSTGRESQL ? "::bigint" : "";
}

/* Appends sums over few columns, because sources have texts, which are slower to compare. */
static void store_select_add_sums(struct text *t, const struct fleet_filter *f, int64_t rolled,
				  enum fleet_dialect dialect)
{
	const char *type = sum_type(dialect);

	text_addf(t,
		  "SELECT the_minute, source, event, stack, sum(samples)%s AS samples, "
		  "sum(period)%s AS period FROM (",
		  type, type);
	store_select_add_rows(t, f, rolled, dialect);
	text_add(t, ") AS parts GROUP BY the_minute, source, event, stack");
}

/* Appends the sums by innermost frame, which replaces the stack. */
static void add_function_sums(struct text *t, const struct fleet_filter *f, int64_t rolled,
			      enum fleet_dialect dialect)
{
	const char *type = sum_type(dialect);

	text_addf(t,
		  "SELECT the_minute, source, event, coalesce(frame, 0) AS the_frame, "
		  "sum(samples)%s AS samples, sum(period)%s AS period FROM (",
		  type, type);
	store_select_add_sums(t, f, rolled, dialect);
	text_addf(t,
		  ") AS stacks %s perf_stack ON perf_stack.id = stack "
		  "GROUP BY the_minute, source, event, frame",
		  dialect == FLEET_CLICKHOUSE ? "GLOBAL ANY LEFT JOIN" : "LEFT JOIN");
}

/* Appends the text by which sources are distinguished: fleet_whose(). */
static void add_whose(struct text *t, const struct fleet_filter *f, enum fleet_dialect dialect)
{
	const char *host = f->by_host ? "host" : "''";

	if (!f->by_service)
		text_add(t, host);
	else
		text_addf(t,
			  dialect == FLEET_CLICKHOUSE ? "concat(%s, '/', service)"
						      : "%s || '/' || service",
			  host);
}

void fleet_whose(struct text *t, const struct fleet_filter *f, const char *host,
		 const char *service)
{
	text_add(t, f->by_host ? host : "");
	if (f->by_service)
		text_addf(t, "/%s", service);
}

/* Appends the SELECT of what stacks add up to, in no order. */
static void store_select_add_weights(struct text *t, const struct fleet_filter *f, int64_t rolled,
				     enum fleet_dialect dialect)
{
	const char *stack = f->by_function ? "the_frame" : "stack";

	text_add(t, "SELECT the_minute, ");
	add_whose(t, f, dialect);
	text_addf(t,
		  " AS the_host, comm, event, %s, sum(samples) AS n_samples, "
		  "sum(period) AS all_period FROM (",
		  stack);
	if (f->by_function)
		add_function_sums(t, f, rolled, dialect);
	else
		store_select_add_sums(t, f, rolled, dialect);
	text_addf(t,
		  ") AS sums %s perf_source ON perf_source.id = source "
		  "GROUP BY the_minute, the_host, comm, event, %s",
		  dialect == FLEET_CLICKHOUSE ? "GLOBAL ANY INNER JOIN" : "JOIN", stack);
}

/* Appends the SELECT of cells: fleet_thirds() in SQL. */
static void store_select_add_cells(struct text *t, const struct fleet_filter *f, int64_t rolled,
				   enum fleet_dialect dialect)
{
	bool is_clickhouse = dialect == FLEET_CLICKHOUSE;

	text_addf(t,
		  "SELECT the_minute + %d * part AS moment, the_host, comm, event, 0 AS stack, "
		  "sum(%s(n_samples + part, %d)) AS cell_samples, "
		  "sum(CASE WHEN part = 0 THEN all_period ELSE 0 END) AS all_period FROM (",
		  FLEET_THIRD_S, is_clickhouse ? "intDiv" : "div", FLEET_THIRDS);
	if (is_clickhouse)
		text_add(t, "SELECT *, toInt64(arrayJoin([0, 1, 2])) AS part FROM (");
	store_select_add_weights(t, f, rolled, dialect);
	text_addf(t,
		  ") AS stacks%s WHERE part = 0 OR n_samples + part >= %d "
		  "GROUP BY moment, the_host, comm, event",
		  is_clickhouse ? ")" : " CROSS JOIN generate_series(0, 2) AS part", FLEET_THIRDS);
}

void fleet_select_weights(struct text *t, const struct fleet_filter *f, int64_t rolled,
			  enum fleet_dialect dialect)
{
	const char *stack = f->by_function ? "the_frame" : "stack";

	if (f->by_cell) {
		store_select_add_cells(t, f, rolled, dialect);
		text_add(t, " ORDER BY moment, the_host, event, all_period DESC, comm");
		return;
	}
	store_select_add_weights(t, f, rolled, dialect);
	text_addf(t, " ORDER BY the_minute, the_host, event, all_period DESC, %s, comm", stack);
}
