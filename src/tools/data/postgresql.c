/* SPDX-License-Identifier: MIT */
/*
 * Rows of several tables come interleaved, but COPY takes one table at a time, so each table is
 * collected in a temporary file.
 */
#include "tools/data/postgresql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/tab-rows.h"
#include "tools/data/sql-rows.h"

struct data_postgresql {
	struct sql_rows rows; /* must be first: sql_rows_sample() */
	FILE *out;
	FILE *files[EXPORT_TABLES];
	int error; /* the first error */
	struct tab_writer row;
};

static void postgresql_add_row(void *arg, enum export_table table,
			       const struct export_value *values, size_t n)
{
	struct data_postgresql *o = arg;
	const struct text *row = &o->row.rows;

	tab_writer_clear(&o->row);
	for (size_t i = 0; i < n; i++)
		if (values[i].text)
			tab_writer_text(&o->row, values[i].text);
		else
			tab_writer_number(&o->row, values[i].number);
	tab_writer_end_row(&o->row);
	if (o->files[table])
		fwrite(row->chars, 1, row->length, o->files[table]);
}

static void *postgresql_begin(const struct timeline *t, const struct export_source *src)
{
	struct data_postgresql *o = xcalloc(1, sizeof(*o));

	o->out = src->out;
	o->row = (struct tab_writer)TAB_WRITER_EMPTY;
	sql_rows_init(&o->rows, t);
	o->rows.row = postgresql_add_row;
	o->rows.arg = o;
	for (int i = 0; i < EXPORT_TABLES; i++) {
		o->files[i] = tmpfile();
		if (!o->files[i] && !o->error)
			o->error = errno;
	}
	return o;
}

static void postgresql_release(void *arg)
{
	struct data_postgresql *o = arg;

	for (int i = 0; i < EXPORT_TABLES; i++)
		if (o->files[i])
			fclose(o->files[i]);
	sql_rows_done(&o->rows);
	tab_writer_done(&o->row);
	free(o);
}

static void write_statement(struct data_postgresql *o, const struct text *statement)
{
	fprintf(o->out, "%s;\n", statement->chars);
}

static void postgresql_copy_rows(struct data_postgresql *o, FILE *rows)
{
	char chunk[65536];
	size_t n;

	if (fflush(rows) == EOF || fseek(rows, 0, SEEK_SET)) {
		o->error = errno;
		return;
	}
	while ((n = fread(chunk, 1, sizeof(chunk), rows)))
		fwrite(chunk, 1, n, o->out);
	if (ferror(rows))
		o->error = EIO;
}

static void write_table(struct data_postgresql *o, enum export_table t)
{
	_cleanup_(text_done) struct text statement = TEXT_EMPTY;

	sql_add_table(&statement, t, SQL_POSTGRESQL);
	write_statement(o, &statement);
	fprintf(o->out, "COPY %s FROM stdin;\n", sql_table_name(t));
	postgresql_copy_rows(o, o->files[t]);
	fputs("\\.\n", o->out);
}

static int postgresql_end(void *arg, struct diag *diag)
{
	struct data_postgresql *o = arg;
	_cleanup_(text_done) struct text view = TEXT_EMPTY;

	sql_rows_end(&o->rows);
	fputs("SET client_encoding = 'UTF8';\nBEGIN;\n", o->out);
	for (int t = 0; t < EXPORT_TABLES && !o->error; t++)
		write_table(o, (enum export_table)t);
	for (size_t i = 0; i < sql_views(); i++) {
		text_clear(&view);
		sql_add_view(&view, i, SQL_POSTGRESQL);
		write_statement(o, &view);
	}
	fputs("COMMIT;\n", o->out);
	if (!o->error)
		return 0;
	return diag_set(diag, -o->error, "cannot write a temporary file: %s", strerror(o->error));
}

static const struct timeline_writer writer = {
	.wants_places = true,
	.begin = postgresql_begin,
	.sample = sql_rows_sample,
	.switched = sql_rows_switch,
	.end = postgresql_end,
	.free = postgresql_release,
};

const struct export_format export_postgresql = {
	.word = "postgresql",
	.title = "SQL for psql",
	.by_function = true,
	.timeline = &writer,
};
