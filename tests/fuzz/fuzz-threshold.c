/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the limits that a user writes: parsing ends, a mistake is marked within the text, and an
 * accepted limit is the same after it is written and parsed again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/threshold.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(const struct thresholds *t, struct text *out)
{
	for (size_t i = 0; i < t->n; i++) {
		if (i)
			text_add_char(out, ',');
		threshold_print(&t->items[i], out);
	}
}

static void assert_alike(const struct threshold *a, const struct threshold *b)
{
	if (strcmp(a->name, b->name) || a->op != b->op || strcmp(a->unit, b->unit) ||
	    a->limit != b->limit)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(thresholds_done) struct thresholds first = { 0 }, second = { 0 };
	_cleanup_(text_done) struct text printed = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (thresholds_parse(&first, text, &diag) < 0) {
		if (first.n || !diag.message || diag.offset + diag.length > strlen(text))
			abort();
		return 0;
	}
	print(&first, &printed);
	if (thresholds_parse(&second, printed.chars, &diag) < 0 || second.n != first.n)
		abort();
	for (size_t i = 0; i < first.n; i++)
		assert_alike(&first.items[i], &second.items[i]);
	return 0;
}
