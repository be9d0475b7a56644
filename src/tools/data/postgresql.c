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
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/data/sql-rows.h"

struct data_postgresql {
	struct sql_rows rows;
	FILE *out;
	FILE *files[N_SQL_TABLES];
	int error; /* the first error */
	struct text text, line;
};

/*
 * Appends a text in the format of COPY: tabs between columns, backslashes before characters with a
 * meaning.
 */
static void postgresql_add_text(struct data_postgresql *o, const char *s)
{
	static const char plain[] = "\\\t\n\r\b\f\v", letters[] = "\\tnrbfv";

	text_clear(&o->text);
	escape_not_utf8(&o->text, s, strlen(s));
	for (const char *c = o->text.chars; *c; c++) {
		const char *found = strchr(plain, *c);

		if (found)
			text_add_char(&o->line, '\\');
		text_add_char(&o->line, found ? letters[found - plain] : *c);
	}
}

static void postgresql_add_row(void *arg, enum sql_table table, const struct sql_value *values,
			       size_t n)
{
	struct data_postgresql *o = arg;

	text_clear(&o->line);
	for (size_t i = 0; i < n; i++) {
		if (i)
			text_add_char(&o->line, '\t');
		if (values[i].text)
			postgresql_add_text(o, values[i].text);
		else
			text_filled(&o->line, digits_signed(text_room(&o->line, DIGITS_MAX + 1),
							    values[i].number));
	}
	text_add_char(&o->line, '\n');
	if (o->files[table])
		fwrite(o->line.chars, 1, o->line.length, o->files[table]);
}

static void *postgresql_begin(const struct timeline *t, const struct export_source *src)
{
	struct data_postgresql *o = xcalloc(1, sizeof(*o));

	o->out = src->out;
	o->text = (struct text)TEXT_EMPTY;
	o->line = (struct text)TEXT_EMPTY;
	sql_rows_init(&o->rows, t);
	o->rows.row = postgresql_add_row;
	o->rows.arg = o;
	for (int i = 0; i < N_SQL_TABLES; i++) {
		o->files[i] = tmpfile();
		if (!o->files[i] && !o->error)
			o->error = errno;
	}
	return o;
}

static void postgresql_release(void *arg)
{
	struct data_postgresql *o = arg;

	for (int i = 0; i < N_SQL_TABLES; i++)
		if (o->files[i])
			fclose(o->files[i]);
	sql_rows_done(&o->rows);
	text_done(&o->text);
	text_done(&o->line);
	free(o);
}

static void postgresql_add_sample(void *arg, const struct timeline_sample *s)
{
	struct data_postgresql *o = arg;

	sql_rows_sample(&o->rows, s);
}

static void postgresql_add_switch(void *arg, const struct timeline_switch *s)
{
	struct data_postgresql *o = arg;

	sql_rows_switch(&o->rows, s);
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

static void write_table(struct data_postgresql *o, enum sql_table t)
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
	for (int t = 0; t < N_SQL_TABLES && !o->error; t++)
		write_table(o, (enum sql_table)t);
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
	.sample = postgresql_add_sample,
	.switched = postgresql_add_switch,
	.end = postgresql_end,
	.free = postgresql_release,
};

const struct export_format export_postgresql = {
	.word = "postgresql",
	.title = "SQL for psql",
	.by_function = true,
	.timeline = &writer,
};
