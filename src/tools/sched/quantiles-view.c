/* SPDX-License-Identifier: MIT */
#include "tools/sched/quantiles-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/sched/task-times-model.h"
#include "view/json.h"

#define NS_PER_MS  1e6
#define BAR        30
#define TASK_WIDTH 24

static const char *const titles[TASK_TIMES] = { "delay", "sleep", "run" };

static const struct {
	const char *title;
	double share;
} quantiles[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 } };

static void print_times(FILE *out, const struct timed_task *t, const char *name, size_t kind)
{
	const struct spread *s = &t->times[kind];

	fprintf(out, "%-*s  %-5s  %8" PRIu64, TASK_WIDTH, name, titles[kind], s->n);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++)
		fprintf(out, "  %10.3f",
			(double)spread_quantile(s, quantiles[i].share) / NS_PER_MS);
	fprintf(out, "  %10.3f  %12.3f\n", (double)s->max_ns / NS_PER_MS,
		(double)s->sum_ns / NS_PER_MS);
}

/* Returns the row of @ns in a histogram. Rows begin at 0, 2, 4, 8, ... nanoseconds. */
static unsigned quantiles_row_of(uint64_t ns)
{
	return 63 - (unsigned)__builtin_clzll(ns | 1);
}

static uint64_t row_first(unsigned row)
{
	return row ? UINT64_C(1) << row : 0;
}

static uint64_t row_end(unsigned row)
{
	return row < 63 ? UINT64_C(1) << (row + 1) : UINT64_MAX;
}

static uint64_t quantiles_row_count(const struct spread *s, unsigned row)
{
	return spread_count(s, row_first(row), row_end(row));
}

/* Finds the first and the last row that are not empty. */
static void used_rows(const struct timed_task *t, unsigned *ret_first, unsigned *ret_last)
{
	*ret_first = 63;
	*ret_last = 0;
	for (size_t k = 0; k < TASK_TIMES; k++) {
		unsigned first = quantiles_row_of(spread_quantile(&t->times[k], 0));
		unsigned last = quantiles_row_of(t->times[k].max_ns);

		if (!t->times[k].n)
			continue;
		*ret_first = first < *ret_first ? first : *ret_first;
		*ret_last = last > *ret_last ? last : *ret_last;
	}
}

static void quantiles_print_histogram(FILE *out, const struct timed_task *t)
{
	uint64_t most = 1, n;
	unsigned first, last;

	used_rows(t, &first, &last);
	for (unsigned row = first; row <= last; row++) {
		n = quantiles_row_count(&t->times[TASK_DELAY], row);
		most = n > most ? n : most;
	}
	fprintf(out, "%28s  %8s  %8s  %8s\n", "nsec", "delay", "sleep", "run");
	for (unsigned row = first; row <= last; row++) {
		fprintf(out, "%12" PRIu64 " -> %12" PRIu64, row_first(row), row_end(row) - 1);
		for (size_t k = 0; k < TASK_TIMES; k++)
			fprintf(out, "  %8" PRIu64, quantiles_row_count(&t->times[k], row));
		n = quantiles_row_count(&t->times[TASK_DELAY], row);
		fprintf(out, "  |%.*s\n", (int)(n * BAR / most), "##############################");
	}
	fputc('\n', out);
}

static void quantiles_print_task(FILE *out, const struct timed_task *t, bool histogram)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	escape_terminal(&name, t->name.chars, strlen(t->name.chars));
	text_addf(&name, "[%d]", (int)t->tid);
	for (size_t k = 0; k < TASK_TIMES; k++)
		print_times(out, t, k ? "" : name.chars, k);
	if (histogram)
		quantiles_print_histogram(out, t);
}

void quantiles_print(FILE *out, const struct task_times *t, bool histogram)
{
	size_t n;
	_cleanup_(freep) const struct timed_task **tasks = task_times_sorted(t, &n);

	fprintf(out, "\n%-*s  %-5s  %8s  %10s  %10s  %10s  %10s  %12s\n", TASK_WIDTH,
		"Task, times in msec", "time", "count", "p50", "p90", "p99", "max", "sum");
	for (size_t i = 0; i < n; i++)
		quantiles_print_task(out, tasks[i], histogram);
}

static void json_spread(struct json *j, const char *key, const struct spread *s)
{
	json_key(j, key);
	json_object(j);
	json_member_unsigned(j, "count", s->n);
	json_member_unsigned(j, "sum_ns", s->sum_ns);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++)
		json_member_unsigned(j, quantiles[i].title, spread_quantile(s, quantiles[i].share));
	json_member_unsigned(j, "max", s->max_ns);
	json_end(j, '}');
}

void quantiles_print_json(FILE *out, const struct task_times *t)
{
	size_t n;
	_cleanup_(freep) const struct timed_task **tasks = task_times_sorted(t, &n);
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_member_unsigned(&j, "times_without_beginning", t->unmatched);
	json_key(&j, "tasks");
	json_array(&j);
	for (size_t i = 0; i < n; i++) {
		json_object(&j);
		json_member(&j, "name", tasks[i]->name.chars);
		json_member_signed(&j, "tid", (int32_t)tasks[i]->tid);
		for (size_t k = 0; k < TASK_TIMES; k++)
			json_spread(&j, titles[k], &tasks[i]->times[k]);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_end(&j, '}');
	json_done(&j);
}
