/* SPDX-License-Identifier: MIT */
#include "tools/query/virtual-tables-work.h"

#if HAVE_SQLITE3

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/sample-table.h"
#include "tools/query/plan-work.h"
#include "tools/query/recording-work.h"

/* A table that is used by a connection. */
struct used_table {
	sqlite3_vtab base;
	struct table_host *host;
	size_t index; /* its index in the catalog */
	const struct query_table *table;
	int time; /* the column of the sample's or record's time; -1: none */
	struct {
		struct scan_plan *items; /* indexed by idxNum */
		size_t n, room;
	} plans;
};

struct used_cursor {
	sqlite3_vtab_cursor base;
	struct scan scan;
	struct rows *rows;
};

/* Appends the name as an SQL identifier. */
static void tables_add_quoted(struct text *t, const char *name)
{
	text_add_char(t, '"');
	for (; *name; name++) {
		if (*name == '"')
			text_add_char(t, '"');
		text_add_char(t, *name);
	}
	text_add_char(t, '"');
}

static int tables_declare(sqlite3 *db, const struct query_table *table)
{
	struct text sql = TEXT_EMPTY;
	int status;

	text_add(&sql, "CREATE TABLE x(");
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct query_column *c = &table->columns[i];

		text_add(&sql, i ? ", " : "");
		tables_add_quoted(&sql, c->name);
		text_add(&sql, c->is_text ? " TEXT" : " INTEGER");
		text_add(&sql, c->is_hidden ? " HIDDEN" : "");
		text_add(&sql, c->is_always ? " NOT NULL" : "");
	}
	text_add_char(&sql, ')');
	status = sqlite3_declare_vtab(db, sql.chars);
	text_done(&sql);
	return status;
}

static bool is_time(const struct query_column *c)
{
	return !strcmp(c->field ? c->field : c->name, "time");
}

/* Connects to a table. The module's argument is the number of the table in the catalog. */
static int table_connect(sqlite3 *db, void *arg, int argc, const char *const *argv,
			 sqlite3_vtab **ret, char **error)
{
	struct table_host *host = arg;
	const struct query_tables *catalog = recording_tables(host->recording);
	size_t index = argc > 3 ? strtoul(argv[3], NULL, 10) : catalog->n;
	struct used_table *t;
	int status;

	(void)error;
	if (index >= catalog->n)
		return SQLITE_ERROR;
	status = tables_declare(db, &catalog->items[index]);
	if (status != SQLITE_OK)
		return status;
	t = xcalloc(1, sizeof(*t));
	t->host = host;
	t->index = index;
	t->table = &catalog->items[index];
	t->time = -1;
	for (size_t i = 0; i < t->table->n_columns && t->time < 0; i++)
		if (is_time(&t->table->columns[i]))
			t->time = (int)i;
	sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	*ret = &t->base;
	return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *vtab)
{
	struct used_table *t = (struct used_table *)vtab;

	free(t->plans.items);
	free(t);
	return SQLITE_OK;
}

static bool operator_of(unsigned char op, enum plan_operator *ret)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		*ret = PLAN_EQUAL;
		return true;
	case SQLITE_INDEX_CONSTRAINT_GT:
	case SQLITE_INDEX_CONSTRAINT_GE:
		*ret = PLAN_ABOVE;
		return true;
	case SQLITE_INDEX_CONSTRAINT_LT:
	case SQLITE_INDEX_CONSTRAINT_LE:
		*ret = PLAN_BELOW;
		return true;
	default:
		return false;
	}
}

/* Converts a value to bounds that accept every number that equals it, or is above or below it. */
static struct plan_bound tables_bound_of(sqlite3_value *v)
{
	double x;

	switch (sqlite3_value_type(v)) {
	case SQLITE_NULL:
		return (struct plan_bound){ .kind = BOUND_NONE };
	case SQLITE_INTEGER:
		return (struct plan_bound){ .kind = BOUND_NUMBER,
					    .low = sqlite3_value_int64(v),
					    .high = sqlite3_value_int64(v) };
	case SQLITE_TEXT:
		return (struct plan_bound){ .kind = BOUND_TEXT,
					    .text = (const char *)sqlite3_value_text(v),
					    .length = (size_t)sqlite3_value_bytes(v) };
	case SQLITE_FLOAT:
		x = sqlite3_value_double(v);
		if (x > -9e18 && x < 9e18)
			return (struct plan_bound){ .kind = BOUND_NUMBER,
						    .low = (int64_t)floor(x),
						    .high = (int64_t)ceil(x) };
	}
	return (struct plan_bound){ .kind = BOUND_ANY };
}

static void want_number(struct wanted_rows *w, const char *field, enum plan_operator op,
			const struct plan_bound *b)
{
	bool one = op == PLAN_EQUAL && b->low == b->high && b->low >= INT32_MIN &&
		   b->low <= INT32_MAX;

	if (!strcmp(field, "time")) {
		if (!w->by_time) {
			w->from_ns = INT64_MIN;
			w->to_ns = INT64_MAX;
		}
		w->by_time = true;
		if (op != PLAN_BELOW && b->low > w->from_ns)
			w->from_ns = b->low;
		if (op != PLAN_ABOVE && b->high < w->to_ns)
			w->to_ns = b->high;
	} else if (one && !strcmp(field, "cpu")) {
		w->by_cpu = true;
		w->cpu = (uint32_t)b->low;
	} else if (one && !strcmp(field, "pid")) {
		w->by_pid = true;
		w->pid = (uint32_t)b->low;
	} else if (one && !strcmp(field, "tid")) {
		w->by_tid = true;
		w->tid = (uint32_t)b->low;
	}
}

/* Narrows the needed samples by a constant condition. */
static void want_constant(const struct used_table *t, sqlite3_index_info *info, int i,
			  enum plan_operator op, struct wanted_rows *w)
{
	const char *field = t->table->columns[info->aConstraint[i].iColumn].field;
	sqlite3_value *value = NULL;
	struct plan_bound b;

	if (!field || sqlite3_vtab_in(info, i, -1) ||
	    sqlite3_vtab_rhs_value(info, i, &value) != SQLITE_OK || !value)
		return;
	b = tables_bound_of(value);
	if (b.kind == BOUND_NUMBER)
		want_number(w, field, op, &b);
	else if (b.kind == BOUND_TEXT && op == PLAN_EQUAL && !strcmp(field, "event") &&
		 b.length < sizeof(w->event) && !strchr(b.text, '\\'))
		memcpy(w->event, b.text, b.length + 1);
}

/*
 * Returns a guess of the number of parts into which a column's values divide the rows: a larger
 * number means fewer rows for a value.
 */
static unsigned tables_selectivity(const struct query_column *c)
{
	static const struct {
		const char *name;
		unsigned parts;
	} known[] = {
		{ "cpu", 4 },         { "event", 2 },       { "mode", 2 },      { "comm", 8 },
		{ "pid", 16 },        { "tid", 32 },        { "symbol", 100 },  { "dso", 8 },
		{ "stack_id", 1000 }, { "frame_id", 1000 }, { "time", 100000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcasecmp(known[i].name, c->name))
			return known[i].parts;
	return 50;
}

struct planning {
	const struct used_table *t;
	sqlite3_index_info *info;
	struct scan_plan plan;
	struct wanted_rows only;
	unsigned parts;      /* the lookup finds one of this number of parts of the rows */
	unsigned range_ends; /* the ends of a range of time */
	bool has_changing;   /* some condition is not a constant */
};

static bool compares_bytes(struct planning *p, int i)
{
	const char *collation = sqlite3_vtab_collation(p->info, i);

	return !p->t->table->columns[p->info->aConstraint[i].iColumn].is_text ||
	       (collation && !strcasecmp(collation, "BINARY"));
}

static void plan_condition(struct planning *p, int i)
{
	const struct sqlite3_index_constraint *c = &p->info->aConstraint[i];
	struct scan_plan *plan = &p->plan;
	enum plan_operator op;
	unsigned parts;
	sqlite3_value *value = NULL;

	if (!c->usable || c->iColumn < 0 || !operator_of(c->op, &op) || !compares_bytes(p, i))
		return;
	want_constant(p->t, p->info, i, op, &p->only);
	if (plan->n_conditions == PLAN_CONDITIONS_MAX)
		return;
	p->has_changing |= sqlite3_vtab_rhs_value(p->info, i, &value) != SQLITE_OK;
	plan->conditions[plan->n_conditions] = (struct plan_condition){ c->iColumn, op };
	p->info->aConstraintUsage[i].argvIndex = (int)++plan->n_conditions;
	if (c->iColumn == p->t->time && op != PLAN_EQUAL)
		p->range_ends++;
	parts = tables_selectivity(&p->t->table->columns[c->iColumn]);
	if (op == PLAN_EQUAL) {
		p->parts = parts > p->parts ? parts : p->parts;
		plan->looks_up = true;
	}
}

/* Returns rows in the requested order, if that costs less than sorting by SQLite. */
static void plan_order(struct planning *p)
{
	sqlite3_index_info *info = p->info;
	struct scan_plan *plan = &p->plan;
	bool by_time = info->nOrderBy == 1 && p->t->time >= 0 &&
		       info->aOrderBy[0].iColumn == p->t->time;

	if (!info->nOrderBy || info->nOrderBy > ORDER_TERMS_MAX)
		return;
	if (!by_time && (p->has_changing || plan->looks_up))
		return;
	for (int i = 0; i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn < 0)
			return;
	plan->grouped = sqlite3_vtab_distinct(info) == 1 || sqlite3_vtab_distinct(info) == 2;
	plan->n_order = (size_t)info->nOrderBy;
	for (int i = 0; i < info->nOrderBy; i++)
		plan->order[i] = (struct order_term){ info->aOrderBy[i].iColumn,
						      info->aOrderBy[i].desc };
	info->orderByConsumed = 1;
}

static void tables_estimate(struct planning *p)
{
	double rows = (double)recording_estimate(p->t->host->recording, p->t->index) + 1;

	if (p->plan.looks_up)
		rows /= p->parts;
	if (p->range_ends)
		rows /= p->range_ends > 1 ? 100 : 4;
	if (rows < 1)
		rows = 1;
	p->info->estimatedRows = (sqlite3_int64)rows;
	p->info->estimatedCost = rows + 8;
}

static int table_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	struct used_table *t = (struct used_table *)vtab;
	struct planning p = { .t = t, .info = info, .parts = 1 };

	for (int i = 0; i < info->nConstraint; i++)
		plan_condition(&p, i);
	plan_order(&p);
	tables_estimate(&p);
	recording_want(t->host->recording, t->index, info->colUsed, &p.only);
	t->plans.items = array_reserve(t->plans.items, &t->plans.room, t->plans.n + 1,
				       sizeof(*t->plans.items));
	t->plans.items[t->plans.n] = p.plan;
	info->idxNum = (int)t->plans.n++;
	return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **ret)
{
	struct used_cursor *c = xcalloc(1, sizeof(*c));

	(void)vtab;
	*ret = &c->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

/* True if the column has numbers of stacks, which include the number of their recording. */
static bool is_stack_id(const struct query_column *c)
{
	return !strcmp(c->field ? c->field : c->name, "stack_id");
}

static int64_t stack_base(const struct used_table *t)
{
	return (int64_t)t->host->number << STACK_NUMBER_BITS;
}

/* Subtracts @base from a bound. An overflow gives INT64_MIN. */
static int64_t less_base(int64_t bound, int64_t base)
{
	int64_t n;

	return __builtin_sub_overflow(bound, base, &n) ? INT64_MIN : n;
}

static int cursor_filter(sqlite3_vtab_cursor *cursor, int plan_index, const char *text, int argc,
			 sqlite3_value **argv)
{
	struct used_cursor *c = (struct used_cursor *)cursor;
	struct used_table *t = (struct used_table *)cursor->pVtab;
	const struct scan_plan *plan = &t->plans.items[plan_index];
	struct plan_bound bounds[PLAN_CONDITIONS_MAX];
	int r = recording_rows(t->host->recording, t->index, &c->rows, t->host->diag);

	(void)text;
	if (r < 0) {
		t->host->error = r;
		return SQLITE_ERROR;
	}
	for (int i = 0; i < argc; i++) {
		bounds[i] = tables_bound_of(argv[i]);
		if (is_stack_id(&t->table->columns[plan->conditions[i].column])) {
			bounds[i].low = less_base(bounds[i].low, stack_base(t));
			bounds[i].high = less_base(bounds[i].high, stack_base(t));
		}
	}
	scan_begin(&c->scan, c->rows, plan, bounds);
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *cursor)
{
	scan_next(&((struct used_cursor *)cursor)->scan);
	return SQLITE_OK;
}

static int cursor_eof(sqlite3_vtab_cursor *cursor)
{
	return !scan_has_row(&((struct used_cursor *)cursor)->scan);
}

static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int i)
{
	const struct used_cursor *c = (struct used_cursor *)cursor;
	const struct used_table *t = (struct used_table *)cursor->pVtab;
	int64_t value;

	if (!rows_has(c->rows, i) || !rows_number(c->rows, i, scan_row(&c->scan), &value))
		return SQLITE_OK;
	if (rows_is_text(c->rows, i)) {
		size_t length;
		const char *text = sample_names_get(&rows_column(c->rows, i)->names, (size_t)value,
						    &length);

		sqlite3_result_text(out, text, (int)length, SQLITE_STATIC);
	} else if (t->host->number && is_stack_id(&t->table->columns[i])) {
		sqlite3_result_int64(out, value + stack_base(t));
	} else {
		sqlite3_result_int64(out, value);
	}
	return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *ret)
{
	*ret = (sqlite3_int64)scan_row(&((struct used_cursor *)cursor)->scan) + 1;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 2,
	.xCreate = table_connect,
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = table_disconnect,
	.xDestroy = table_disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_filter,
	.xNext = cursor_next,
	.xEof = cursor_eof,
	.xColumn = cursor_column,
	.xRowid = cursor_rowid,
};

int tables_make(sqlite3 *db, struct table_host *host, const char *schema)
{
	const struct query_tables *catalog = recording_tables(host->recording);
	struct text name = TEXT_EMPTY, sql = TEXT_EMPTY;
	int status;

	text_addf(&name, "perf_recording_%u", host->number);
	status = sqlite3_create_module_v2(db, name.chars, &module, host, NULL);
	for (size_t i = 0; status == SQLITE_OK && i < catalog->n; i++) {
		text_clear(&sql);
		text_add(&sql, "CREATE VIRTUAL TABLE ");
		tables_add_quoted(&sql, schema);
		text_add_char(&sql, '.');
		tables_add_quoted(&sql, catalog->items[i].name);
		text_addf(&sql, " USING %s(%zu)", name.chars, i);
		status = sqlite3_exec(db, sql.chars, NULL, NULL, NULL);
	}
	text_done(&name);
	text_done(&sql);
	return status;
}

#endif
