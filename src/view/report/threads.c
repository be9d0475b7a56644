/* SPDX-License-Identifier: MIT */
#include "view/report/threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "count/thread-counts.h"
#include "session/session.h"

/* Columns are as wide as their widest cell, the title included, and stand on the right. */
static void widen(int *width, uint64_t n)
{
	int digits = snprintf(NULL, 0, "%" PRIu64, n);

	*width = digits > *width ? digits : *width;
}

static int pid_width(const struct thread_counts *t)
{
	int width = strlen("PID");

	for (size_t i = 0; i < t->rows.n; i++)
		widen(&width, t->rows.items[i].pid);
	return width;
}

static int tid_width(const struct thread_counts *t)
{
	int width = strlen("TID");

	for (size_t i = 0; i < t->rows.n; i++)
		widen(&width, t->rows.items[i].tid);
	return width;
}

static int column_width(const struct thread_counts *t, size_t column, int width)
{
	for (size_t i = 0; i < t->rows.n; i++)
		widen(&width, thread_counts_value(t, i, column));
	return width;
}

/* The names of the events, escaped. */
static char **event_names(const struct thread_counts *t)
{
	char **names = xcalloc(t->columns.n + 1, sizeof(names[0]));

	for (size_t i = 0; i < t->columns.n; i++) {
		_cleanup_(text_done) struct text name = TEXT_EMPTY;

		escape_terminal(&name, t->columns.items[i]->name,
				strlen(t->columns.items[i]->name));
		names[i] = xstrdup(name.chars);
	}
	return names;
}

static void names_free(const struct thread_counts *t, char **names)
{
	for (size_t i = 0; i < t->columns.n; i++)
		free(names[i]);
	free(names);
}

static void print_table(const struct thread_counts *t, char *const *names, FILE *out)
{
	_cleanup_(freep) int *widths = xcalloc(t->columns.n + 1, sizeof(widths[0]));
	int pid = pid_width(t), tid = tid_width(t);

	fprintf(out, "# %*s  %*s", pid, "PID", tid, "TID");
	for (size_t c = 0; c < t->columns.n; c++) {
		widths[c] = column_width(t, c, (int)strlen(names[c]));
		fprintf(out, "  %*s", widths[c], names[c]);
	}
	fputc('\n', out);
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct thread_count *row = &t->rows.items[i];

		fprintf(out, "  %*" PRIu32 "  %*" PRIu32, pid, row->pid, tid, row->tid);
		for (size_t c = 0; c < t->columns.n; c++)
			fprintf(out, "  %*" PRIu64, widths[c], thread_counts_value(t, i, c));
		fputc('\n', out);
	}
}

static void print_raw(const struct thread_counts *t, char *const *names, FILE *out)
{
	int pid = pid_width(t), tid = tid_width(t);
	int name = strlen("Name"), index = strlen("Raw"), count = strlen("Count");

	for (size_t c = 0; c < t->columns.n; c++) {
		int length = (int)strlen(names[c]);

		name = length > name ? length : name;
		widen(&index, t->columns.items[c]->index);
		count = column_width(t, c, count);
	}
	fprintf(out, "# %*s  %*s  %*s  %*s  %*s\n", pid, "PID", tid, "TID", name, "Name", index,
		"Raw", count, "Count");
	for (size_t i = 0; i < t->rows.n; i++)
		for (size_t c = 0; c < t->columns.n; c++)
			fprintf(out, "  %*" PRIu32 "  %*" PRIu32 "  %*s  %*zu  %*" PRIu64 "\n", pid,
				t->rows.items[i].pid, tid, t->rows.items[i].tid, name, names[c],
				index, t->columns.items[c]->index, count,
				thread_counts_value(t, i, c));
}

void report_threads_print(const struct thread_counts *t, bool raw, FILE *out)
{
	char **names = event_names(t);

	if (raw)
		print_raw(t, names, out);
	else
		print_table(t, names, out);
	names_free(t, names);
}
