/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf report -D`: prints every record as bytes and as text, and the number of records of each
 * type.
 */
#include <stdbool.h>
#include <stdio.h>

struct diag;
struct session;

struct report_dump_options {
	bool unsorted;   /* the session delivers records in file order */
	bool skip_empty; /* as in report_stats_print() */
	FILE *out;
};

/* Delivers the records of @s and prints them. Errors are those of session_feed(). */
int report_dump_print(struct session *s, const struct report_dump_options *o, struct diag *diag);
