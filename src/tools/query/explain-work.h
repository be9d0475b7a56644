/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What is wrong with a statement, in words for the user: where, and what was probably meant.
 */
#include <stddef.h>

struct query_tables;
struct diag;

struct explained_error {
	const char *sql;
	const char *message; /* of SQLite */
	int offset;          /* in @sql; -1: not known */
	const char *refused; /* what reading does not do; NULL: nothing of that kind */
	const struct query_tables *tables;
};

/* Returns -EINVAL, with @diag. */
int explain_error(const struct explained_error *e, struct diag *diag);
