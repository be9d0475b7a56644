/* SPDX-License-Identifier: MIT */
#include "tools/report/threads-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "session/session.h"
#include "tools/report/thread-counts-model.h"
#include "view/table.h"
#include "view/text-flush.h"

/* A row: a thread; or with --pretty raw, one of its events. */
struct row {
	size_t thread, event;
};

/* The data from which cells are made. */
struct report_threads_model {
	const struct thread_counts *counts;
	char **names; /* the events' names, escaped */
};

static const struct row *report_threads_row_of(const struct cell *at)
{
	return at->row;
}

static const struct thread_counts *counts_of(const struct cell *at)
{
	return ((const struct report_threads_model *)at->model)->counts;
}

static struct value report_threads_get_pid(const struct cell *at)
{
	return value_unsigned(counts_of(at)->rows.items[report_threads_row_of(at)->thread].pid);
}

static struct value report_threads_get_tid(const struct cell *at)
{
	return value_unsigned(counts_of(at)->rows.items[report_threads_row_of(at)->thread].tid);
}

/* Returns the count of the column's event. */
static struct value report_threads_get_count(const struct cell *at)
{
	return value_unsigned(thread_counts_value(counts_of(at), report_threads_row_of(at)->thread,
						  at->column->index));
}

/* Returns the name of the row's event. */
static struct value report_threads_get_name(const struct cell *at)
{
	const struct report_threads_model *m = at->model;

	return value_text(m->names[report_threads_row_of(at)->event]);
}

static struct value get_index(const struct cell *at)
{
	return value_unsigned(
		counts_of(at)->columns.items[report_threads_row_of(at)->event]->index);
}

static struct value get_event_count(const struct cell *at)
{
	return value_unsigned(thread_counts_value(counts_of(at), report_threads_row_of(at)->thread,
						  report_threads_row_of(at)->event));
}

#define NUMBER(name, getter)                                                                       \
	{                                                                                          \
		.title = name, .type = VALUE_UNSIGNED, .get = getter                               \
	}

static const struct column raw_columns[] = {
	NUMBER("PID", report_threads_get_pid),
	NUMBER("TID", report_threads_get_tid),
	{ .title = "Name",
	  .type = VALUE_TEXT,
	  .align = ALIGN_RIGHT,
	  .title_align = ALIGN_RIGHT,
	  .get = report_threads_get_name },
	NUMBER("Raw", get_index),
	NUMBER("Count", get_event_count),
};

/*
 * Prints a row for each thread, or for each of @n_events events of each thread. Rows are made one
 * at a time, because all together could be far larger than the recording.
 */
static void report_threads_view_print(const struct report_threads_model *m,
				      const struct column *columns, size_t n_columns,
				      size_t n_events, FILE *out)
{
	const struct table_style style = { .no_dots = true };
	_cleanup_(table_scratch_done) struct table_scratch s = TABLE_SCRATCH;
	_cleanup_(text_done) struct text text = TEXT_EMPTY;
	_cleanup_(table_done) struct table t;

	table_init(&t, columns, n_columns, m, &style);
	for (size_t i = 0; i < m->counts->rows.n; i++)
		for (size_t k = 0; k < n_events; k++)
			table_fit(&t, &(struct row){ i, k }, &s);
	table_add_heads(&t, &text);
	for (size_t i = 0; i < m->counts->rows.n; i++)
		for (size_t k = 0; k < n_events; k++) {
			table_add_row(&t, &(struct row){ i, k }, &s, &text);
			text_flush(&text, out, false);
		}
	text_flush(&text, out, true);
}

static void report_threads_print_table(const struct report_threads_model *m, FILE *out)
{
	size_t n = m->counts->columns.n;
	_cleanup_(freep) struct column *columns = xcalloc(n + 2, sizeof(*columns));

	columns[0] = (struct column)NUMBER("PID", report_threads_get_pid);
	columns[1] = (struct column)NUMBER("TID", report_threads_get_tid);
	for (size_t i = 0; i < n; i++) {
		columns[i + 2] = (struct column)NUMBER(m->names[i], report_threads_get_count);
		columns[i + 2].index = i;
	}
	report_threads_view_print(m, columns, n + 2, 1, out);
}

static char *report_threads_escaped(const char *name)
{
	struct text t = TEXT_EMPTY;

	escape_terminal(&t, name, strlen(name));
	return text_take(&t);
}

void report_threads_print(const struct thread_counts *t, bool raw, FILE *out)
{
	size_t n = t->columns.n;
	_cleanup_(freep) char **names = xcalloc(n + 1, sizeof(names[0]));
	const struct report_threads_model model = { .counts = t, .names = names };

	for (size_t i = 0; i < n; i++)
		names[i] = report_threads_escaped(t->columns.items[i]->name);
	if (raw)
		report_threads_view_print(&model, raw_columns, ARRAY_SIZE(raw_columns), n, out);
	else
		report_threads_print_table(&model, out);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
}
