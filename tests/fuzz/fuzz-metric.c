/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the formulas of metrics: parsing ends, a mistake is marked within the text, and a formula
 * that parses evaluates to a finite value or to none.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/metric-expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Counts events: some counts are zero, and some events are not counted. */
static bool count(void *arg, const char *event, double *ret)
{
	(void)arg;
	*ret = (double)(strlen(event) % 5);
	return strlen(event) % 7;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text events = TEXT_EMPTY;
	const struct metric_inputs in = { count, count, NULL };
	double value;

	if (metric_expr_parse(text, &e, &diag) < 0) {
		if (!diag.message || diag.offset + diag.length > strlen(text))
			abort();
		return 0;
	}
	if (metric_expr_value(e, &in, &value) && !isfinite(value))
		abort();
	metric_expr_events(e, &events);
	return 0;
}
