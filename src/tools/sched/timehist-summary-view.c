/* SPDX-License-Identifier: MIT */
#include "tools/sched/timehist-summary-view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "tools/sched/label-view.h"
#include "tools/sched/timehist-model.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000
/*
 * The number of tables in which Linux's perf keeps its tasks, which it prints one after the other.
 */
#define TABLES 256

struct summary {
	FILE *out;
	const struct timehist_summary_style *style;
	struct task_labels labels;
	int name_width;
	bool without_migrations;
	uint64_t n_tasks, n_switches, run_ns;
};

static const char rule[] = "------------------------------------------------------------"
			   "---------------------------------------------------------\n";

static void print_ms(FILE *out, int width, uint64_t ns)
{
	fprintf(out, "%*" PRIu64 ".%03" PRIu64, width, ns / NS_PER_MS, ns % NS_PER_MS / NS_PER_US);
}

/* The titles of a table with the minimum of blanks. */
static const char figures[] = " parent sched-in run-time min-run avg-run max-run stddev migrations";

static const char *migrations_title(const struct summary *s)
{
	return s->without_migrations ? "" : "  migrations";
}

static void sched_timehist_summary_print_head(const struct summary *s)
{
	const char *title = s->style->idle    ? "Idle-time summary"
			    : s->style->state ? "Wait-time summary"
					      : "Runtime summary";

	fprintf(s->out, "\n%s\n%*s  parent  ", title, s->name_width, "comm");
	if (s->style->idle)
		fprintf(s->out,
			"sched-out    idle-time   min-idle    avg-idle    max-idle  stddev%s\n",
			migrations_title(s));
	else if (s->style->state)
		fputs(" sched-in     run-time      sleep      iowait     preempt       delay\n",
		      s->out);
	else
		fprintf(s->out,
			" sched-in     run-time    min-run     avg-run     max-run  stddev%s\n",
			migrations_title(s));
	fprintf(s->out,
		"%*s            (count)       (msec)     (msec)      (msec)      (msec)%s\n",
		s->name_width, "", s->style->state ? "       (msec)" : "       %");
	fputs(rule, s->out);
}

static void print_waits(FILE *out, const struct timehist_task *t)
{
	print_ms(out, 7, t->sleep_ns);
	print_ms(out, 8, t->iowait_ns);
	print_ms(out, 8, t->preempted_ns);
	print_ms(out, 8, t->delay_ns);
	fputs(" \n", out);
}

static void sched_timehist_summary_print_statistics(const struct summary *s,
						    const struct timehist_task *t)
{
	FILE *out = s->out;

	print_ms(out, 7, t->min_run_ns);
	print_ms(out, 8, (uint64_t)t->run.mean);
	print_ms(out, 8, t->max_run_ns);
	/* Linux's perf computes it as a float, which affects the rounding. */
	fprintf(out, "   %5.2f", (double)(float)moments_noise(&t->run));
	if (!s->without_migrations)
		fprintf(out, "   %5" PRIu64, t->migrations);
	fputc('\n', out);
}

static void sched_timehist_summary_print_task(struct summary *s, const struct timehist_task *t)
{
	const struct task_label *label = task_label(&s->labels, t);

	if ((int)label->length > s->name_width)
		s->name_width = (int)label->length;
	fprintf(s->out, "%*s  %6d  %9" PRIu64 "  ", s->name_width, label->chars, t->ppid,
		(uint64_t)t->run.n);
	print_ms(s->out, 7, t->run_ns);
	if (s->style->state)
		print_waits(s->out, t);
	else
		sched_timehist_summary_print_statistics(s, t);
	s->n_tasks++;
	s->n_switches += (uint64_t)t->run.n;
	s->run_ns += t->run_ns;
}

static int by_table(const void *a, const void *b)
{
	const struct timehist_task *x = *(struct timehist_task *const *)a;
	const struct timehist_task *y = *(struct timehist_task *const *)b;
	uint32_t of_x = (uint32_t)x->tid % TABLES, of_y = (uint32_t)y->tid % TABLES;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	if (x->is_replaced != y->is_replaced)
		return x->is_replaced ? 1 : -1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

/* Prints the tasks that have ended, or those that have not. */
static void sched_timehist_summary_print_tasks(struct summary *s,
					       struct timehist_task *const *tasks, size_t n,
					       bool ended)
{
	uint64_t before = s->n_tasks;

	for (size_t i = 0; i < n; i++)
		if (tasks[i]->has_ended == ended && tasks[i]->run.n > 0)
			sched_timehist_summary_print_task(s, tasks[i]);
	if (before == s->n_tasks)
		fputs(ended ? "<no terminated tasks>\n" : "<no still running tasks>\n", s->out);
}

static void print_all_tasks(struct summary *s, const struct timehist_tasks *all)
{
	_cleanup_(freep) struct timehist_task **tasks = xcalloc(all->all.n + 1, sizeof(*tasks));
	size_t n = 0;

	for (size_t i = 0; i < all->all.n; i++)
		if (!all->all.items[i]->is_idle)
			tasks[n++] = all->all.items[i];
		else
			s->n_switches += (uint64_t)all->all.items[i]->run.n;
	qsort(tasks, n, sizeof(*tasks), by_table);
	sched_timehist_summary_print_tasks(s, tasks, n, false);
	fputs("\nTerminated tasks:\n", s->out);
	sched_timehist_summary_print_tasks(s, tasks, n, true);
}

static size_t longest_label(struct summary *s, const struct timehist_tasks *all)
{
	size_t longest = 0;

	for (size_t i = 0; i < all->all.n; i++) {
		const struct timehist_task *t = all->all.items[i];

		if (!t->is_idle && t->run.n > 0 && task_label(&s->labels, t)->length > longest)
			longest = task_label(&s->labels, t)->length;
	}
	return longest;
}

/*
 * Chooses the columns. On a terminal all rows have the same layout from the first one on, with no
 * more columns than necessary.
 */
static void sched_timehist_summary_fit(struct summary *s, const struct timehist_tasks *all)
{
	size_t longest = longest_label(s, all);

	s->name_width = (int)(longest > strlen("comm") ? longest : strlen("comm"));
	s->without_migrations = !s->style->state &&
				(size_t)s->name_width + strlen(figures) > s->style->columns;
}

static bool shows_cpu(const struct timehist_summary_style *style, unsigned cpu)
{
	return !style->cpus || !style->cpus->n || cpu_list_contains(style->cpus, cpu);
}

static void print_idle(const struct summary *s, const struct timehist *t)
{
	struct timehist_sums sums = timehist_sums(t);
	double whole = (double)(sums.last_ns - sums.first_ns);

	fputs("\nIdle stats:\n", s->out);
	for (unsigned cpu = 0; cpu < s->style->n_cpus; cpu++) {
		const struct timehist_task *idle = timehist_task_find_idle(timehist_tasks(t), cpu);

		if (!shows_cpu(s->style, cpu))
			continue;
		if (!idle || !idle->run_ns) {
			fprintf(s->out, "    CPU %2u idle entire time window\n", cpu);
			continue;
		}
		fprintf(s->out, "    CPU %2u idle for ", cpu);
		print_ms(s->out, 6, idle->run_ns);
		fprintf(s->out, "  msec  (%6.2f%%)\n", 100 * (double)idle->run_ns / whole);
	}
}

static void print_cpu_chains(const struct summary *s, uint32_t cpu,
			     const struct timehist_idle_chain *chains, size_t n)
{
	fputs("  Idle time (msec)     Count  Callchains\n"
	      "  ----------------  --------  --------------------------------------------------\n",
	      s->out);
	for (size_t i = 0; i < n; i++) {
		if (chains[i].cpu != cpu)
			continue;
		fputs("  ", s->out);
		print_ms(s->out, 12, chains[i].idle_ns);
		fprintf(s->out, "  %8" PRIu64 " %s\n", chains[i].count,
			s->style->chain_text(s->style->arg, chains[i].chain));
	}
	fputc('\n', s->out);
}

static void print_chains(const struct summary *s, const struct timehist *t)
{
	size_t n;
	_cleanup_(freep) struct timehist_idle_chain *chains = timehist_idle_chains(t, &n);

	fputs("\nIdle stats by callchain:\n", s->out);
	for (unsigned cpu = 0; cpu < s->style->n_cpus; cpu++) {
		const struct timehist_task *idle = timehist_task_find_idle(timehist_tasks(t), cpu);

		if (!shows_cpu(s->style, cpu))
			continue;
		fprintf(s->out, "  CPU %2u:", cpu);
		print_ms(s->out, 6, idle ? idle->run_ns : 0);
		fputs("  msec\n", s->out);
		print_cpu_chains(s, cpu, chains, n);
	}
}

static void print_sums(const struct summary *s, const struct timehist *t)
{
	struct timehist_sums sums = timehist_sums(t);

	fprintf(s->out,
		"\n    Total number of unique tasks: %" PRIu64
		"\nTotal number of context switches: %" PRIu64
		"\n           Total run time (msec): ",
		s->n_tasks, s->n_switches);
	print_ms(s->out, 2, s->run_ns);
	fputs(" \n    Total scheduling time (msec): ", s->out);
	print_ms(s->out, 2, sums.last_ns - sums.first_ns);
	fprintf(s->out, "  (x %u)\n", s->style->n_cpus);
}

void timehist_print_summary(FILE *out, const struct timehist *t,
			    const struct timehist_summary_style *style)
{
	struct summary s = { .out = out, .style = style, .name_width = (int)style->name_width };

	if (style->columns)
		sched_timehist_summary_fit(&s, timehist_tasks(t));
	sched_timehist_summary_print_head(&s);
	print_all_tasks(&s, timehist_tasks(t));
	if (s.without_migrations)
		fputs("\nMigrations are shown on a wider terminal, or in a pipe.\n", out);
	/* Sums over only some of the switches could be mistaken for sums over all. */
	if (!timehist_sums(t).skipped || style->idle) {
		print_idle(&s, t);
		if (style->idle && style->chains)
			print_chains(&s, t);
		print_sums(&s, t);
	}
	task_labels_done(&s.labels);
}
