/* SPDX-License-Identifier: MIT */
#include "cmd/stat-compare.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cmd/limit-status.h"
#include "cmd/stat-job.h"
#include "cmd/stat-opts.h"
#include "cmd/stat-output.h"
#include "count/compare.h"
#include "count/stat-model.h"
#include "profile/threshold.h"
#include "view/stat/compare-json.h"
#include "view/stat/compare-text.h"

/* Fewer say little; the user may ask for more, or less. */
#define RUNS_DEFAULT 10

struct contest {
	struct stat_job job;
	struct stat_output out;
	struct compare *compare;
	char *const *commands;
	size_t n;
	struct compare_row *time, *user, *system;
	struct {
		struct compare_row **items; /* of each row of a table, then of its metrics */
		size_t n, room;
	} rows;
	struct thresholds limits;
};

static enum compare_kind kind_of(const struct stat_event *e)
{
	return e->unit[0] ? COMPARE_AMOUNT : COMPARE_COUNT;
}

/* The next row of the comparison; made when the first run comes to it. */
static struct compare_row *next_row(struct contest *c, size_t *at, enum compare_kind kind,
				    const char *name, const char *unit)
{
	if (*at == c->rows.n)
		*ARRAY_ADD(&c->rows) = compare_add_row(c->compare, kind, name, unit);
	return c->rows.items[(*at)++];
}

static void add_value(struct contest *c, struct compare_row *row, size_t command, bool known,
		      double value)
{
	if (known)
		compare_add(c->compare, row, command, value);
	else
		compare_add_missing(c->compare, row, command);
}

/* Rates are left out: they are the counts again, by a time that is a row of its own. */
static void add_metrics(struct contest *c, const struct stat_row *r, size_t command, size_t *at)
{
	for (size_t i = 0; i < r->n_metrics; i++) {
		const struct stat_metric *m = &r->metrics[i];
		_cleanup_(freep) char *name = m->of_all
						      ? xasprintf("%s %s", r->event->name, m->unit)
						      : xstrdup(m->unit);

		if (!m->rate)
			add_value(c, next_row(c, at, COMPARE_RATIO, name, ""), command, m->known,
				  m->value);
	}
}

static void add_run(struct contest *c, size_t command)
{
	struct stat_job *j = &c->job;
	struct stat_table table;
	size_t at = 0;

	stat_model_table(j->model, &table);
	compare_add(c->compare, c->time, command, (double)j->loop.elapsed_ns / 1e9);
	compare_add(c->compare, c->user, command, stat_seconds(j->loop.usage.ru_utime));
	compare_add(c->compare, c->system, command, stat_seconds(j->loop.usage.ru_stime));
	for (size_t i = 0; i < table.n_rows; i++) {
		const struct stat_row *r = &table.rows[i];
		struct compare_row *row = next_row(c, &at, kind_of(r->event), r->event->name,
						   r->event->unit);

		add_value(c, row, command, r->state == STAT_COUNTED, r->count);
		add_metrics(c, r, command, &at);
	}
}

static int check_workload(struct contest *c, size_t command)
{
	int status = c->job.loop.wait_status;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	diag_set(c->job.diag, -ECANCELED, "'%s' %s %d", c->commands[command],
		 WIFSIGNALED(status) ? "was killed by signal" : "ended with status",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	diag_hint(c->job.diag,
		  "A run that fails is no measurement. If it is meant to: '%s || true'",
		  c->commands[command]);
	return -ECANCELED;
}

static int run_one(struct contest *c, size_t command)
{
	char *argv[] = { "/bin/sh", "-c", c->commands[command], NULL };
	int r;

	stat_job_reset(&c->job);
	c->job.argv = argv;
	r = stat_job_run(&c->job);
	if (r >= 0 && !c->job.loop.signal)
		r = check_workload(c, command);
	if (r >= 0 && !c->job.loop.signal)
		add_run(c, command);
	return r;
}

/* A B, B A, A B, ...: what drifts (temperature, caches, other load) falls on all alike. */
static int run_round(struct contest *c, int64_t round)
{
	int r = 0;

	for (size_t i = 0; i < c->n && r >= 0 && !c->job.loop.signal; i++)
		r = run_one(c, round % 2 ? c->n - 1 - i : i);
	return r;
}

static int run_all(struct contest *c)
{
	int64_t runs = c->job.o->repeat > 1 ? c->job.o->repeat : RUNS_DEFAULT;
	int r = 0;

	for (int64_t i = 0; i < runs && r >= 0 && !c->job.loop.signal; i++) {
		r = run_round(c, i);
		/* After the first all names are known, and a wrong one need not wait for the
		 * others. */
		if (r >= 0 && i == 0)
			r = thresholds_check(&c->limits, c->compare, c->job.diag);
	}
	return r;
}

static int prepare(struct contest *c)
{
	const struct stat_opts *o = c->job.o;
	int r = 0;

	for (size_t i = 0; i < o->fail_if.n && r >= 0; i++)
		r = thresholds_parse(&c->limits, o->fail_if.items[i], c->job.diag);
	if (r >= 0)
		r = stat_job_prepare(&c->job);
	if (r >= 0)
		r = stat_output_open(&c->out, o, c->job.inv, false, c->job.diag);
	c->compare = compare_new(c->n, (const char *const *)c->commands);
	c->time = compare_add_row(c->compare, COMPARE_ELAPSED, "time", "s");
	c->user = compare_add_row(c->compare, COMPARE_AMOUNT, "user", "s");
	c->system = compare_add_row(c->compare, COMPARE_AMOUNT, "system", "s");
	return r;
}

static int print(struct contest *c)
{
	_cleanup_(threshold_results_done) struct threshold_results results = { 0 };
	struct compare_text_style style = {
		.colour = c->out.view.style.colour,
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	};

	compare_finish(c->compare);
	thresholds_evaluate(&c->limits, c->compare, &results);
	if (c->out.file && c->job.o->json)
		compare_json_print(c->compare, &results, c->out.file);
	else if (c->out.file)
		compare_text_print(c->compare, &results, &style, c->out.file);
	return results.n_failed    ? EXIT_LIMIT_EXCEEDED
	       : results.n_unknown ? EXIT_LIMIT_UNKNOWN
				   : EXIT_OK;
}

int stat_compare(struct invocation *inv, struct stat_opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct contest c = {
		.job = { .inv = inv,
			 .o = o,
			 .diag = &diag,
			 .argv = inv->argv,
			 .signals = SIGNALS_NONE },
		.commands = inv->argv,
		.n = (size_t)inv->argc,
	};
	int status, r;

	setlocale(LC_CTYPE, "");
	r = prepare(&c);
	status = r < 0 ? EXIT_USAGE : 255;
	if (r >= 0)
		r = run_all(&c);
	if (r < 0)
		command_fail(inv, r, &diag);
	else
		status = print(&c);
	stat_job_done(&c.job);
	compare_free(c.compare);
	thresholds_done(&c.limits);
	free(c.rows.items);
	if (!stat_output_done(&c.out) && r >= 0)
		status = command_failf(inv, "cannot write the comparison: %s", strerror(errno));
	return status;
}
