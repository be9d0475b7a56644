/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A database over one or two recordings made by hand, and its answers as text.
 */
#include "made-recording.h"

#include "tools/query/database-work.h"
#include "tools/query/recording-work.h"
#include "store/sqlite.h"

struct asked {
	struct made_recording made[2];
	struct recording_source sources[2];
	struct database *db;
};

/*
 * Opens a database over the recordings "a" and "b", and takes them over. A second one without
 * events is left out.
 */
static inline void asked_open(struct asked *q, struct made_recording a, struct made_recording b)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct database_input inputs[2] = { { "a", &q->sources[0] }, { "b", &q->sources[1] } };
	int r;

	*q = (struct asked){ .made = { a, b } };
	for (size_t i = 0; i < 2; i++)
		q->sources[i] = (struct recording_source){ .open = made_open,
							   .arg = &q->made[i],
							   .max_stack = 127 };
	r = database_open(inputs, b.n_events ? 2 : 1, &q->db, &diag);
	if (r == -ENOTSUP || r == -ENOENT) {
		print_message("# %s\n", diag.message);
		made_recording_done(&q->made[0]);
		if (b.n_events)
			made_recording_done(&q->made[1]);
		skip();
	}
	if (r < 0)
		fail_msg("%s", diag.message);
}

static inline void asked_done(struct asked *q)
{
	database_close(q->db);
	made_recording_done(&q->made[0]);
	if (q->made[1].n_events)
		made_recording_done(&q->made[1]);
}

__attribute__((unused)) static void asked_example(struct asked *q)
{
	asked_open(q, made_example(false), (struct made_recording){ .fd = -1 });
}

__attribute__((unused)) static void asked_stream(struct asked *q)
{
	asked_open(q, made_example(true), (struct made_recording){ .fd = -1 });
}

static inline void add_answer(struct text *out, const struct query_value *v)
{
	switch (v->kind) {
	case CELL_NUMBER:
		text_addf(out, "%lld", (long long)v->number);
		break;
	case CELL_REAL:
		text_addf(out, "%.17g%s", v->real,
			  v->real == (double)(long long)v->real ? ".0" : "");
		break;
	case CELL_TEXT:
		text_addf(out, "'%.*s'", (int)v->text.n, v->text.bytes);
		break;
	default:
		text_add(out, "-");
	}
}

/*
 * Appends the rows one after the other: '|' separates cells, '-' is no value, texts are in '', rows
 * end with ' '.
 */
static inline int answer(struct database *db, const char *sql, struct text *out, struct diag *diag)
{
	_cleanup_(statement_freep) struct statement *s = NULL;
	const char *rest = NULL;
	int r = database_prepare(db, sql, &s, &rest, diag);

	text_add(out, "");
	while (r >= 0 && (r = statement_step(s, diag)) > 0) {
		for (size_t i = 0; i < statement_columns(s); i++) {
			const struct query_value v = statement_value(s, i);

			text_add(out, i ? "|" : "");
			add_answer(out, &v);
		}
		text_add(out, " ");
	}
	return r;
}

__attribute__((unused)) static void assert_answer(struct database *db, const char *sql,
						  const char *expected)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	int r = answer(db, sql, &out, &diag);

	if (r < 0)
		fail_msg("%s: %s", sql, diag.message);
	if (strcmp(out.chars ? out.chars : "", expected) != 0)
		fail_msg("%s: \"%s\", and not \"%s\"", sql, out.chars, expected);
}

/* Asserts the error, and that its message has @words. */
__attribute__((unused)) static void assert_refused(struct database *db, const char *sql, int error,
						   const char *words)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	assert_int_equal(answer(db, sql, &out, &diag), error);
	if (!strstr(diag.message, words))
		fail_msg("%s: \"%s\" does not say \"%s\"", sql, diag.message, words);
}
