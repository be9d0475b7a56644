/* SPDX-License-Identifier: MIT */
/* Parses the texts by which users choose the rows of a histogram. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "pairs/histogram.h"

#define BETWEEN " \t\n,"

void histogram_scale_done(struct histogram_scale *s)
{
	free(s->given.items);
	*s = (struct histogram_scale){ 0 };
}

/*
 * Adds the bound given by @length characters at @at of @text. It must be above the bound before it.
 */
static int add_bound(struct histogram_scale *s, const char *text, size_t at, size_t length,
		     struct diag *diag)
{
	_cleanup_(freep) char *word = xstrndup(text + at, length);
	int64_t bound;

	if (number_parse_signed(word, &bound) < 0)
		return diag_mark(diag, -EINVAL, text, at, length, "'%s' is not a number", word);
	if (bound == INT64_MIN)
		return diag_mark(diag, -EINVAL, text, at, length, "nothing lies below %s", word);
	if (s->given.n && bound <= s->given.items[s->given.n - 1])
		return diag_mark(diag, -EINVAL, text, at, length,
				 "%s is not above the bound before it", word);
	if (s->given.n == HISTOGRAM_BOUNDS_MAX)
		return diag_mark(diag, -EINVAL, text, at, length, "more than %d bounds",
				 HISTOGRAM_BOUNDS_MAX);
	*ARRAY_ADD(&s->given) = bound;
	return 0;
}

int histogram_scale_parse_bounds(struct histogram_scale *s, const char *text, struct diag *diag)
{
	struct histogram_scale new = { .kind = HISTOGRAM_GIVEN };
	int r = 0;

	for (size_t at = strspn(text, BETWEEN); text[at] && r >= 0;) {
		size_t length = strcspn(text + at, BETWEEN);

		r = add_bound(&new, text, at, length, diag);
		at += length;
		at += strspn(text + at, BETWEEN);
	}
	if (r >= 0 && !new.given.n)
		r = diag_set(diag, -EINVAL, "no bounds are given");
	if (r < 0) {
		diag_hint(diag, "Give numbers in ascending order: \"100 1000 10000\".");
		histogram_scale_done(&new);
		return r;
	}
	histogram_scale_done(s);
	*s = new;
	return 0;
}

int histogram_scale_parse_steps(struct histogram_scale *s, const char *text, struct diag *diag)
{
	size_t length = strcspn(text, ",");
	_cleanup_(freep) char *word = xstrndup(text, length);
	uint64_t step, max = 0;

	if (number_parse(word, &step) < 0 || !step || step > INT64_MAX) {
		diag_mark(diag, -EINVAL, text, 0, length, "'%s' is not a step", word);
		diag_hint(diag, "Give the size of a row and where they end: 100 or 100,5000.");
		return -EINVAL;
	}
	if (text[length] && (number_parse(text + length + 1, &max) < 0 || !max || max > INT64_MAX))
		return diag_mark(diag, -EINVAL, text, length + 1, strlen(text + length + 1),
				 "'%s' is not a maximum", text + length + 1);
	histogram_scale_done(s);
	*s = (struct histogram_scale){ .kind = HISTOGRAM_STEPS, .step = step, .max = max };
	return 0;
}
