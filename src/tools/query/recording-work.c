/* SPDX-License-Identifier: MIT */
#include "tools/query/recording-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/workers.h"
#include "profile/sample-table.h"
#include "profile/stack-numbers.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/query/record-rows-work.h"
#include "tools/query/rows-work.h"
#include "tools/query/stack-rows-work.h"

#define WORKERS_MAX 16
#define ALL_COLUMNS UINT64_MAX

/* The contents of a table, and the columns and rows that are requested. */
struct table_state {
	struct rows *rows; /* NULL: no rows were read */
	uint64_t columns;  /* the columns that @rows have */
	struct wanted_rows only;
	bool is_wanted;
	uint64_t wanted;
	struct wanted_rows wanted_only;
	struct sample_table_maker *maker; /* while the table is read */
	const char **fields;
	size_t *field_columns; /* the SQL column of each field */
	size_t n_fields;
	bool *events; /* by index: the events that are accepted */
};

struct recording {
	struct recording_source source;
	struct session *session;
	struct workers *workers;
	struct query_tables catalog;
	struct table_state *states; /* one for each table */
	struct stack_numbers *stacks;
};

int recording_open(const struct recording_source *source, struct recording **ret, struct diag *diag)
{
	_cleanup_(recording_freep) struct recording *r = xcalloc(1, sizeof(*r));
	int status;

	r->source = *source;
	status = source->open(source->arg, &r->session, diag);
	if (status < 0)
		return status;
	status = session_scan(r->session, diag);
	if (status == -ESPIPE)
		status = session_feed(r->session, NULL, &(struct consumer){ 0 }, diag);
	if (status < 0)
		return status;
	r->workers = workers_new(0, WORKERS_MAX);
	query_tables_make(&r->catalog, r->session);
	r->states = xcalloc(r->catalog.n, sizeof(*r->states));
	*ret = TAKE(r);
	return 0;
}

void recording_free(struct recording *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->catalog.n; i++)
		rows_free(r->states[i].rows);
	free(r->states);
	stack_numbers_free(r->stacks);
	workers_free(r->workers);
	query_tables_done(&r->catalog);
	session_free(r->session);
	free(r);
}

const struct query_tables *recording_tables(const struct recording *r)
{
	return &r->catalog;
}

struct session *recording_session(const struct recording *r)
{
	return r->session;
}

const struct stack_numbers *recording_stacks(const struct recording *r)
{
	return r->stacks;
}

void recording_begin(struct recording *r)
{
	for (size_t i = 0; i < r->catalog.n; i++)
		r->states[i].is_wanted = false;
}

/* Widens @a so that it also accepts all that @b accepts. */
static void recording_widen(struct wanted_rows *a, const struct wanted_rows *b)
{
	a->by_time &= b->by_time;
	a->from_ns = b->from_ns < a->from_ns ? b->from_ns : a->from_ns;
	a->to_ns = b->to_ns > a->to_ns ? b->to_ns : a->to_ns;
	a->by_cpu &= b->by_cpu && a->cpu == b->cpu;
	a->by_pid &= b->by_pid && a->pid == b->pid;
	a->by_tid &= b->by_tid && a->tid == b->tid;
	if (strcmp(a->event, b->event) != 0)
		a->event[0] = '\0';
}

void recording_want(struct recording *r, size_t table, uint64_t columns,
		    const struct wanted_rows *only)
{
	struct table_state *s = &r->states[table];

	if (s->is_wanted) {
		s->wanted |= columns;
		recording_widen(&s->wanted_only, only);
		return;
	}
	s->is_wanted = true;
	s->wanted = columns;
	s->wanted_only = *only;
}

/* True if @a accepts all that @b accepts. */
static bool passes_all_of(const struct wanted_rows *a, const struct wanted_rows *b)
{
	if (a->by_time && (!b->by_time || b->from_ns < a->from_ns || b->to_ns > a->to_ns))
		return false;
	return (!a->by_cpu || (b->by_cpu && a->cpu == b->cpu)) &&
	       (!a->by_pid || (b->by_pid && a->pid == b->pid)) &&
	       (!a->by_tid || (b->by_tid && a->tid == b->tid)) &&
	       (!a->event[0] || !strcmp(a->event, b->event));
}

static bool is_enough(const struct table_state *s)
{
	return s->rows && !(s->wanted & ~s->columns) && passes_all_of(&s->only, &s->wanted_only);
}

size_t recording_estimate(const struct recording *r, size_t table)
{
	const struct table_state *s = &r->states[table];
	size_t samples = (size_t)session_counts(r->session)->samples;

	if (s->rows)
		return rows_count(s->rows);
	switch (r->catalog.items[table].kind) {
	case QUERY_TABLE_SAMPLES:
		return r->catalog.items[table].event ? samples / 4 : samples;
	case QUERY_TABLE_STACK_FRAMES:
		return samples;
	case QUERY_TABLE_STACKS:
	case QUERY_TABLE_FRAMES:
		return samples / 16;
	default:
		return 1000;
	}
}

static bool is_wanted_column(uint64_t columns, size_t i)
{
	return columns >> (i < 63 ? i : 63) & 1;
}

static bool is_of_stacks(enum query_table_kind kind)
{
	return kind == QUERY_TABLE_STACKS || kind == QUERY_TABLE_STACK_FRAMES ||
	       kind == QUERY_TABLE_FRAMES;
}

static bool wants_stacks(const struct recording *r, size_t table)
{
	const struct query_table *t = &r->catalog.items[table];

	if (t->kind != QUERY_TABLE_SAMPLES)
		return is_of_stacks(t->kind);
	for (size_t i = 0; i < t->n_columns; i++)
		if (is_wanted_column(r->states[table].wanted, i) &&
		    !strcmp(t->columns[i].field, "stack_id"))
			return true;
	return false;
}

/* One reading of everything that is requested and not read yet. */
struct reading_rows {
	struct recording *r;
	struct session *pump; /* source of samples: another session for a stream */
	bool with_stacks;
	bool *wanted; /* one for each event */
	size_t n_events;
	struct diag *diag;
};

static bool is_wanted_event(void *arg, const struct session_event *e)
{
	const struct reading_rows *rd = arg;

	return e->index < rd->n_events && rd->wanted[e->index];
}

static void select_events(struct reading_rows *rd, size_t table)
{
	const struct query_table *t = &rd->r->catalog.items[table];
	struct table_state *s = &rd->r->states[table];

	s->events = xcalloc(rd->n_events + 1, sizeof(*s->events));
	for (size_t i = 0; i < rd->n_events; i++) {
		const char *only = s->wanted_only.event;

		s->events[i] = (!t->events || (i < t->n_events && t->events[i])) &&
			       (!*only || !strcmp(session_event(rd->r->session, i)->name, only));
		rd->wanted[i] |= s->events[i];
	}
}

static struct sample_selection recording_selection_of(const struct reading_rows *rd,
						      const struct table_state *s)
{
	const struct wanted_rows *w = &s->wanted_only;

	return (struct sample_selection){
		.events = s->events,
		.n_events = rd->n_events,
		.by_time = w->by_time,
		.by_cpu = w->by_cpu,
		.by_pid = w->by_pid,
		.by_tid = w->by_tid,
		.from_ns = w->from_ns,
		.to_ns = w->to_ns,
		.cpu = w->cpu,
		.pid = w->pid,
		.tid = w->tid,
	};
}

/* Chooses the columns to read. */
static void choose_fields(struct recording *r, size_t table)
{
	const struct query_table *t = &r->catalog.items[table];
	struct table_state *s = &r->states[table];

	s->fields = xcalloc(t->n_columns + 1, sizeof(*s->fields));
	s->field_columns = xcalloc(t->n_columns + 1, sizeof(*s->field_columns));
	s->n_fields = 0;
	for (size_t i = 0; i < t->n_columns; i++) {
		if (!is_wanted_column(s->wanted, i))
			continue;
		s->fields[s->n_fields] = t->columns[i].field;
		s->field_columns[s->n_fields++] = i;
	}
}

static int make_maker(struct reading_rows *rd, size_t table)
{
	struct recording *r = rd->r;
	struct table_state *s = &r->states[table];
	struct sample_table_options o = {
		.session = r->session,
		.max_stack = r->source.max_stack,
		.n_workers = workers_count(r->workers),
		.for_queries = true,
		.stacks = r->stacks,
	};

	choose_fields(r, table);
	select_events(rd, table);
	o.only = recording_selection_of(rd, s);
	o.fields = s->fields;
	o.n_fields = s->n_fields;
	return sample_table_maker_new(&o, &s->maker, rd->diag);
}

static void release_maker(struct table_state *s)
{
	sample_table_maker_free(TAKE(s->maker));
	free(TAKE(s->fields));
	free(TAKE(s->field_columns));
	free(TAKE(s->events));
}

static int recording_on_samples(void *arg, const struct sample_batch *b)
{
	const struct reading_rows *rd = arg;
	struct recording *r = rd->r;
	const uint32_t *nodes = NULL;

	if (rd->with_stacks)
		stack_numbers_take(r->stacks, b, &nodes);
	for (size_t i = 0; i < r->catalog.n; i++)
		if (r->states[i].maker)
			sample_table_take_stacks(r->states[i].maker, b, nodes);
	return 0;
}

static int time_column(const struct query_table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].field ? !strcmp(t->columns[i].field, "time")
					: !strcmp(t->columns[i].name, "time"))
			return (int)i;
	return -1;
}

/* Makes @t the rows of @table. */
static void keep_rows(struct recording *r, size_t table, struct sample_table *t, int *columns)
{
	struct table_state *s = &r->states[table];
	const struct query_table *about = &r->catalog.items[table];

	rows_free(s->rows);
	s->rows = rows_new(t, columns, about->n_columns, time_column(about));
	s->only = s->wanted_only;
}

static void settle_samples(struct recording *r, size_t table)
{
	struct table_state *s = &r->states[table];
	size_t n = r->catalog.items[table].n_columns;
	int *columns = xmalloc((n + 1) * sizeof(*columns));

	for (size_t i = 0; i < n; i++)
		columns[i] = -1;
	for (size_t i = 0; i < s->n_fields; i++)
		columns[s->field_columns[i]] = (int)i;
	keep_rows(r, table, sample_table_settle(s->maker, r->workers), columns);
	s->columns = s->wanted;
}

static void keep_all_columns(struct recording *r, size_t table, struct sample_table *t)
{
	size_t n = r->catalog.items[table].n_columns;
	int *columns = xmalloc((n + 1) * sizeof(*columns));

	for (size_t i = 0; i < n; i++)
		columns[i] = (int)i;
	keep_rows(r, table, t, columns);
	r->states[table].columns = ALL_COLUMNS;
	r->states[table].only = (struct wanted_rows){ 0 };
}

static bool is_missing(const struct recording *r, size_t table)
{
	return r->states[table].is_wanted && !is_enough(&r->states[table]);
}

/* Plans what has to be read. *@ret_any is false if there is nothing to read. */
static int plan_reading(struct reading_rows *rd, bool *ret_any)
{
	struct recording *r = rd->r;
	int status;

	for (size_t i = 0; i < r->catalog.n; i++)
		rd->with_stacks |= is_missing(r, i) && wants_stacks(r, i);
	if (rd->with_stacks) {
		stack_numbers_free(r->stacks);
		r->stacks = stack_numbers_new(r->session, r->source.max_stack,
					      workers_count(r->workers));
		for (size_t i = 0; i < rd->n_events; i++)
			rd->wanted[i] = session_event(r->session, i)->attr.sample_type &
					PERF_SAMPLE_CALLCHAIN;
	}
	*ret_any = rd->with_stacks;
	for (size_t i = 0; i < r->catalog.n; i++) {
		if (!is_missing(r, i) || r->catalog.items[i].kind != QUERY_TABLE_SAMPLES)
			continue;
		status = make_maker(rd, i);
		if (status < 0)
			return status;
		*ret_any = true;
	}
	return 0;
}

static int open_pump(struct recording *r, struct session **ret, struct diag *diag)
{
	if (session_is_stream(r->session))
		return r->source.open(r->source.arg, ret, diag);
	*ret = r->session;
	return 0;
}

static int recording_read_samples(struct reading_rows *rd)
{
	const struct consumer consumer = {
		.order = CONSUMER_ANY_ORDER,
		.wants = is_wanted_event,
		.samples = recording_on_samples,
		.arg = rd,
	};
	struct recording *r = rd->r;
	struct session *pump = NULL;
	int status = open_pump(r, &pump, rd->diag);

	if (status < 0)
		return status;
	status = session_feed(pump, r->workers, &consumer, rd->diag);
	if (status >= 0 && rd->with_stacks)
		stack_numbers_settle(r->stacks);
	for (size_t i = 0; status >= 0 && i < r->catalog.n; i++)
		if (r->states[i].maker)
			settle_samples(r, i);
	if (pump != r->session)
		session_free(pump);
	return status;
}

static int read_wanted_samples(struct recording *r, struct diag *diag)
{
	struct reading_rows rd = { .r = r, .diag = diag };
	bool any;
	int status;

	rd.n_events = session_event_count(r->session);
	rd.wanted = xcalloc(rd.n_events + 1, sizeof(*rd.wanted));
	status = plan_reading(&rd, &any);
	if (status >= 0 && any)
		status = recording_read_samples(&rd);
	for (size_t i = 0; i < r->catalog.n; i++)
		release_maker(&r->states[i]);
	free(rd.wanted);
	return status;
}

/* Makes the tables that come from known data, or from records other than samples. */
static int make_other_rows(struct recording *r, struct diag *diag)
{
	for (size_t i = 0; i < r->catalog.n; i++) {
		const struct query_table *t = &r->catalog.items[i];
		struct sample_table *made = NULL;
		struct session *pump = NULL;
		int status;

		if (!is_missing(r, i) || t->kind == QUERY_TABLE_SAMPLES)
			continue;
		if (is_of_stacks(t->kind)) {
			keep_all_columns(r, i, stack_rows(t, r->stacks));
			continue;
		}
		if (t->kind == QUERY_TABLE_EVENTS) {
			keep_all_columns(r, i, event_rows(t, r->session));
			continue;
		}
		status = open_pump(r, &pump, diag);
		if (status >= 0)
			status = record_rows(t, pump, &made, diag);
		if (pump && pump != r->session)
			session_free(pump);
		if (status < 0)
			return status;
		keep_all_columns(r, i, made);
	}
	return 0;
}

int recording_rows(struct recording *r, size_t table, struct rows **ret, struct diag *diag)
{
	struct table_state *s = &r->states[table];
	int status;

	if (!is_enough(s)) {
		status = read_wanted_samples(r, diag);
		if (status >= 0)
			status = make_other_rows(r, diag);
		if (status < 0)
			return status;
	}
	*ret = s->rows;
	return 0;
}
