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
 * A name is an event as -e takes it, with a backslash before what would end the name
 * (`task\-clock`) and @ for the slashes of a PMU (`cpu@event\=0x3c@`). Nothing is divided by zero
 * or by what was not counted: such a formula has no value.
 */
#include <stdbool.h>

#include "base/cleanup.h"

struct diag;
struct metric_expr;
struct text;

/* -EINVAL with @diag marking the mistake in @text. *@ret is untouched on failure. */
int metric_expr_parse(const char *text, struct metric_expr **ret, struct diag *diag);
void metric_expr_free(struct metric_expr *e);
DEFINE_FREEP(metric_expr)

struct metric_inputs {
	/* The count of an event, by its -e text. false: not counted. */
	bool (*event)(void *arg, const char *event, double *ret);
	/* What the machine says: "#num_cpus", "#smt_on", ... false: unknown. */
	bool (*literal)(void *arg, const char *name, double *ret);
	void *arg;
};

/* The value in *@ret; false: it has none. */
bool metric_expr_value(const struct metric_expr *e, const struct metric_inputs *in, double *ret);

/*
 * Puts the values that @literal knows in the place of literals, and in the place of choices whose
 * condition is known then what they choose: events that do not matter here are gone.
 */
void metric_expr_settle(struct metric_expr *e,
			bool (*literal)(void *arg, const char *name, double *ret), void *arg);

/* Calls @fn for every event of @e, in the order of the text, as often as it occurs. */
void metric_expr_for_each_event(const struct metric_expr *e,
				void (*fn)(const char *event, void *arg), void *arg);

/* Appends the events of @e, each once, with commas between: an -e text. */
void metric_expr_events(const struct metric_expr *e, struct text *t);

/*
 * Puts the expression that @expand gives for a name in its place (and owns it); @expand returns 0
 * and leaves *@ret alone for names that are events. Stops at the first error, which it returns.
 */
int metric_expr_expand(struct metric_expr *e,
		       int (*expand)(void *arg, const char *name, struct metric_expr **ret),
		       void *arg);
