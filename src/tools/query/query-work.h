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

/* Texts are borrowed. */
struct query_request {
	const char *const *paths; /* "-": standard input, which is copied to a file first */
	size_t n;
	const char *sql; /* what will be asked; NULL: not known */
	bool force;      /* whoever owns the files */
	struct symbol_request symbols;
	const char *buildid_dir; /* of the cache that goes with the files; NULL: there is none */
};

/*
 * Opens all of them. What was lost or is damaged goes to @notes. *@ret is to be released in any
 * case. A negative errno with @diag.
 */
int query_job_open(const struct query_request *rq, struct query_job **ret, struct notes *notes,
		   struct diag *diag);
void query_job_free(struct query_job *j);
static inline void query_job_freep(struct query_job **j)
{
	query_job_free(*j);
}

struct database *query_job_database(const struct query_job *j);

/* The name of recording @i in SQL; NULL: there is only one, whose tables need none. */
const char *query_job_schema(const struct query_job *j, size_t i);

/*
 * Appends the name in SQL for the recording at @path to @ret: letters, digits and underscores of
 * its file's name, without what follows the last dot.
 */
void query_schema_name(const char *path, struct text *ret);
