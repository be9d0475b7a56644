/* SPDX-License-Identifier: MIT */
#include "tools/stat/count-compare-work.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/diag.h"
#include "base/memory.h"
#include "count/stat-model.h"

/* The default number of runs. Fewer are not conclusive; the user may request another number. */
#define RUNS_DEFAULT 10

static enum compare_kind stat_count_compare_kind_of(const struct stat_event *e)
{
	return e->unit[0] ? COMPARE_AMOUNT : COMPARE_COUNT;
}

/* Returns the next row of the comparison, which the first run makes. */
static struct compare_row *next_row(struct count_comparison *c, size_t *at, enum compare_kind kind,
				    const char *name, const char *unit)
{
	if (*at == c->rows.n)
		*ARRAY_ADD(&c->rows) = compare_add_row(c->compare, kind, name, unit);
	return c->rows.items[(*at)++];
}

static void stat_count_compare_add_value(struct count_comparison *c, struct compare_row *row,
					 size_t command, bool known, double value)
{
	if (known)
		compare_add(c->compare, row, command, value);
	else
		compare_add_missing(c->compare, row, command);
}

/*
 * Adds metrics. Rates are omitted, because they are the counts divided by a time that has a row of
 * its own.
 */
static void stat_count_compare_add_metrics(struct count_comparison *c, const struct stat_row *r,
					   size_t command, size_t *at)
{
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct stat_metric *m = &r->metrics[i];
		_cleanup_(freep) char *name = m->of_all
						      ? xasprintf("%s %s", r->event->name, m->unit)
						      : xstrdup(m->unit);

		if (!m->rate)
			stat_count_compare_add_value(c, next_row(c, at, COMPARE_RATIO, name, ""),
						     command, m->known, m->value);
	}
}

static void stat_count_compare_add_run(struct count_comparison *c, size_t command)
{
	struct count_job *j = &c->job;
	struct stat_table table;
	size_t at = 0;

	stat_model_table(j->model, &table);
	compare_add(c->compare, c->time, command, (double)j->loop.elapsed_ns / 1e9);
	compare_add(c->compare, c->user, command, count_job_user_s(j));
	compare_add(c->compare, c->system, command, count_job_system_s(j));
	for (size_t i = 0; i < table.n_rows; i++) {
		const struct stat_row *r = &table.rows[i];
		struct compare_row *row = next_row(c, &at, stat_count_compare_kind_of(r->event),
						   r->event->name, r->event->unit);

		stat_count_compare_add_value(c, row, command, r->state == STAT_COUNTED, r->count);
		stat_count_compare_add_metrics(c, r, command, &at);
	}
}

static int check_workload(struct count_comparison *c, size_t command)
{
	int status = c->job.loop.wait_status;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	diag_set(c->job.diag, -ECANCELED, "'%s' %s %d", c->commands[command],
		 WIFSIGNALED(status) ? "was killed by signal" : "ended with status",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	diag_hint(c->job.diag,
		  "A run that fails is not a measurement. If it is meant to: '%s || true'",
		  c->commands[command]);
	return -ECANCELED;
}

static int stat_count_compare_run_one(struct count_comparison *c, size_t command)
{
	char *argv[] = { "/bin/sh", "-c", c->commands[command], NULL };
	int r;

	count_job_reset(&c->job);
	c->job.argv = argv;
	r = count_job_run_once(&c->job);
	if (r >= 0 && !c->job.loop.signal)
		r = check_workload(c, command);
	if (r >= 0 && !c->job.loop.signal)
		stat_count_compare_add_run(c, command);
	return r;
}

/*
 * Runs all commands once: A B, B A, A B, ..., so that drift (temperature, caches, other load)
 * affects all of them equally.
 */
static int run_round(struct count_comparison *c, uint64_t round)
{
	int r = 0;

	for (size_t i = 0; i < c->n && r >= 0 && !c->job.loop.signal; i++)
		r = stat_count_compare_run_one(c, round % 2 ? c->n - 1 - i : i);
	return r;
}

static int stat_count_compare_run_rounds(struct count_comparison *c)
{
	uint64_t asked = c->job.rq->repeat.runs, runs = asked > 1 ? asked : RUNS_DEFAULT;
	int r = 0;

	for (uint64_t i = 0; i < runs && r >= 0 && !c->job.loop.signal; i++) {
		r = run_round(c, i);
		/*
		 * After the first round all names are known, so a wrong one is reported without
		 * waiting for the other rounds.
		 */
		if (r >= 0 && i == 0)
			r = thresholds_check(&c->limits, c->compare, c->job.diag);
	}
	return r;
}

void count_comparison_init(struct count_comparison *c, const struct count_request *rq,
			   char *const *commands, size_t n, struct notes *notes, struct diag *diag)
{
	*c = (struct count_comparison){
		.commands = commands,
		.n = n,
		.compare = compare_new(n, (const char *const *)commands),
	};
	count_job_init(&c->job, rq, notes, diag);
	c->job.cpus = false;
	c->time = compare_add_row(c->compare, COMPARE_ELAPSED, "time", "s");
	c->user = compare_add_row(c->compare, COMPARE_AMOUNT, "user", "s");
	c->system = compare_add_row(c->compare, COMPARE_AMOUNT, "system", "s");
}

int count_comparison_limit(struct count_comparison *c, const char *condition)
{
	return thresholds_parse(&c->limits, condition, c->job.diag);
}

int count_comparison_prepare(struct count_comparison *c)
{
	return count_job_prepare(&c->job);
}

int count_comparison_run(struct count_comparison *c)
{
	int r = stat_count_compare_run_rounds(c);

	if (r < 0)
		return r;
	compare_finish(c->compare);
	thresholds_evaluate(&c->limits, c->compare, &c->results);
	return 0;
}

void count_comparison_done(struct count_comparison *c)
{
	count_job_done(&c->job);
	compare_free(c->compare);
	threshold_results_done(&c->results);
	thresholds_done(&c->limits);
	free(c->rows.items);
}
