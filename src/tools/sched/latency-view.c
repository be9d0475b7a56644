/* SPDX-License-Identifier: MIT */
#include "tools/sched/latency-view.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "session/session.h"
#include "tools/sched/latency-model.h"

#define WIDTH       (SCHED_LATENCY_WIDTH - 1)
#define TASK_WIDTH  21
#define TOTAL_WIDTH 113
#define LAST_WIDTH  51

static void sched_latency_print_rule(FILE *out, size_t width)
{
	fputc(' ', out);
	for (size_t i = 0; i < width; i++)
		fputc('-', out);
	fputc('\n', out);
}

static void sched_latency_print_head(FILE *out, const char *count, bool narrow)
{
	fputc('\n', out);
	sched_latency_print_rule(out, WIDTH);
	fprintf(out, "  Task                  |   Runtime ms  | %-8s | %s | ", count,
		narrow ? "   Avg delay ms |    Max delay ms" : "Avg delay ms    | Max delay ms   ");
	fputs("Max delay start           | Max delay end          |\n", out);
	sched_latency_print_rule(out, WIDTH);
}

/* Prints seconds, truncated to microseconds. */
static void sched_latency_print_time(FILE *out, const char *title, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
		 ns % 1000000000 / 1000);
	fprintf(out, " | %s: %12s s", title, text);
}

/* Sets the name of a row: "make:(12)", "make:4711". */
static void sched_latency_set_name(struct text *task, const struct sched_latency_row *r)
{
	text_clear(task);
	escape_terminal(task, r->comm, strlen(r->comm));
	if (r->n_tasks > 1)
		text_addf(task, ":(%zu)", r->n_tasks);
	else
		text_addf(task, ":%d", r->tid);
}

static void sched_latency_print_row(FILE *out, const struct sched_latency_row *r, struct text *task,
				    bool narrow)
{
	sched_latency_set_name(task, r);
	fprintf(out, "  %-*s |%11.3f ms |%9" PRIu64 " | %s%8.3f ms | %s%8.3f ms", TASK_WIDTH,
		task->chars, (double)r->run_ns / 1e6, r->n,
		narrow ? "    " : "avg:", (double)(r->sum_ns / r->n) / 1e6,
		narrow ? "    " : "max:", (double)r->max_ns / 1e6);
	sched_latency_print_time(out, "max start", r->max_begin);
	sched_latency_print_time(out, "max end", r->max_end);
	fputc('\n', out);
}

void sched_latency_print(FILE *out, const struct sched_latency_rows *rows, const char *count,
			 bool narrow, const struct sched_info *info)
{
	_cleanup_(text_done) struct text task = TEXT_EMPTY;

	sched_latency_print_head(out, count, narrow);
	for (size_t i = 0; i < rows->n; i++)
		sched_latency_print_row(out, &rows->items[i], &task, narrow);
	sched_latency_print_rule(out, TOTAL_WIDTH);
	fprintf(out, "  TOTAL:                |%11.3f ms |%9" PRIu64 " |\n",
		(double)rows->run_ns / 1e6, rows->n_waits);
	sched_latency_print_rule(out, LAST_WIDTH);
	sched_info_print(out, info);
	fputc('\n', out);
}

void sched_latency_print_short(FILE *out, const struct sched_latency_rows *rows, size_t max)
{
	_cleanup_(text_done) struct text task = TEXT_EMPTY;

	fprintf(out, "  %-*s %13s %9s %13s %13s\n", TASK_WIDTH, "Task", "Runtime ms", "Waits",
		"Avg delay ms", "Max delay ms");
	fprintf(out, "  %-*s %13.3f %9" PRIu64 "\n", TASK_WIDTH, "TOTAL",
		(double)rows->run_ns / 1e6, rows->n_waits);
	for (size_t i = 0; i < rows->n && i < max; i++) {
		const struct sched_latency_row *r = &rows->items[i];

		sched_latency_set_name(&task, r);
		fprintf(out, "  %-*s %13.3f %9" PRIu64 " %13.3f %13.3f\n", TASK_WIDTH, task.chars,
			(double)r->run_ns / 1e6, r->n, (double)r->sum_ns / (double)r->n / 1e6,
			(double)r->max_ns / 1e6);
	}
}

struct sched_info sched_info_of(const struct session_counts *c)
{
	struct sched_info info = { .lost_events = c->lost_events, .lost_chunks = c->lost_records };

	for (size_t i = 0; i < PERF_RECORD_USER_MAX; i++)
		info.n_records += c->records[i];
	return info;
}

/*
 * Prints "INFO: 4.000% WHAT (1 out of 25". The caller adds the closing parenthesis. False: there is
 * nothing to print.
 */
static bool sched_info_print_share(FILE *out, const char *what, uint64_t n, uint64_t all)
{
	if (!n || !all)
		return false;
	fprintf(out, "  INFO: %.3f%% %s (%" PRIu64 " out of %" PRIu64,
		(double)n / (double)all * 100, what, n, all);
	return true;
}

void sched_info_print(FILE *out, const struct sched_info *info)
{
	if (sched_info_print_share(out, "unordered timestamps", info->early_wakeups, info->wakeups))
		fputs(")\n", out);
	if (sched_info_print_share(out, "lost events", info->lost_events, info->n_records))
		fprintf(out, ", in %" PRIu64 " chunks)\n", info->lost_chunks);
	if (sched_info_print_share(out, "context switch bugs", info->switch_bugs, info->wakeups))
		fprintf(out, ")%s\n", info->lost_events ? " (due to lost events?)" : "");
}
