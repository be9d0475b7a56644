/* SPDX-License-Identifier: MIT */
#include "tools/data/sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/file-place.h"
#include "base/memory.h"
#include "base/relay.h"
#include "base/text.h"
#include "store/sqlite.h"
#include "tools/data/sql-rows.h"

#if HAVE_SQLITE3
struct sqlite_output {
	struct sql_rows rows; /* must be first: sql_rows_sample() */
	const char *path;
	sqlite3 *db;
	sqlite3_stmt *inserts[EXPORT_TABLES];
	int64_t bound[EXPORT_TABLES]
		     [EXPORT_COLUMNS_MAX]; /* the numbers of the last row, which stay bound */
	bool has_bound[EXPORT_TABLES];
	struct sql_batches batches;
	struct text text;
	int result; /* the first result that was not success */
};

static bool is_fine(struct sqlite_output *o, int result)
{
	bool fine = result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW;

	if (!fine && o->result == SQLITE_OK)
		o->result = result;
	return fine;
}

static void sqlite_run(struct sqlite_output *o, const char *statement)
{
	if (o->result == SQLITE_OK)
		is_fine(o, sqlite3_exec(o->db, statement, NULL, NULL, NULL));
}

static void bind_text(struct sqlite_output *o, sqlite3_stmt *s, int i, const char *text)
{
	text_clear(&o->text);
	escape_not_utf8(&o->text, text, strlen(text));
	sqlite3_bind_text(s, i, o->text.chars, (int)o->text.length, SQLITE_TRANSIENT);
}

/* Binds a number, unless it is bound already: most numbers are those of the row before. */
static void bind_number(struct sqlite_output *o, enum export_table table, size_t i, int64_t number)
{
	if (!o->has_bound[table] || o->bound[table][i] != number)
		sqlite3_bind_int64(o->inserts[table], (int)i + 1, number);
	o->bound[table][i] = number;
}

static void sqlite_step(struct sqlite_output *o, enum export_table table)
{
	sqlite3_stmt *s = o->inserts[table];

	o->has_bound[table] = true;
	is_fine(o, sqlite3_step(s));
	sqlite3_reset(s);
}

static void insert_numbers(void *arg, enum export_table table, const int64_t *numbers, size_t n)
{
	struct sqlite_output *o = arg;

	if (o->result != SQLITE_OK)
		return;
	for (size_t i = 0; i < n; i++)
		bind_number(o, table, i, numbers[i]);
	sqlite_step(o, table);
}

/* Inserts a row. A column has texts, or numbers. */
static void insert_row(struct sqlite_output *o, enum export_table table,
		       const struct export_value *values, size_t n)
{
	if (o->result != SQLITE_OK)
		return;
	for (size_t i = 0; i < n; i++)
		if (values[i].text)
			bind_text(o, o->inserts[table], (int)i + 1, values[i].text);
		else
			bind_number(o, table, i, values[i].number);
	sqlite_step(o, table);
}

static void sqlite_insert(void *arg, enum export_table table, const struct export_value *values,
			  size_t n)
{
	struct sqlite_output *o = arg;

	if (sql_table_has_texts(table)) {
		sql_batches_wait(&o->batches);
		insert_row(o, table, values, n);
	} else {
		sql_batches_add(&o->batches, table, values, n);
	}
}

static void sqlite_make_table(struct sqlite_output *o, enum export_table t)
{
	_cleanup_(text_done) struct text statement = TEXT_EMPTY;

	sql_add_table(&statement, t, SQL_SQLITE);
	sqlite_run(o, statement.chars);
	text_clear(&statement);
	text_addf(&statement, "INSERT INTO %s VALUES (?", sql_table_name(t));
	for (size_t i = 1; i < sql_table_columns(t); i++)
		text_add(&statement, ", ?");
	text_add(&statement, ")");
	if (o->result == SQLITE_OK)
		is_fine(o, sqlite3_prepare_v2(o->db, statement.chars, -1, &o->inserts[t], NULL));
}

/*
 * Opens the file, which was just made (tools/data/data.c). A link that another user has put in its
 * place is not followed, but an open file of procfs (/dev/stdout) is a link that is followed.
 */
static int tools_sqlite_open_path(struct sqlite_output *o)
{
	_cleanup_(file_place_done) struct file_place place = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) char *path = NULL;
	/* Only one thread uses the database at a time. */
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

	if (file_place_find(o->path, FILE_PLACE_FOLLOW, &place, &ignored) < 0 ||
	    file_place_path(&place, &path) < 0)
		return SQLITE_CANTOPEN;
	return sqlite3_open_v2(path, &o->db, flags | (place.is_proc ? 0 : SQLITE_OPEN_NOFOLLOW),
			       NULL);
}

static void sqlite_open_database(struct sqlite_output *o)
{
	if (!is_fine(o, tools_sqlite_open_path(o)))
		return;
	/* The file is not read by others before it is complete. */
	sqlite_run(o, "PRAGMA journal_mode = OFF");
	sqlite_run(o, "PRAGMA synchronous = OFF");
	sqlite_run(o, "PRAGMA locking_mode = EXCLUSIVE");
	sqlite_run(o, "BEGIN");
	for (int t = 0; t < EXPORT_TABLES; t++)
		sqlite_make_table(o, (enum export_table)t);
}

static void *sqlite_begin(const struct timeline *t, const struct export_source *src)
{
	struct sqlite_output *o = xcalloc(1, sizeof(*o));

	o->path = src->path;
	o->text = (struct text)TEXT_EMPTY;
	sql_rows_init(&o->rows, t);
	o->rows.row = sqlite_insert;
	o->rows.arg = o;
	sqlite_open_database(o);
	o->batches.write = insert_numbers;
	o->batches.arg = o;
	sql_batches_init(&o->batches);
	return o;
}

static void sqlite_release(void *arg)
{
	struct sqlite_output *o = arg;

	sql_batches_done(&o->batches);
	for (int t = 0; t < EXPORT_TABLES; t++)
		sqlite3_finalize(o->inserts[t]);
	sqlite3_close(o->db);
	sql_rows_done(&o->rows);
	text_done(&o->text);
	free(o);
}

static int sqlite_end(void *arg, struct diag *diag)
{
	struct sqlite_output *o = arg;
	_cleanup_(text_done) struct text view = TEXT_EMPTY;

	sql_rows_end(&o->rows);
	sql_batches_wait(&o->batches);
	for (size_t i = 0; i < sql_views(); i++) {
		text_clear(&view);
		sql_add_view(&view, i, SQL_SQLITE);
		sqlite_run(o, view.chars);
	}
	sqlite_run(o, "COMMIT");
	if (o->result == SQLITE_OK)
		return 0;
	return diag_set(diag, -EPIPE, "cannot write '%s': %s", o->path,
			o->db ? sqlite3_errmsg(o->db) : sqlite3_errstr(o->result));
}

static const struct timeline_writer writer = {
	.wants_places = true,
	.begin = sqlite_begin,
	.sample = sql_rows_sample,
	.switched = sql_rows_switch,
	.end = sqlite_end,
	.free = sqlite_release,
};
#define WRITER &writer
#else
#define WRITER NULL
#endif

const struct export_format export_sqlite = {
	.word = "sqlite",
	.title = "SQLite database",
	.by_function = true,
	.needs_path = true,
	.check = sqlite_load,
	.timeline = WRITER,
};

static int write_batch(void *arg, unsigned slot, unsigned worker)
{
	const struct sql_batches *b = arg;
	const struct sql_batch *batch = &b->items[slot];

	(void)worker;
	for (size_t at = 0; at < batch->n;) {
		size_t n = (size_t)batch->items[at + 1];

		b->write(b->arg, (enum export_table)batch->items[at], batch->items + at + 2, n);
		at += n + 2;
	}
	return 0;
}

void sql_batches_init(struct sql_batches *b)
{
	const struct relay_work work = {
		.depth = SQL_BATCHES, .threads = 1, .run = write_batch, .arg = b
	};

	b->items = xcalloc(SQL_BATCHES, sizeof(*b->items));
	b->relay = relay_new(&work);
}

void sql_batches_done(struct sql_batches *b)
{
	if (b->relay)
		relay_free(b->relay);
	free(b->items);
}

static struct sql_batch *next_batch(struct sql_batches *b)
{
	unsigned slot = 0;

	if (b->relay)
		relay_slot(b->relay, &slot);
	b->items[slot].n = 0;
	return &b->items[slot];
}

static void sql_batches_hand_over(struct sql_batches *b)
{
	if (b->relay)
		relay_start(b->relay);
	else
		write_batch(b, 0, 0);
	b->filling = NULL;
}

void sql_batches_add(struct sql_batches *b, enum export_table table,
		     const struct export_value *values, size_t n)
{
	struct sql_batch *batch;

	if (b->filling && b->filling->n + n + 2 > SQL_BATCH_VALUES)
		sql_batches_hand_over(b);
	if (!b->filling)
		b->filling = next_batch(b);
	batch = b->filling;
	batch->items[batch->n++] = table;
	batch->items[batch->n++] = (int64_t)n;
	for (size_t i = 0; i < n; i++)
		batch->items[batch->n++] = values[i].number;
}

void sql_batches_wait(struct sql_batches *b)
{
	if (b->filling)
		sql_batches_hand_over(b);
	if (b->relay)
		relay_wait(b->relay);
}
