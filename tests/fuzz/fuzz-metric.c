/* SPDX-License-Identifier: MIT */
/*
 * Whatever a metric's formula says: parsing ends, a mistake is marked within the text, and what
 * parses can be evaluated to a finite value or none.
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

/* Zero now and then, and now and then not counted. */
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
