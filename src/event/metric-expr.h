/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The formulas of metrics: parsed once, evaluated for every row of counts.
 *
 *   if      := or [ 'if' or 'else' if ]
 *   or      := and { '|' and }           and := compare { '&' compare }
 *   compare := sum { '<' sum | '>' sum }
 *   sum     := product { '+' product | '-' product }
 *   product := unary { '*' unary | '/' unary | '%' unary }
 *   unary   := '-' unary | number | name | '#' literal | '(' if ')'
 *            | 'min' '(' if ',' if ')' | 'max' '(' ... ')' | 'd_ratio' '(' ... ')'
 *
 * A name is an event as -e accepts it, with a backslash before characters that would end the name
 * (`task\-clock`) and @ for the slashes of a PMU (`cpu@event\=0x3c@`). A formula that divides by
 * zero or by something that was not counted has no value.
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct diag;
struct metric_expr;
struct text;

/*
 * Parses a formula. -EINVAL with @diag marking the mistake in @text. *@ret is untouched on failure.
 */
int metric_expr_parse(const char *text, struct metric_expr **ret, struct diag *diag);
void metric_expr_free(struct metric_expr *e);
DEFINE_FREEP(metric_expr)

struct metric_inputs {
	/* Gives the count of an event, by its -e text. False: not counted. */
	bool (*event)(void *arg, const char *event, double *ret);
	/* Gives a value of the machine: "#num_cpus", "#smt_on", ... False: unknown. */
	bool (*literal)(void *arg, const char *name, double *ret);
	void *arg;
};

/* Computes the value in *@ret; false: it has none. */
bool metric_expr_value(const struct metric_expr *e, const struct metric_inputs *in, double *ret);

/*
 * Replaces literals by the values that @literal knows, and choices whose condition is then known by
 * the chosen part: events that do not matter here are removed.
 */
void metric_expr_settle(struct metric_expr *e,
			bool (*literal)(void *arg, const char *name, double *ret), void *arg);

/* Calls @fn for every event of @e, in the order of the text, as often as it occurs. */
void metric_expr_for_each_event(const struct metric_expr *e,
				void (*fn)(const char *event, void *arg), void *arg);

/* Appends the events of @e, each once, with commas between: an -e text. */
void metric_expr_events(const struct metric_expr *e, struct text *t);

/*
 * Replaces names by the expressions that @expand gives for them, which @e then owns; @expand
 * returns 0 and leaves *@ret alone for names that are events. Stops at the first error, which it
 * returns.
 */
int metric_expr_expand(struct metric_expr *e,
		       int (*expand)(void *arg, const char *name, struct metric_expr **ret),
		       void *arg);
