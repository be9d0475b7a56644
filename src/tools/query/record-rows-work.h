/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The rows of tables that are made of events, and of records that are no samples.
 */

struct query_table;
struct diag;
struct sample_table;
struct session;

/* Those of `events`. One reference is the caller's. */
struct sample_table *event_rows(const struct query_table *t, const struct session *s);

/* Those of `tasks`, `comms`, `mmaps` and their like, in order of time: @s is read for them. Errors:
 * those of session_feed(). */
int record_rows(const struct query_table *t, struct session *s, struct sample_table **ret,
		struct diag *diag);
