/* SPDX-License-Identifier: MIT */
/* perf query: answers questions in SQL about a recording. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/choice.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/verbosity.h"
#include "tools/query/query-view.h"
#include "tools/query/query-work.h"

#define SQL_MAX (16u << 20)

struct path_list {
	const char **items;
	size_t n, room;
};

struct opts {
	struct path_list inputs;
	const char *file;
	bool tables, schema;
	bool csv, json;
	enum choice header;
	bool force, quiet;
	struct symbol_request symbols;
};

static int input_add(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct path_list *l = field;

	(void)o, (void)diag;
	if (negated) {
		l->n = 0;
		return 0;
	}
	l->items = array_reserve(l->items, &l->room, l->n + 1, sizeof(*l->items));
	l->items[l->n++] = value;
	return 0;
}

static const struct option options[] = {
	OPT_HEADING("Input:"),
	OPT_CALL(
		'i', "input", struct opts, inputs, "file",
		"recording to read; several may be given (default: perf.data; - is standard input)",
		.set = input_add),
	OPT_STRING('f', "file", struct opts, file, "file", "read the SQL from this file"),
	OPT_FLAG(0, "force", struct opts, force, "read files of other owners too"),
	OPT_SET(struct opts, symbols, symbol_file_options),

	OPT_HEADING("What there is:"),
	OPT_FLAG(0, "tables", struct opts, tables, "list the tables of the recording"),
	OPT_FLAG(0, "schema", struct opts, schema,
		 "list the columns of all tables, or of those that are named"),

	OPT_HEADING("Output:"),
	OPT_FLAG(0, "csv", struct opts, csv, "comma-separated values"),
	OPT_FLAG(0, "json", struct opts, json, "an array with an object for each row"),
	OPT_CHOICE(0, "header", struct opts, header, "names of columns first (the default)"),
	OPT_QUIET(struct opts, quiet),
	OPT_END
};

static int query_refuse_words(const struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;

	if (o->csv && o->json)
		return diag_set(diag, -EINVAL, "--csv and --json are two formats: choose one");
	if (o->json && o->header == CHOICE_NO)
		return diag_set(diag, -EINVAL, "JSON has no header: its rows have names");
	if (o->schema || o->tables) {
		if (o->file || (o->tables && inv->argc) || (o->tables && o->schema))
			return diag_set(diag, -EINVAL,
					"--tables and --schema take no SQL, and not each other");
		return 0;
	}
	if (o->file && inv->argc)
		return diag_set(diag, -EINVAL, "the SQL is given twice: by -f and as '%s'",
				inv->argv[0]);
	if (!o->file && inv->argc > 1) {
		diag_set(diag, -EINVAL, "the SQL must be one word: '%s' follows it", inv->argv[1]);
		diag_hint(diag, "Put it in quotes: perf query 'SELECT count(*) FROM samples'");
		return -EINVAL;
	}
	if (!o->file && !inv->argc) {
		diag_set(diag, -EINVAL, "what is the question?");
		diag_hint(diag, "For example: perf query 'SELECT comm, count(*) FROM samples GROUP "
				"BY comm'");
		diag_hint(diag, "'perf query --tables' lists the tables.");
		return -EINVAL;
	}
	return 0;
}

static bool reads_stdin(const struct path_list *inputs)
{
	for (size_t i = 0; i < inputs->n; i++)
		if (!strcmp(inputs->items[i], "-"))
			return true;
	return false;
}

/* Reads the SQL of -f or of the command line, where - is standard input. The caller frees it. */
static int read_sql(const struct opts *o, const char *word, char **ret, struct diag *diag)
{
	const char *path = o->file ? o->file : "-";
	bool is_stdin = !strcmp(o->file ? o->file : word, "-");
	int r;

	if (!o->file && !is_stdin) {
		*ret = xstrdup(word);
		return 0;
	}
	if (is_stdin && reads_stdin(&o->inputs))
		return diag_set(diag, -EINVAL,
				"standard input cannot be both the recording and the SQL");
	r = is_stdin ? file_read_fd(STDIN_FILENO, SQL_MAX, ret, NULL)
		     : file_read(AT_FDCWD, path, SQL_MAX, ret, NULL);
	return r < 0 ? diag_set(diag, r, "cannot read the SQL of '%s': %s", path, strerror(-r)) : 0;
}

static int print_statement(struct statement *s, struct query_view *view, struct diag *diag)
{
	size_t n = statement_columns(s);
	const char **names = xcalloc(n + 1, sizeof(*names));
	struct query_value *row = xcalloc(n + 1, sizeof(*row));
	int r;

	for (size_t i = 0; i < n; i++)
		names[i] = statement_column_name(s, i);
	r = statement_step(s, diag);
	if (r >= 0)
		query_view_begin(view, names, n);
	for (; r > 0; r = statement_step(s, diag)) {
		for (size_t i = 0; i < n; i++)
			row[i] = statement_value(s, i);
		query_view_row(view, row);
	}
	if (r >= 0)
		query_view_end(view);
	free(names);
	free(row);
	return r;
}

static int print_all(struct database *db, const char *sql, struct query_view *view,
		     struct diag *diag)
{
	while (*sql) {
		_cleanup_(statement_freep) struct statement *s = NULL;
		int r = database_prepare(db, sql, &s, &sql, diag);

		if (r >= 0 && s)
			r = print_statement(s, view, diag);
		if (r < 0)
			return r;
	}
	return 0;
}

static struct query_value text_value(const char *s)
{
	return s ? (struct query_value){ .kind = CELL_TEXT, .text = { s, strlen(s) } }
		 : (struct query_value){ .kind = CELL_NULL };
}

static void query_print_tables(const struct query_job *j, size_t n, struct query_view *view)
{
	static const char *const names[] = { "table", "what it has", "recording" };

	query_view_begin(view, names, n > 1 ? 3 : 2);
	for (size_t i = 0; i < n; i++) {
		const struct query_tables *c = database_tables(query_job_database(j), i);

		for (size_t k = 0; k < c->n; k++) {
			const struct query_table *t = &c->items[k];
			const struct query_value row[] = {
				text_value(t->name),
				text_value(t->event ? t->event : t->about),
				text_value(query_job_schema(j, i)),
			};

			query_view_row(view, row);
		}
	}
	query_view_end(view);
}

static bool query_is_named(char *const *words, const char *table)
{
	if (!words[0])
		return true;
	for (; *words; words++)
		if (!strcasecmp(*words, table))
			return true;
	return false;
}

static void print_schema(const struct query_job *j, size_t n, char *const *words,
			 struct query_view *view)
{
	static const char *const names[] = { "table", "column", "type", "in *", "recording" };

	query_view_begin(view, names, n > 1 ? 5 : 4);
	for (size_t i = 0; i < n; i++) {
		const struct query_tables *c = database_tables(query_job_database(j), i);

		for (size_t k = 0; k < c->n; k++)
			for (size_t m = 0; m < c->items[k].n_columns; m++) {
				const struct query_column *col = &c->items[k].columns[m];
				const struct query_value row[] = {
					text_value(c->items[k].name),
					text_value(col->name),
					text_value(col->is_text ? "text" : "integer"),
					text_value(col->is_hidden ? "no" : "yes"),
					text_value(query_job_schema(j, i)),
				};

				if (query_is_named(words, c->items[k].name))
					query_view_row(view, row);
			}
	}
	query_view_end(view);
}

static int query_answer(struct invocation *inv, const struct query_request *rq, const char *sql,
			struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct query_view_options look = {
		.format = o->csv    ? QUERY_CSV
			  : o->json ? QUERY_JSON
				    : QUERY_TABLE,
		.no_header = o->header == CHOICE_NO,
		.is_terminal = terminal_is(inv->settings->out),
		.columns = command_columns(inv, inv->out),
	};
	_cleanup_(query_view_freep) struct query_view *view = query_view_new(inv->out, &look);
	_cleanup_(query_job_freep) struct query_job *j = NULL;
	struct notes notes = o->quiet ? (struct notes){ 0 } : command_notes(inv);
	int r = query_job_open(rq, &j, &notes, diag);

	if (r < 0)
		return r;
	if (o->tables)
		query_print_tables(j, rq->n, view);
	else if (o->schema)
		print_schema(j, rq->n, inv->argv, view);
	else
		r = print_all(query_job_database(j), sql, view, diag);
	if (o->quiet)
		notes_done(&notes);
	return r;
}

static int query_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *sql = NULL;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	const char *usual = NULL;
	struct query_request rq = {
		.paths = o->inputs.items,
		.n = o->inputs.n,
		.force = o->force,
		.symbols = o->symbols,
		.buildid_dir = buildid_dir,
	};
	int r = query_refuse_words(inv, &diag);

	if (r < 0)
		return command_usage(inv, &diag);
	if (!o->tables && !o->schema)
		r = read_sql(o, inv->argv[0], &sql, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	if (!rq.n) {
		bool sql_is_stdin = sql && !strcmp(o->file ? o->file : inv->argv[0], "-");

		usual = sql_is_stdin ? "perf.data" : input_path(NULL);
		rq.paths = &usual;
		rq.n = 1;
	}
	rq.sql = sql;
	r = query_answer(inv, &rq, sql, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void query_done(void *opts)
{
	free(((struct opts *)opts)->inputs.items);
}

static const char *const usage[] = {
	"[<options>] <SQL>",
	"[<options>] -f <file>",
	"[<options>] --tables | --schema [<table>...]",
	NULL,
};

const struct command cmd_query = {
	.name = "query",
	.summary = "ask questions about a recording in SQL",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = query_run,
	.done = query_done,
};
