/* SPDX-License-Identifier: MIT */
#include "pairs/hist-filters.h"

#include <inttypes.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/text.h"
#include "pairs/histogram.h"
#include "tracepoint/field.h"

/*
 * Returns the least number that a field can have. hist_filters_largest() returns the largest, as
 * far as an int64_t reaches.
 */
static int64_t hist_filters_least(const struct field_ref *f)
{
	return f->is_signed ? INT64_MIN >> (64 - 8 * f->size) : 0;
}

static int64_t hist_filters_largest(const struct field_ref *f)
{
	unsigned bits = 8 * f->size - f->is_signed;

	return bits > 62 ? INT64_MAX : (INT64_C(1) << bits) - 1;
}

char *hist_row_condition(const struct histogram *h, size_t row, const char *name,
			 const struct field_ref *f)
{
	struct histogram_range range = histogram_range(h, row);
	struct text t = TEXT_EMPTY;

	if ((range.has_first && range.first > hist_filters_largest(f)) ||
	    (range.has_last && range.last < hist_filters_least(f)))
		return NULL;
	if (range.has_first && range.first > hist_filters_least(f))
		text_addf(&t, "%s >= %" PRId64, name, range.first);
	if (range.has_last && range.last < hist_filters_largest(f))
		text_addf(&t, "%s%s <= %" PRId64, t.length ? " && " : "", name, range.last);
	return t.length ? text_take(&t) : xstrdup("");
}

char *hist_join_filters(const char *filter, const char *condition)
{
	if (!filter || !*condition)
		return xstrdup(filter ? filter : condition);
	return xasprintf("(%s) && %s", filter, condition);
}
