/* SPDX-License-Identifier: MIT */
#include "store/sqlite-file.h"

#if HAVE_SQLITE3
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/patience.h"
#include "store/store.h"
#include "store/tables.h"

/* We wait this long for other writers, and then give up. */
#define BUSY_MS       30000
#define BUSY_PAUSE_MS 20

/* The SQLite steps that reading may take: a row needs a few dozen of them. */
#define STEPS_FREE     (UINT64_C(1) << 26)
#define STEPS_PER_BYTE 100
#define STEPS_A_LOOK   10000

/* No text or blob may be longer, not even while it is computed. */
#define CELL_MAX (16 << 20)

int sqlite_file_explain(const struct sqlite_file *f, struct diag *diag)
{
	int code = f->db ? sqlite3_errcode(f->db) & 0xff : SQLITE_NOMEM;
	const char *why = f->db ? sqlite3_errmsg(f->db) : "there is no memory";

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return diag_set(diag, -EAGAIN, "'%s' is in use by another program: %s", f->path,
				why);
	case SQLITE_FULL:
		return diag_set(diag, -EAGAIN, "no room for '%s' on its disk: %s", f->path, why);
	case SQLITE_NOTADB:
		return diag_set(diag, -EBADMSG, "'%s' is not a SQLite database", f->path);
	case SQLITE_CORRUPT:
		diag_set(diag, -EBADMSG, "'%s' is damaged: %s", f->path, why);
		diag_hint(diag, "sqlite3 %s .recover may save what is left.", f->path);
		return -EBADMSG;
	case SQLITE_INTERRUPT:
		return diag_set(diag, -EBADMSG,
				"'%s' is damaged: its rows take far longer to read than a file of "
				"this size can",
				f->path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		diag_set(diag, -EACCES, "cannot write '%s': %s", f->path, why);
		diag_hint(diag, "Is its directory there, and may you write into it?");
		return -EACCES;
	case SQLITE_CANTOPEN:
		diag_set(diag, -EACCES, "cannot open '%s': %s", f->path, why);
		diag_hint(diag, "Is its directory there, and may you read and write in it?");
		return -EACCES;
	case SQLITE_IOERR:
	case SQLITE_NOMEM:
		return diag_set(diag, -EIO, "'%s': %s", f->path, why);
	default: /* it lacks tables or columns, or has foreign constraints */
		return diag_set(diag, -EBADMSG, "'%s' is not as perf push makes it: %s", f->path,
				why);
	}
}

int sqlite_file_prepare(struct sqlite_file *f, const char *sql, sqlite3_stmt **ret,
			struct diag *diag)
{
	return sqlite3_prepare_v2(f->db, sql, -1, ret, NULL) == SQLITE_OK
		       ? 0
		       : sqlite_file_explain(f, diag);
}

int sqlite_file_run(struct sqlite_file *f, const char *sql, struct diag *diag)
{
	return sqlite3_exec(f->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : sqlite_file_explain(f, diag);
}

int sqlite_file_number(struct sqlite_file *f, const char *sql, int64_t *ret, struct diag *diag)
{
	sqlite3_stmt *q;
	int r;

	*ret = 0;
	r = sqlite_file_prepare(f, sql, &q, diag);
	if (r < 0)
		return r;
	r = sqlite3_step(q);
	if (r == SQLITE_ROW)
		*ret = sqlite3_column_int64(q, 0);
	r = r == SQLITE_ROW || r == SQLITE_DONE ? 0 : sqlite_file_explain(f, diag);
	sqlite3_finalize(q);
	return r;
}

static void file_add_definition(struct text *t, enum fleet_table table)
{
	fleet_add_columns(t, table, "INTEGER NOT NULL", "TEXT NOT NULL");
	if (table == FLEET_BATCH)
		text_add(t, ", rolled INTEGER NOT NULL DEFAULT 0");
	if (table == FLEET_SAMPLE)
		text_add(t, ", PRIMARY KEY (minute, batch, source, event, stack)) WITHOUT ROWID;");
	else if (table == FLEET_HOUR)
		text_add(t, ", PRIMARY KEY (hour, source, event, stack)) WITHOUT ROWID;");
	else
		text_add(t, ", PRIMARY KEY (id));");
}

/* Makes the tables, also from version 0, which had no sums. */
static int file_make_tables(struct sqlite_file *f, struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int64_t n_columns;
	int r = sqlite_file_number(f, "SELECT count(*) FROM pragma_table_info('perf_batch')",
				   &n_columns, diag);

	if (r < 0)
		return r;
	if (n_columns == N_BATCH_COLUMNS)
		text_add(&t,
			 "ALTER TABLE perf_batch ADD COLUMN rolled INTEGER NOT NULL DEFAULT 0;");
	text_add(&t, "CREATE TABLE IF NOT EXISTS perf_schema (version INTEGER NOT NULL);"
		     "INSERT INTO perf_schema SELECT 0 WHERE NOT EXISTS "
		     "(SELECT * FROM perf_schema);");
	for (int i = 0; i < N_FLEET_TABLES; i++)
		file_add_definition(&t, (enum fleet_table)i);
	text_add(&t, "CREATE INDEX IF NOT EXISTS perf_batch_unrolled ON perf_batch (minute) "
		     "WHERE rolled = 0;");
	text_addf(&t, "UPDATE perf_schema SET version = %d;", FLEET_SCHEMA_VERSION);
	return sqlite_file_run(f, t.chars, diag);
}

/* Checks that our names are tables with stored columns. */
static int file_check_schema(struct sqlite_file *f, struct diag *diag)
{
	int64_t n;
	int r = sqlite_file_number(
		f,
		"SELECT count(*) FROM sqlite_master WHERE name LIKE 'perf!_%' ESCAPE '!'"
		" AND (type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' OR "
		"EXISTS (SELECT * FROM pragma_table_xinfo(name) WHERE hidden <> 0))",
		&n, diag);

	if (r >= 0 && n)
		r = diag_set(diag, -EBADMSG,
			     "'%s' was not made by perf push: one of its tables is a view, or "
			     "has columns that are computed",
			     f->path);
	return r;
}

static int file_check_version(struct sqlite_file *f, bool writes, struct diag *diag)
{
	int64_t there, version;
	int r = file_check_schema(f, diag);

	if (r >= 0)
		r = sqlite_file_number(
			f, "SELECT count(*) FROM sqlite_master WHERE name = 'perf_schema'", &there,
			diag);

	if (r >= 0 && !there && !writes)
		return fleet_refuse_empty(f->path, diag);
	if (r >= 0 && there)
		r = sqlite_file_number(f, "SELECT version FROM perf_schema", &version, diag);
	if (r < 0)
		return r;
	if (there && version > FLEET_SCHEMA_VERSION)
		return fleet_refuse_newer(f->path, version, diag);
	if (!writes || (there && version == FLEET_SCHEMA_VERSION))
		return 0;
	r = sqlite_file_run(f, "BEGIN IMMEDIATE", diag);
	if (r >= 0)
		r = file_make_tables(f, diag);
	if (r >= 0)
		r = sqlite_file_run(f, "COMMIT", diag);
	return r;
}

/*
 * Finds the file's path, without links. Links may be another user's trap on the way to a file that
 * is written. The caller frees it.
 */
static int file_find_path(const struct sqlite_file *f, bool writes, char **ret, struct diag *diag)
{
	_cleanup_(file_place_done) struct file_place place = FILE_PLACE_NONE;
	struct stat st;
	int r;

	/* A name that begins otherwise may not be a file for SQLite. */
	if (!writes) {
		*ret = xasprintf("%s%s", *f->path == '/' ? "" : "./", f->path);
		return 0;
	}
	r = file_place_find(f->path, FILE_PLACE_FOLLOW, &place, diag);
	if (r < 0)
		return r;
	if (fstatat(place.folder, place.name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    file_place_is_planted(&place, &st))
		return file_place_refuse_planted(f->path, diag);
	r = file_place_path(&place, ret);
	return r < 0 ? diag_set(diag, r, "cannot write '%s': %s", f->path, strerror(-r)) : r;
}

/* Sets budgets for reading. The log of a writer is read too. */
static int file_look_at(struct sqlite_file *f, const char *path, bool writes, struct diag *diag)
{
	_cleanup_(freep) char *log = xasprintf("%s-wal", path);
	struct stat st;

	f->steps.left = STEPS_FREE;
	if (stat(path, &st) < 0) {
		if (writes)
			return 0;
		return diag_set(diag, -ENOENT,
				"there is no '%s': perf push --to sqlite:%s makes it", f->path,
				f->path);
	}
	if (!S_ISREG(st.st_mode))
		return diag_set(diag, -EINVAL, "'%s' is not a file", f->path);
	budget_add(&f->steps, (uint64_t)st.st_size, STEPS_PER_BYTE);
	if (stat(log, &st) == 0)
		budget_add(&f->steps, (uint64_t)st.st_size, STEPS_PER_BYTE);
	return 0;
}

/* Counts steps. SQLite calls this after each STEPS_A_LOOK steps: 1 ends the statement. */
static int file_count_steps(void *arg)
{
	struct sqlite_file *f = arg;

	return !budget_take(&f->steps, STEPS_A_LOOK);
}

/* Waits for another program. SQLite calls this for the @n-th time while it writes: 0 gives up. */
static int file_wait_for_others(void *arg, int n)
{
	const struct sqlite_file *f = arg;

	if (n >= BUSY_MS / BUSY_PAUSE_MS || patience_is_over(f->patience))
		return 0;
	sqlite3_sleep(BUSY_PAUSE_MS);
	return 1;
}

/* Makes sure that no code in the file is executed. */
static void file_distrust(struct sqlite_file *f)
{
	static const struct {
		int what, is_on;
	} settings[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		sqlite3_db_config(f->db, settings[i].what, settings[i].is_on, (int *)NULL);
	sqlite3_limit(f->db, SQLITE_LIMIT_LENGTH, CELL_MAX);
}

static int file_open_database(struct sqlite_file *f, bool writes, struct diag *diag)
{
	_cleanup_(freep) char *path = NULL;
	int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
			   : SQLITE_OPEN_READONLY;
	int r = file_find_path(f, writes, &path, diag);

	if (r >= 0)
		r = file_look_at(f, path, writes, diag);
	if (r < 0)
		return r;
	/* One thread at a time uses a connection, so it needs no locks. */
	if (sqlite3_open_v2(path, &f->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return sqlite_file_explain(f, diag);
	sqlite3_extended_result_codes(f->db, 1);
	sqlite3_busy_handler(f->db, file_wait_for_others, f);
	file_distrust(f);
	if (!writes)
		sqlite3_progress_handler(f->db, STEPS_A_LOOK, file_count_steps, f);
	if (f->is_parcel)
		return sqlite_file_run(f, "PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL",
				       diag);
	/* Readers do not wait for writers, nor writers for readers. Committed data stays. */
	return writes ? sqlite_file_run(f, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
					diag)
		      : 0;
}

int sqlite_file_open(struct sqlite_file *f, const char *path, const struct patience *patience,
		     unsigned flags, struct diag *diag)
{
	bool writes = flags & SQLITE_FILE_WRITE;
	int r = sqlite_load(diag);

	if (r < 0)
		return r;
	*f = (struct sqlite_file){
		.path = xstrdup(path),
		.is_parcel = flags & SQLITE_FILE_PARCEL,
		.patience = patience,
	};
	r = file_open_database(f, writes, diag);
	if (r >= 0)
		r = file_check_version(f, writes, diag);
	if (r < 0)
		sqlite_file_close(f);
	return r;
}

void sqlite_file_close(struct sqlite_file *f)
{
	sqlite3_close(f->db);
	free(f->path);
	*f = (struct sqlite_file){ .db = NULL };
}
#endif
