/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Limits for the result of a comparison: `--fail-if 'time > +2%, page-faults > +100'`.
 *
 * A threshold names a row (base/compare.h) and limits its difference to the baseline. It fails only
 * if the difference is beyond the limit and significant (p < 0.05), so that noise alone rarely
 * fails a build. A limit on the far side of 0 demands a change: 'time > -5%' fails unless B is 5%
 * faster, once noise is ruled out as the reason. If a value was not counted, or not often enough,
 * the result is neither a pass nor a failure.
 *
 *	list  = item { "," item }
 *	item  = name ( ">" | ">=" | "<" | "<=" ) value
 *	name  = all up to the operator ("cycles:u", "cpu/event=1,umask=2/", "insn per cycle"), or
 *	        anything in '...' or "...", where a backslash keeps the next character
 *	value = ["+" | "-"] decimal ["%" | "s" | "ms" | "us" | "ns"]
 *
 * A value without a unit is in the unit of its row. Percentages are of the baseline's mean, except
 * for rows that are shares in percent: there they are percentage points.
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
	const char *unit; /* "%", a unit of time, or "": the row's unit */
};

struct thresholds {
	struct threshold *items;
	size_t n, room;
};

void thresholds_done(struct thresholds *t);

/* Appends the thresholds of @text. -EINVAL with the mistake marked; @t is then unchanged. */
int thresholds_parse(struct thresholds *t, const char *text, struct diag *diag);

/*
 * Checks that each threshold names a row of @c: -ENOENT for the first that does not, with similar
 * names.
 */
int thresholds_check(const struct thresholds *t, const struct compare *c, struct diag *diag);

/* Appends @t in the form that thresholds_parse() reads. */
void threshold_print(const struct threshold *t, struct text *out);

enum threshold_outcome {
	THRESHOLD_PASS,
	THRESHOLD_FAIL,
	THRESHOLD_UNKNOWN,
};

/* The result of one threshold for one command. */
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
 * Checks every command but the baseline of @c, which is finished, against every threshold. The
 * results borrow @t.
 */
void thresholds_evaluate(const struct thresholds *t, const struct compare *c,
			 struct threshold_results *ret);
void threshold_results_done(struct threshold_results *r);

/* Returns "pass", "fail", "cannot tell". */
const char *threshold_outcome_word(enum threshold_outcome outcome);
