/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Limits to what a comparison may show: `--fail-if 'time > +2%, page-faults > +100'`.
 *
 * A threshold names a row (base/compare.h) and limits its difference to the baseline. It fails
 * only if the difference is beyond the limit and significant (p < 0.05), so that noise alone rarely
 * fails a build. A limit on the far side of 0 asks for a change: 'time > -5%' fails unless B is 5%
 * faster, once noise is ruled out as the reason. What was not counted, or not often enough, cannot
 * be told: neither a pass nor a failure.
 *
 *	list  = item { "," item }
 *	item  = name ( ">" | ">=" | "<" | "<=" ) value
 *	name  = all up to the operator ("cycles:u", "cpu/event=1,umask=2/", "insn per cycle"), or
 *	        anything in '...' or "...", where a backslash keeps the next character
 *	value = ["+" | "-"] decimal ["%" | "s" | "ms" | "us" | "ns"]
 *
 * A value without a unit is in that of its row. Percentages are of the baseline's mean, except of
 * rows that are shares in percent: there they are points.
 */
#include <stddef.h>

struct compare;
struct diag;
struct text;

enum threshold_operator {
	THRESHOLD_ABOVE,    /* > */
	THRESHOLD_AT_LEAST, /* >= */
	THRESHOLD_BELOW,    /* < */
	THRESHOLD_AT_MOST,  /* <= */
};

struct threshold {
	char *name;
	enum threshold_operator op;
	double limit;
	const char *unit; /* "%", one of time, or "": that of the row */
};

struct thresholds {
	struct threshold *items;
	size_t n, room;
};

void thresholds_done(struct thresholds *t);

/* Appends those of @text. -EINVAL with the mistake marked; then @t is as it was. */
int thresholds_parse(struct thresholds *t, const char *text, struct diag *diag);

/* Whether each names a row of @c: -ENOENT for the first that does not, with what may be meant. */
int thresholds_check(const struct thresholds *t, const struct compare *c, struct diag *diag);

/* Appends @t in the form that thresholds_parse() reads. */
void threshold_print(const struct threshold *t, struct text *out);

enum threshold_outcome {
	THRESHOLD_PASS,
	THRESHOLD_FAIL,
	THRESHOLD_UNKNOWN,
};

/* What became of one threshold for one command. */
struct threshold_result {
	const struct threshold *threshold;
	size_t command;
	enum threshold_outcome outcome;
	char *reason; /* a sentence without a full stop */
};

struct threshold_results {
	struct threshold_result *items;
	size_t n, room;
	size_t n_failed, n_unknown;
};

/*
 * Holds every command but the baseline of @c, which is finished, against every threshold. The
 * results borrow @t.
 */
void thresholds_evaluate(const struct thresholds *t, const struct compare *c,
			 struct threshold_results *ret);
void threshold_results_done(struct threshold_results *r);

/* "pass", "fail", "cannot tell". */
const char *threshold_outcome_word(enum threshold_outcome outcome);
