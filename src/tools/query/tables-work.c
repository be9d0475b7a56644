/* SPDX-License-Identifier: MIT */
#include "tools/query/tables-work.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/wall-clock.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

enum {
	IS_TEXT = 1 << 0,
	IS_HIDDEN = 1 << 1,
	ALSO_OF_TRACEPOINTS = 1 << 2, /* tables of tracepoints have it too */
	IF_ADDED_UP = 1 << 3,         /* hidden unless samples are sums */
};

/* The columns of samples. Those that were not recorded are hidden. */
static const struct {
	const char *name;
	unsigned flags;
	uint64_t recorded; /* PERF_SAMPLE_*; 0: always there */
} sample_columns[] = {
	{ "time", ALSO_OF_TRACEPOINTS, 0 },
	{ "cpu", ALSO_OF_TRACEPOINTS, 0 },
	{ "pid", ALSO_OF_TRACEPOINTS, 0 },
	{ "tid", ALSO_OF_TRACEPOINTS, 0 },
	{ "comm", IS_TEXT | ALSO_OF_TRACEPOINTS, 0 },
	{ "event", IS_TEXT, 0 },
	{ "samples", IF_ADDED_UP, 0 },
	{ "period", 0, 0 },
	{ "ip", 0, 0 },
	{ "symbol", IS_TEXT, 0 },
	{ "dso", IS_TEXT, 0 },
	{ "mode", IS_TEXT, 0 },
	{ "stack_id", ALSO_OF_TRACEPOINTS, PERF_SAMPLE_CALLCHAIN },
	{ "addr", 0, PERF_SAMPLE_ADDR },
	{ "weight", 0, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT },
	{ "ins_latency", 0, PERF_SAMPLE_WEIGHT_STRUCT },
	{ "p_stage_cyc", 0, PERF_SAMPLE_WEIGHT_STRUCT },
	{ "data_src", 0, PERF_SAMPLE_DATA_SRC },
	{ "transaction", 0, PERF_SAMPLE_TRANSACTION },
	{ "phys_addr", 0, PERF_SAMPLE_PHYS_ADDR },
	{ "data_page_size", 0, PERF_SAMPLE_DATA_PAGE_SIZE },
	{ "code_page_size", 0, PERF_SAMPLE_CODE_PAGE_SIZE },
	{ "host", IS_TEXT | IF_ADDED_UP, PERF_SAMPLE_CGROUP },
	{ "service", IS_TEXT | IF_ADDED_UP, PERF_SAMPLE_CGROUP },
	{ "cgroup", 0, PERF_SAMPLE_CGROUP },
	{ "symoff", IS_HIDDEN, 0 },
	{ "id", IS_HIDDEN, 0 },
	{ "stream_id", IS_HIDDEN, 0 },
	{ "misc", IS_HIDDEN, 0 },
};

/* Tables that every recording has. "name*" is a column of texts. */
static const struct {
	const char *name;
	enum query_table_kind kind;
	const char *columns;
	const char *about;
} fixed_tables[] = {
	{ "events", QUERY_TABLE_EVENTS,
	  "event_id name* system* tracepoint* type config sample_type sample_period sample_freq "
	  "leader_id unit*",
	  "what was recorded" },
	{ "tasks", QUERY_TABLE_TASKS, "tid pid ptid ppid comm* start_time end_time",
	  "threads that the records name" },
	{ "stacks", QUERY_TABLE_STACKS, "stack_id depth frame_id symbol* dso* folded*",
	  "distinct stacks; the frame is the innermost" },
	{ "stack_frames", QUERY_TABLE_STACK_FRAMES, "stack_id level frame_id symbol* dso*",
	  "each frame of each stack, level 0 innermost" },
	{ "frames", QUERY_TABLE_FRAMES, "frame_id symbol* dso* addr mode* inlined",
	  "distinct functions in stacks" },
	{ "comms", QUERY_TABLE_COMMS, "time cpu pid tid comm* exec", "names of threads" },
	{ "mmaps", QUERY_TABLE_MMAPS,
	  "time cpu pid tid addr len pgoff prot flags dso* build_id* major minor inode",
	  "what was mapped" },
	{ "forks", QUERY_TABLE_FORKS, "time cpu pid tid ppid ptid", "new threads and processes" },
	{ "exits", QUERY_TABLE_EXITS, "time cpu pid tid ppid ptid", "ends of threads" },
	{ "lost", QUERY_TABLE_LOST, "time cpu event* lost kind*",
	  "records and samples that were lost" },
	{ "switches", QUERY_TABLE_SWITCHES, "time cpu pid tid out preempt other_pid other_tid",
	  "context switches (record --switch-events)" },
	{ "throttles", QUERY_TABLE_THROTTLES, "time cpu event* kind*",
	  "when the kernel paused and resumed sampling" },
};

static const struct query_column *column_find(const struct query_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (!strcasecmp(t->columns[i].name, name))
			return &t->columns[i];
	return NULL;
}

/*
 * Adds a column. Takes ownership of @name and @field. A column whose name exists already is
 * omitted.
 */
static void query_tables_add_column(struct query_table *t, char *name, char *field, unsigned flags)
{
	if (!*name || column_find(t, name)) {
		free(name);
		free(field);
		return;
	}
	t->columns = array_reserve(t->columns, &t->room, t->n_columns + 1, sizeof(*t->columns));
	t->columns[t->n_columns++] = (struct query_column){
		.name = name,
		.field = field,
		.is_text = flags & IS_TEXT,
		.is_hidden = flags & IS_HIDDEN,
	};
}

static uint64_t query_tables_recorded_of(const struct session *s, const struct query_table *t)
{
	uint64_t all = 0;

	for (size_t i = 0; i < session_event_count(s); i++)
		if (!t->events || (i < t->n_events && t->events[i]))
			all |= session_event(s, i)->attr.sample_type;
	return all;
}

static bool query_tables_is_shown(size_t i, bool tracepoint, bool is_foreign, uint64_t recorded)
{
	uint64_t needs = sample_columns[i].recorded;

	if (sample_columns[i].flags & IS_HIDDEN)
		return false;
	if (sample_columns[i].flags & IF_ADDED_UP && !is_foreign)
		return false;
	if (tracepoint && !(sample_columns[i].flags & ALSO_OF_TRACEPOINTS))
		return false;
	return !needs || needs & recorded;
}

/*
 * Adds columns of samples: those that are shown if @shown, or else the others. With @prefix it adds
 * all, hidden.
 */
static void add_sample_columns(struct query_table *t, const struct session *s, bool shown,
			       const char *prefix)
{
	uint64_t recorded = query_tables_recorded_of(s, t);

	for (size_t i = 0; i < ARRAY_SIZE(sample_columns); i++) {
		unsigned text = sample_columns[i].flags & IS_TEXT;
		bool is = query_tables_is_shown(i, t->event, session_is_foreign(s), recorded);

		if (*prefix ? !(sample_columns[i].flags & ALSO_OF_TRACEPOINTS) : is != shown)
			continue;
		query_tables_add_column(t, xasprintf("%s%s", prefix, sample_columns[i].name),
					xstrdup(sample_columns[i].name),
					text | (*prefix || !is ? IS_HIDDEN : 0));
	}
}

static struct query_table *query_tables_add_table(struct query_tables *c, char *name)
{
	struct query_table *t;

	c->items = array_reserve(c->items, &c->room, c->n + 1, sizeof(*c->items));
	t = &c->items[c->n++];
	*t = (struct query_table){ .name = name };
	return t;
}

static void query_tables_add_samples(struct query_tables *c, const struct session *s)
{
	struct query_table *t = query_tables_add_table(c, xstrdup("samples"));

	t->kind = QUERY_TABLE_SAMPLES;
	t->about = "samples of all events";
	add_sample_columns(t, s, true, "");
	add_sample_columns(t, s, false, "");
	add_sample_columns(t, s, true, "sample_");
}

static void query_tables_add_fixed(struct query_tables *c, size_t i)
{
	struct query_table *t = query_tables_add_table(c, xstrdup(fixed_tables[i].name));

	t->kind = fixed_tables[i].kind;
	t->about = fixed_tables[i].about;
	for (const char *at = fixed_tables[i].columns; *at;) {
		size_t n = strcspn(at, " *");

		query_tables_add_column(t, xasprintf("%.*s", (int)n, at), NULL,
					at[n] == '*' ? IS_TEXT : 0);
		at += n;
		at += strspn(at, " *");
	}
}

static void query_tables_add_fields(struct query_table *t, const struct tracepoint_format *f,
				    bool common)
{
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];
		bool number = !field->is_string && field_ref_of(field, false).kind == FIELD_NUMBER;

		if (field->is_common == common)
			query_tables_add_column(t, xstrdup(field->name),
						xasprintf(".%s", field->name),
						(number ? 0 : IS_TEXT) | (common ? IS_HIDDEN : 0));
	}
}

/*
 * Adds the columns of a tracepoint. The sample's columns come first, but are renamed if a field has
 * the same name.
 */
static void add_tracepoint_columns(struct query_table *t, const struct session *s,
				   const struct tracepoint_format *f)
{
	struct query_table own = { .event = t->event,
				   .events = t->events,
				   .n_events = t->n_events };
	struct query_table fields = { 0 };

	add_sample_columns(&own, s, true, "");
	query_tables_add_fields(&fields, f, false);
	for (size_t i = 0; i < own.n_columns; i++) {
		struct query_column *c = &own.columns[i];
		char *name = column_find(&fields, c->name) ? xasprintf("sample_%s", c->name)
							   : xstrdup(c->name);

		query_tables_add_column(t, name, xstrdup(c->field), c->is_text ? IS_TEXT : 0);
		free(c->name);
		free(c->field);
	}
	free(own.columns);
	for (size_t i = 0; i < fields.n_columns; i++) {
		struct query_column *c = &fields.columns[i];

		query_tables_add_column(t, c->name, c->field, c->is_text ? IS_TEXT : 0);
	}
	free(fields.columns);
	query_tables_add_fields(t, f, true);
	add_sample_columns(t, s, false, "");
	add_sample_columns(t, s, true, "sample_");
}

/* True if the name is taken: by a tracepoint of another system, or by a table. */
static bool query_tables_is_taken(const struct query_tables *c, const struct session *s,
				  const struct session_event *e)
{
	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *other = session_event(s, i);

		if (other->format && !strcasecmp(other->tracepoint, e->tracepoint) &&
		    strcmp(other->system, e->system) != 0)
			return true;
	}
	return query_tables_find(c, e->tracepoint) != NULL;
}

static void add_tracepoint(struct query_tables *c, const struct session *s,
			   const struct session_event *e)
{
	size_t n = session_event_count(s);
	char *name = query_tables_is_taken(c, s, e) ? xasprintf("%s_%s", e->system, e->tracepoint)
						    : xstrdup(e->tracepoint);
	struct query_table *t;

	if (query_tables_find(c, name)) {
		free(name);
		return;
	}
	t = query_tables_add_table(c, name);
	t->kind = QUERY_TABLE_SAMPLES;
	t->event = xasprintf("%s:%s", e->system, e->tracepoint);
	t->events = xcalloc(n, sizeof(*t->events));
	t->n_events = n;
	for (size_t i = 0; i < n; i++) {
		const struct session_event *other = session_event(s, i);

		t->events[i] = other->format && !strcmp(other->system, e->system) &&
			       !strcmp(other->tracepoint, e->tracepoint);
	}
	add_tracepoint_columns(t, s, e->format);
}

/* True if @e is the first event of its tracepoint. */
static bool query_tables_is_first(const struct session *s, const struct session_event *e)
{
	for (size_t i = 0; i < e->index; i++) {
		const struct session_event *other = session_event(s, i);

		if (other->format && !strcmp(other->system, e->system) &&
		    !strcmp(other->tracepoint, e->tracepoint))
			return false;
	}
	return true;
}

/* True if every sample has a time. Sums of waits are samples without a time (SAMPLE_TIME_SUM). */
static bool always_has_time(const struct session_event *e)
{
	return e->attr.sample_type & PERF_SAMPLE_TIME && strcmp(e->name, WALL_CLOCK_OFF_CPU) != 0;
}

/*
 * Marks the times of samples as always present if every event has them. SQLite then finds min() of
 * such a column at once.
 */
static void mark_times(struct query_table *t, const struct session *s)
{
	bool always = true;

	for (size_t i = 0; i < session_event_count(s); i++)
		if (!t->events || (i < t->n_events && t->events[i]))
			always &= always_has_time(session_event(s, i));
	for (size_t i = 0; i < t->n_columns; i++)
		t->columns[i].is_always = always && t->columns[i].field &&
					  !strcmp(t->columns[i].field, "time");
}

void query_tables_make(struct query_tables *ret, const struct session *s)
{
	*ret = (struct query_tables){ 0 };
	query_tables_add_samples(ret, s);
	for (size_t i = 0; i < ARRAY_SIZE(fixed_tables); i++)
		query_tables_add_fixed(ret, i);
	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (e->format && e->system && e->tracepoint && query_tables_is_first(s, e))
			add_tracepoint(ret, s, e);
	}
	for (size_t i = 0; i < ret->n; i++)
		mark_times(&ret->items[i], s);
}

void query_tables_done(struct query_tables *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct query_table *t = &c->items[i];

		for (size_t k = 0; k < t->n_columns; k++) {
			free(t->columns[k].name);
			free(t->columns[k].field);
		}
		free(t->columns);
		free(t->name);
		free(t->event);
		free(t->events);
	}
	free(c->items);
	*c = (struct query_tables){ 0 };
}

const struct query_table *query_tables_find(const struct query_tables *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (!strcasecmp(c->items[i].name, name))
			return &c->items[i];
	return NULL;
}
