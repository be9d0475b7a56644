/* SPDX-License-Identifier: MIT */
#include "tools/kwork/table-view.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/kwork/items-model.h"

#define RULE                                                                                       \
	" ----------------------------------------------------------------"                        \
	"----------------------------------------------------------------\n"

static const char runtime_heads[] =
	"\n  Kwork Name                     | Cpu  | Total Runtime | Count     | Max runtime   |"
	" Max runtime start   | Max runtime end     |\n" RULE;
static const char delay_heads[] =
	"\n  Kwork Name                     | Cpu  | Avg delay     | Count     | Max delay     |"
	" Max delay start     | Max delay end       |\n" RULE;

static double kwork_table_msec(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void kwork_table_add_time(struct text *t, uint64_t ns)
{
	text_addf(t, " %10" PRIu64 ".%06" PRIu64 " s |", ns / 1000000000, ns / 1000 % 1000000);
}

static void kwork_table_add_row(struct text *t, const struct kwork_item *item, uint64_t shown_ns)
{
	text_add(t, "  ");
	kwork_name_add(t, item, KWORK_NAME_WIDTH);
	text_addf(t, " | %04d | %10.3f ms | %9" PRIu64 " | %10.3f ms |", (int)item->cpu,
		  kwork_table_msec(shown_ns), item->count, kwork_table_msec(item->max_ns));
	kwork_table_add_time(t, item->max_begin);
	kwork_table_add_time(t, item->max_end);
	text_add_char(t, '\n');
}

/*
 * Appends the totals. "load average" is a fraction of one CPU and not in percent, in spite of the
 * percent sign after it.
 */
static void kwork_table_add_totals(struct text *t, const struct kwork_table_end *e)
{
	text_addf(t, "  Total count            : %9" PRIu64 "\n", e->count);
	text_addf(t, "  Total runtime   (msec) : %9.3f (%.3f%% load average)\n",
		  kwork_table_msec(e->sum_ns),
		  e->time_ns ? (double)e->sum_ns / (double)e->time_ns : 0);
	text_addf(t, "  Total time span (msec) : %9.3f\n" RULE, kwork_table_msec(e->time_ns));
}

static void kwork_table_add_missing(struct text *t, const struct kwork_table_end *e)
{
	uint64_t skipped = e->skipped_raises + e->skipped_begins + e->skipped_ends;
	double records = (double)e->records;

	if (e->records && e->lost_events && e->lost_records)
		text_addf(t,
			  "  INFO: %.3f%% lost events (%" PRIu64 " out of %" PRIu64 ", in %" PRIu64
			  " chunks)\n",
			  100 * (double)e->lost_events / records, e->lost_events, e->records,
			  e->lost_records);
	if (e->records && skipped)
		text_addf(t,
			  "  INFO: %.3f%% skipped events (%" PRIu64 " including %" PRIu64
			  " raise, %" PRIu64 " entry, %" PRIu64 " exit)\n",
			  100 * (double)skipped / records, skipped, e->skipped_raises,
			  e->skipped_begins, e->skipped_ends);
}

static void kwork_table_view_print(FILE *out, const struct kwork_item *const *rows, size_t n,
				   const struct kwork_table_end *end, bool is_delay)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, is_delay ? delay_heads : runtime_heads);
	for (size_t i = 0; i < n; i++)
		kwork_table_add_row(&t, rows[i],
				    is_delay ? rows[i]->sum_ns / rows[i]->count : rows[i]->sum_ns);
	text_add(&t, RULE);
	if (end->with_totals)
		kwork_table_add_totals(&t, end);
	kwork_table_add_missing(&t, end);
	text_add_char(&t, '\n');
	fwrite(t.chars, 1, t.length, out);
}

void kwork_runtimes_print(FILE *out, const struct kwork_item *const *rows, size_t n,
			  const struct kwork_table_end *end)
{
	kwork_table_view_print(out, rows, n, end, false);
}

void kwork_delays_print(FILE *out, const struct kwork_item *const *rows, size_t n,
			const struct kwork_table_end *end)
{
	kwork_table_view_print(out, rows, n, end, true);
}

/*
 * Composes the name. The number of a work item is an address, which is left out because the
 * function's name says more.
 */
static void kwork_name_compose(char *name, size_t size, const struct kwork_item *item)
{
	const char *prefix = kwork_class_names[item->class].prefix;

	if (item->class == KWORK_WORKQUEUE && item->name)
		snprintf(name, size, "%s%s", prefix, item->name);
	else if (item->class == KWORK_WORKQUEUE)
		snprintf(name, size, "%s0x%" PRIx64, prefix, item->id);
	else if (item->name)
		snprintf(name, size, "%s%s:%" PRIu64, prefix, item->name, item->id);
	else
		snprintf(name, size, "%s%" PRIu64, prefix, item->id);
}

/* Appends the name. A longer name loses its end, as in Linux's perf, and a blank follows. */
void kwork_name_add(struct text *t, const struct kwork_item *item, size_t width)
{
	char name[KWORK_NAME_WIDTH];
	size_t from = t->length;

	assert(width && width <= sizeof(name));
	kwork_name_compose(name, width, item);
	escape_terminal(t, name, strlen(name));
	text_pad(t, from, width, 0, ' ');
}
