/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings opened as a database (tools/query/database-work.h).
 */
#include <stdbool.h>
#include <stddef.h>

#include "symbol/symbol-request.h"
#include "tools/query/database-work.h"
#include "tools/query/tables-work.h"

struct diag;
struct notes;
struct query_job;
struct text;

/* A request. Its texts are borrowed. */
struct query_request {
	const char *const *paths; /* "-": standard input, which is copied to a file first */
	size_t n;
	const char *sql; /* the SQL to be run; NULL: not known */
	bool force;      /* also read files of other owners */
	struct symbol_request symbols;
	const char *buildid_dir; /* the files' build-id cache; NULL: none */
};

/*
 * Opens all recordings. Lost or damaged data is reported in @notes. *@ret must be released in any
 * case. Returns a negative errno with @diag.
 */
int query_job_open(const struct query_request *rq, struct query_job **ret, struct notes *notes,
		   struct diag *diag);
void query_job_free(struct query_job *j);
static inline void query_job_freep(struct query_job **j)
{
	query_job_free(*j);
}

struct database *query_job_database(const struct query_job *j);

/* Returns the name of recording @i in SQL. NULL: there is only one, whose tables need no schema. */
const char *query_job_schema(const struct query_job *j, size_t i);

/*
 * Appends the SQL name of the recording at @path to @ret: letters, digits and underscores of its
 * file's name, without the part after the last dot.
 */
void query_schema_name(const char *path, struct text *ret);
