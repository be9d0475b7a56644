/* SPDX-License-Identifier: MIT */
#include "tools/query/explain-work.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "tools/query/tables-work.h"

#define TRACEPOINTS_SHOWN 12

/* Returns the length of the word at @s. */
static size_t explain_word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.')
		n++;
	return n ? n : *s != '\0';
}

/* Returns the line of @sql that contains *@offset, and makes *@offset relative to that line. */
static char *explain_line_of(const char *sql, size_t *offset)
{
	size_t first = *offset, end = *offset;

	while (first && sql[first - 1] != '\n')
		first--;
	while (sql[end] && sql[end] != '\n')
		end++;
	*offset -= first;
	return xasprintf("%.*s", (int)(end - first), sql + first);
}

/*
 * Returns the name that follows @prefix in the message, without its schema. NULL: another message.
 */
static const char *explain_name_in(const char *message, const char *prefix)
{
	size_t n = strlen(prefix);
	const char *dot;

	if (strncmp(message, prefix, n) != 0)
		return NULL;
	dot = strrchr(message + n, '.');
	return dot ? dot + 1 : message + n;
}

/* Returns the place of @name in @sql as a whole word, or -1. */
static int explain_find_word(const char *sql, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = sql; n && (at = strcasestr(at, name)) != NULL; at++) {
		bool begins = at == sql || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		bool ends = !(isalnum((unsigned char)at[n]) || at[n] == '_');

		if (begins && ends)
			return (int)(at - sql);
	}
	return -1;
}

static void hint_similar(struct diag *diag, struct similar *near)
{
	_cleanup_(freep) char *phrase = similar_phrase(near);

	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
}

static void hint_tables(const struct query_tables *c, const char *name, struct diag *diag)
{
	_cleanup_(text_done) struct text list = TEXT_EMPTY;
	struct similar near = { .typed = name };
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		similar_add(&near, c->items[i].name);
		if (c->items[i].event && n++ < TRACEPOINTS_SHOWN)
			text_addf(&list, "%s%s", list.length ? ", " : "", c->items[i].name);
	}
	hint_similar(diag, &near);
	if (!n)
		diag_hint(diag, "The recording has no tracepoints: record them with "
				"'perf record -e sched:sched_switch'.");
	else
		diag_hint(diag, "Tracepoints of the recording: %s%s", list.chars,
			  n > TRACEPOINTS_SHOWN ? ", ..." : ".");
	diag_hint(diag, "'perf query --tables' lists all tables, --schema their columns.");
}

static void hint_columns(const struct query_tables *c, const char *name, struct diag *diag)
{
	struct similar near = { .typed = name };

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->items[i].n_columns; k++)
			similar_add(&near, c->items[i].columns[k].name);
	hint_similar(diag, &near);
	diag_hint(diag, "'perf query --schema' lists the columns of all tables.");
}

int explain_error(const struct explained_error *e, struct diag *diag)
{
	const char *table = explain_name_in(e->message, "no such table: ");
	const char *column = explain_name_in(e->message, "no such column: ");
	const char *function = explain_name_in(e->message, "no such function: ");
	const char *name = table ? table : column ? column : function;
	int offset = e->offset;
	size_t at;
	_cleanup_(freep) char *line = NULL;

	if (strstr(e->message, "may not be modified")) {
		diag_set(diag, -EINVAL, "recordings are only read: %s", e->message);
		return -EINVAL;
	}
	if (e->refused) {
		diag_set(diag, -EINVAL, "recordings are only read: %s is not allowed", e->refused);
		diag_hint(diag,
			  "Name a result that is used again by WITH name AS (SELECT ...); give "
			  "other recordings by -i.");
		return -EINVAL;
	}
	if (offset < 0 && name)
		offset = explain_find_word(e->sql, name);
	if (offset < 0) {
		diag_set(diag, -EINVAL, "%s", e->message);
	} else {
		at = (size_t)offset;
		line = explain_line_of(e->sql, &at);
		diag_mark(diag, -EINVAL, line, at, explain_word_length(line + at), "%s",
			  e->message);
	}
	if (table)
		hint_tables(e->tables, table, diag);
	else if (column)
		hint_columns(e->tables, column, diag);
	else if (function)
		diag_hint(diag, "perf-query(1) lists the functions beside those of SQLite.");
	return -EINVAL;
}
