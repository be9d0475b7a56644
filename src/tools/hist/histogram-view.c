/* SPDX-License-Identifier: MIT */
#include "tools/hist/histogram-view.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "pairs/histogram.h"
#include "view/json.h"

/* The widths of columns, as in perf-stat-hist. They grow with longer numbers. */
#define FIRST_WIDTH 13
#define LAST_WIDTH  10
#define COUNT_WIDTH 8
#define BAR_WIDTH   38

void histogram_describe(const struct histogram_scale *s, struct text *out)
{
	switch (s->kind) {
	case HISTOGRAM_POWERS:
		text_addf(out, "power-of-%" PRIu64 ", max %" PRIu64, histogram_scale_power(s),
			  histogram_scale_max(s));
		break;
	case HISTOGRAM_STEPS:
		text_addf(out, "steps of %" PRIu64 ", max %" PRIu64, s->step,
			  histogram_scale_max(s));
		break;
	case HISTOGRAM_GIVEN:
		text_add(out, "specified buckets");
		break;
	}
}

struct histogram_widths {
	int first, last, count;
};

static void histogram_widen(int *width, int used)
{
	if (used > *width)
		*width = used;
}

static struct histogram_widths histogram_measure(const struct histogram *h)
{
	struct histogram_widths w = { FIRST_WIDTH, LAST_WIDTH, COUNT_WIDTH };

	for (size_t i = histogram_first_row(h); i < histogram_rows(h); i++) {
		struct histogram_range range = histogram_range(h, i);

		histogram_widen(&w.first, snprintf(NULL, 0, "%" PRId64, range.first));
		histogram_widen(&w.last, snprintf(NULL, 0, "%" PRId64 " ", range.last));
		histogram_widen(&w.count, snprintf(NULL, 0, "%" PRIu64, h->counts[i]));
	}
	return w;
}

/* Returns the text of a range's bound, or "" if the range has none on this side. */
static const char *bound_text(bool is_there, int64_t bound, char *buffer, size_t size)
{
	snprintf(buffer, size, "%" PRId64, bound);
	return is_there ? buffer : "";
}

/* Returns the length of a bar. Any count above 0 has a bar. */
static int bar_length(uint64_t count, uint64_t most)
{
	double share = most ? (double)count / (double)most : 0;
	int length = (int)(share * BAR_WIDTH);

	return length < share * BAR_WIDTH ? length + 1 : length;
}

void histogram_print(FILE *out, const struct histogram *h)
{
	static const char bar[] = "######################################";
	struct histogram_widths w = histogram_measure(h);
	uint64_t most = histogram_most(h);

	fprintf(out, "%*s%-*s: %-*s Distribution\n", w.first + 4, "Range", w.last, "", w.count,
		"Count");
	for (size_t i = histogram_first_row(h); i < histogram_rows(h); i++) {
		struct histogram_range range = histogram_range(h, i);
		char first[24], last[24];

		fprintf(out, "%*s -> %-*s: %-*" PRIu64 " |%-*.*s|\n", w.first,
			bound_text(range.has_first, range.first, first, sizeof(first)), w.last,
			bound_text(range.has_last, range.last, last, sizeof(last)), w.count,
			h->counts[i], BAR_WIDTH, bar_length(h->counts[i], most), bar);
	}
}

static void write_bound(struct json *j, const char *key, bool is_there, int64_t bound)
{
	json_key(j, key);
	if (is_there)
		json_signed(j, bound);
	else
		json_null(j);
}

static void histogram_write_rows(struct json *j, const struct histogram *h)
{
	json_key(j, "rows");
	json_array(j);
	for (size_t i = histogram_first_row(h); i < histogram_rows(h); i++) {
		struct histogram_range range = histogram_range(h, i);

		json_object(j);
		write_bound(j, "first", range.has_first, range.first);
		write_bound(j, "last", range.has_last, range.last);
		json_member_unsigned(j, "count", h->counts[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void histogram_print_json(FILE *out, const struct histogram *h,
			  const struct histogram_subject *subject)
{
	struct json j;

	json_init(&j, out);
	j.on_line = true;
	json_object(&j);
	json_member(&j, "event", subject->event);
	json_member(&j, "field", subject->field);
	json_member(&j, "pairs", subject->pairs);
	json_member(&j, "unit", subject->unit);
	if (subject->time_ns) {
		json_key(&j, "time");
		json_fixed(&j, (double)subject->time_ns / 1e9, 6);
	}
	json_member_unsigned(&j, "total", histogram_total(h));
	histogram_write_rows(&j, h);
	json_end(&j, '}');
	json_done(&j);
}
