/* SPDX-License-Identifier: MIT */
#include "tools/lock/fields-view.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/text.h"

#define COUNT_WIDTH 10
#define TIME_WIDTH  12

static const struct {
	const char *name, *head;
} fields[LOCK_FIELDS] = {
	[LOCK_FIELD_ACQUIRED] = { "acquired", "acquired" },
	[LOCK_FIELD_CONTENDED] = { "contended", "contended" },
	[LOCK_FIELD_AVG_WAIT] = { "avg_wait", "avg wait" },
	[LOCK_FIELD_WAIT_TOTAL] = { "wait_total", "total wait" },
	[LOCK_FIELD_WAIT_MAX] = { "wait_max", "max wait" },
	[LOCK_FIELD_WAIT_MIN] = { "wait_min", "min wait" },
};

void lock_columns_add(struct lock_columns *c, enum lock_field field)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i] == field)
			return;
	c->items[c->n++] = field;
}

const char *lock_field_name(enum lock_field field)
{
	return fields[field].name;
}

static bool lock_fields_is_count(enum lock_field field)
{
	return field == LOCK_FIELD_ACQUIRED || field == LOCK_FIELD_CONTENDED;
}

static uint64_t lock_fields_value_of(const struct lock_row *row, enum lock_field field)
{
	switch (field) {
	case LOCK_FIELD_ACQUIRED:
		return row->acquired;
	case LOCK_FIELD_CONTENDED:
		return row->contended;
	case LOCK_FIELD_AVG_WAIT:
		return row->avg_ns;
	case LOCK_FIELD_WAIT_TOTAL:
		return row->total_ns;
	case LOCK_FIELD_WAIT_MAX:
		return row->max_ns;
	default:
		return row->min_ns;
	}
}

void lock_columns_add_heads(const struct lock_columns *c, struct text *t)
{
	for (size_t i = 0; i < c->n; i++)
		text_addf(t, "%*s ", lock_fields_is_count(c->items[i]) ? COUNT_WIDTH : TIME_WIDTH,
			  fields[c->items[i]].head);
}

/*
 * Appends a time in the largest unit of which it has at least one, with the precision of a float,
 * as in Linux's perf.
 */
static void lock_fields_add_time(struct text *t, uint64_t ns)
{
	static const struct {
		float ns;
		const char *name;
	} units[] = {
		{ 3600e9F, "h" }, { 60e9F, "m" }, { 1e9F, "s" }, { 1e6F, "ms" }, { 1e3F, "us" },
	};
	float value = (float)ns;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (value >= units[i].ns) {
			text_addf(t, "%*.2f %-2s", TIME_WIDTH - 3, (double)(value / units[i].ns),
				  units[i].name);
			return;
		}
	text_addf(t, "%*" PRIu64 " %-2s", TIME_WIDTH - 3, ns, "ns");
}

void lock_columns_add_values(const struct lock_columns *c, const struct lock_row *row,
			     struct text *t)
{
	for (size_t i = 0; i < c->n; i++) {
		uint64_t value = lock_fields_value_of(row, c->items[i]);

		if (lock_fields_is_count(c->items[i]))
			text_addf(t, "%*" PRIu64, COUNT_WIDTH, value);
		else
			lock_fields_add_time(t, value);
		text_add_char(t, ' ');
	}
}

void lock_columns_add_csv_heads(const struct lock_columns *c, const char *separator, struct text *t)
{
	for (size_t i = 0; i < c->n; i++)
		text_addf(t, "%s%s ", fields[c->items[i]].head, separator);
}

void lock_columns_add_csv_values(const struct lock_columns *c, const struct lock_row *row,
				 const char *separator, struct text *t)
{
	for (size_t i = 0; i < c->n; i++)
		text_addf(t, "%" PRIu64 "%s ", lock_fields_value_of(row, c->items[i]), separator);
}

bool lock_failures_any(const struct lock_failures *f)
{
	return f->acquire || f->acquired || f->contended || f->release;
}

void lock_trailer_add(const struct lock_shown *shown, const struct lock_failures *f, struct text *t)
{
	text_addf(t, "\n=== output for debug===\n\nbad: %" PRIu64 ", total: %" PRIu64 "\n",
		  shown->bad_rows, shown->rows);
	if (shown->rows)
		text_addf(t, "bad rate: %.2f %%\n",
			  100.0 * (double)shown->bad_rows / (double)shown->rows);
	else
		text_add(t, "bad rate: nan %\n");
	text_addf(t,
		  "histogram of events caused bad sequence\n"
		  " %10s: %" PRIu64 "\n %10s: %" PRIu64 "\n %10s: %" PRIu64 "\n %10s: %" PRIu64
		  "\n",
		  "acquire", f->acquire, "acquired", f->acquired, "contended", f->contended,
		  "release", f->release);
}
