/* SPDX-License-Identifier: MIT */
#include "tools/sched/queue-view.h"

#include <inttypes.h>

#include "base/cpu-list.h"
#include "tools/sched/queue-model.h"
#include "view/json.h"

#define NS_PER_S  1e9
#define NS_PER_MS 1e6
/* The number of lengths that have a column of their own in the text. */
#define COLUMNS 6

static bool queue_shows(const struct queue_style *style, const struct sched_queue *q, size_t cpu)
{
	return q->cpus.items[cpu].first_ns &&
	       (!style->cpus || !style->cpus->n || cpu_list_contains(style->cpus, (unsigned)cpu));
}

/*
 * Returns the share of its time, in percent, for which @l had the lengths from @first to before
 * @end.
 */
static double queue_share(const struct queue_line *l, size_t first, size_t end)
{
	uint64_t ns = 0, whole = l->last_ns - l->first_ns;

	for (size_t i = first; i < end; i++)
		ns += l->at_ns[i];
	return whole ? 100 * (double)ns / (double)whole : 0;
}

static void queue_print_name(FILE *out, int cpu)
{
	if (cpu < 0)
		fprintf(out, "%5s", "all");
	else
		fprintf(out, "%5d", cpu);
}

static void queue_print_line(FILE *out, int cpu, const struct queue_line *l)
{
	queue_print_name(out, cpu);
	fprintf(out, "  %7.3f  %5" PRIu32, queue_line_mean(l), l->max);
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(out, "  %6.2f%%",
			queue_share(l, i, i + 1 < COLUMNS ? i + 1 : (size_t)QUEUE_LENGTHS));
	fputc('\n', out);
}

/* Prints a digit for the mean of each interval, rounded; '+' for more than 9, '.' for zero. */
static void print_strip(FILE *out, const struct sched_queue *q, int cpu, const struct queue_line *l)
{
	queue_print_name(out, cpu);
	fputs("  |", out);
	for (size_t i = 0; i < sched_queue_intervals(q); i++) {
		double mean = queue_line_interval(q, l, i);

		fputc(mean == 0 ? '.' : mean >= 9.5 ? '+' : '0' + (int)(mean + 0.5), out);
	}
	fputs("|\n", out);
}

static void print_intervals(FILE *out, const struct sched_queue *q, const struct queue_style *style)
{
	fprintf(out, "\n%15s", "time");
	for (size_t c = 0; c < q->cpus.n; c++)
		if (queue_shows(style, q, c))
			fprintf(out, "  %4s%3zu", "CPU ", c);
	fprintf(out, "  %7s\n", "all");
	for (size_t i = 0; i < sched_queue_intervals(q); i++) {
		fprintf(out, "%15.6f",
			((double)q->begin_ns + (double)i * (double)q->interval_ns) / NS_PER_S);
		for (size_t c = 0; c < q->cpus.n; c++)
			if (queue_shows(style, q, c))
				fprintf(out, "  %7.3f",
					queue_line_interval(q, &q->cpus.items[c], i));
		fprintf(out, "  %7.3f\n", queue_line_interval(q, &q->all, i));
	}
}

static void print_unknown(FILE *out, const struct sched_queue *q)
{
	if (q->late)
		fprintf(out,
			"\n%" PRIu64
			" task%s runnable before the recording told so, the last until "
			"%.3f ms: lengths before that may be too small.\n",
			q->late, q->late == 1 ? " was" : "s were",
			(double)(q->last_late_ns - q->begin_ns) / NS_PER_MS);
	if (q->vanished)
		fprintf(out,
			"\n%" PRIu64 " times a task left its CPU, but the recording does not have "
			"it: lengths may be too large.\n",
			q->vanished);
}

void queue_print(FILE *out, const struct sched_queue *q, const struct queue_style *style)
{
	fprintf(out,
		"Runnable tasks, running or waiting, in %.6f s\n\n"
		"%5s  %7s  %5s  %7s  %7s  %7s  %7s  %7s  %7s\n",
		(double)(q->end_ns - q->begin_ns) / NS_PER_S, "CPU", "mean", "max", "0", "1", "2",
		"3", "4", "5+");
	for (size_t c = 0; c < q->cpus.n; c++)
		if (queue_shows(style, q, c))
			queue_print_line(out, (int)c, &q->cpus.items[c]);
	queue_print_line(out, -1, &q->all);
	if (style->intervals) {
		print_intervals(out, q, style);
	} else {
		fprintf(out, "\nMeans of %.3f ms each\n", (double)q->interval_ns / NS_PER_MS);
		for (size_t c = 0; c < q->cpus.n; c++)
			if (queue_shows(style, q, c))
				print_strip(out, q, (int)c, &q->cpus.items[c]);
		print_strip(out, q, -1, &q->all);
	}
	print_unknown(out, q);
}

static void json_line(struct json *j, const struct sched_queue *q, const struct queue_line *l)
{
	json_member_unsigned(j, "first_ns", l->first_ns);
	json_key(j, "mean");
	json_fixed(j, queue_line_mean(l), 6);
	json_member_unsigned(j, "max", l->max);
	json_key(j, "ns_at_length");
	json_array(j);
	j->on_line = true;
	for (size_t i = 0; i < QUEUE_LENGTHS; i++)
		json_unsigned(j, l->at_ns[i]);
	json_end(j, ']');
	j->on_line = false;
	json_key(j, "intervals");
	json_array(j);
	j->on_line = true;
	for (size_t i = 0; i < sched_queue_intervals(q); i++)
		json_fixed(j, queue_line_interval(q, l, i), 6);
	json_end(j, ']');
	j->on_line = false;
}

void queue_print_json(FILE *out, const struct sched_queue *q, const struct queue_style *style)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	json_member_unsigned(&j, "begin_ns", q->begin_ns);
	json_member_unsigned(&j, "end_ns", q->end_ns);
	json_member_unsigned(&j, "interval_ns", q->interval_ns);
	json_member_unsigned(&j, "tasks_unseen_at_begin", q->late);
	json_member_unsigned(&j, "unseen_departures", q->vanished);
	json_key(&j, "cpus");
	json_array(&j);
	for (size_t c = 0; c < q->cpus.n; c++) {
		if (!queue_shows(style, q, c))
			continue;
		json_object(&j);
		json_member_unsigned(&j, "cpu", c);
		json_line(&j, q, &q->cpus.items[c]);
		json_end(&j, '}');
	}
	json_end(&j, ']');
	json_key(&j, "all");
	json_object(&j);
	json_line(&j, q, &q->all);
	json_end(&j, '}');
	json_end(&j, '}');
	json_done(&j);
}
