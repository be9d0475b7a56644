/* SPDX-License-Identifier: MIT */
#pragma once
/* The rows of tables about events, and about records that are not samples. */

struct query_table;
struct diag;
struct sample_table;
struct session;

/* Returns the rows of `events`. The caller owns one reference. */
struct sample_table *event_rows(const struct query_table *t, const struct session *s);

/*
 * Reads @s to make the rows of `tasks`, `comms`, `mmaps` and similar tables, in order of time.
 * Errors are those of session_feed().
 */
int record_rows(const struct query_table *t, struct session *s, struct sample_table **ret,
		struct diag *diag);
