/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An error in a statement, to be explained to the user: its place, and the name that was probably
 * meant.
 */
#include <stddef.h>

struct query_tables;
struct diag;

struct explained_error {
	const char *sql;
	const char *message; /* SQLite's message */
	int offset;          /* in @sql; -1: not known */
	const char *refused; /* the operation that is not allowed; NULL: another error */
	const struct query_tables *tables;
};

/* Explains the error in @diag. Returns -EINVAL. */
int explain_error(const struct explained_error *e, struct diag *diag);
