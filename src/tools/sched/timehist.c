/* SPDX-License-Identifier: MIT */
/* perf sched timehist: a line for each context switch, and a summary. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "datafile/features.h"
#include "options/buildid-dir.h"
#include "options/filter.h"
#include "options/symbols.h"
#include "options/time.h"
#include "options/value.h"
#include "profile/recorded.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/sched/opts.h"
#include "tools/sched/prio.h"
#include "tools/sched/quantiles-view.h"
#include "tools/sched/task-times-model.h"
#include "tools/sched/timehist-chains-view.h"
#include "tools/sched/timehist-summary-view.h"
#include "tools/sched/timehist-view.h"
#include "tools/sched/timehist-work.h"

/* The number of CPUs that Linux's perf assumes if the recording does not contain it. */
#define CPUS_UNKNOWN 4

struct opts {
	struct sched_opts common;
	struct symbol_request symbols;
	bool chains;
	uint64_t max_stack;
	bool summary, with_summary;
	bool wakeups, next, migrations, cpu_visual, idle, state;
	bool show_prio, pre_migrations;
	struct time_window time;
	struct cpu_list cpus;
	struct id_list pids, tids;
	struct prio_list prios;
	struct quantiles_opts spread;
};

static const struct opts defaults = { .chains = true, .max_stack = SCHED_MAX_STACK };

static const struct option options[] = {
	OPT_SET(struct opts, common, sched_options),
	OPT_SET(struct opts, symbols, symbol_file_options),
	OPT_FLAG('g', "call-graph", struct opts, chains,
		 "show call chains where they were recorded (the default)"),
	OPT_UINT(0, "max-stack", struct opts, max_stack, "n",
		 "look at so many functions of a call chain (default: 5)"),
	OPT_FLAG('s', "summary", struct opts, summary, "show only the summary"),
	OPT_FLAG('S', "with-summary", struct opts, with_summary,
		 "show the summary below the lines"),
	OPT_FLAG('w', "wakeups", struct opts, wakeups, "show wake-ups"),
	OPT_FLAG('n', "next", struct opts, next, "show which task comes"),
	OPT_FLAG('M', "migrations", struct opts, migrations, "show migrations"),
	OPT_FLAG('V', "cpu-visual", struct opts, cpu_visual, "show the CPUs as columns"),
	OPT_FLAG('I', "idle-hist", struct opts, idle, "show only how CPUs are idle"),
	OPT_FLAG(0, "state", struct opts, state, "show the state in which a task leaves"),
	OPT_FLAG(0, "show-prio", struct opts, show_prio, "show the priorities of tasks"),
	OPT_FLAG('P', "pre-migrations", struct opts, pre_migrations,
		 "show how long a task waited on other CPUs' run queues"),
	OPT_CALL(0, "time", struct opts, time, "start,stop", "only this span of time, in seconds",
		 .set = time_window_set),
	OPT_CPUS('C', struct opts, cpus),
	OPT_CALL('p', "pid", struct opts, pids, "pid[,pid...]", "only of these processes",
		 .set = id_list_set),
	OPT_CALL('t', "tid", struct opts, tids, "tid[,tid...]", "only of these threads",
		 .set = id_list_set),
	OPT_CALL(0, "prio", struct opts, prios, "prio[,prio...]",
		 "only of tasks with these priorities: 0,120-129", .set = prio_list_set),
	OPT_SET(struct opts, spread, quantiles_options),
	OPT_END
};

struct sched_timehist_showing {
	struct invocation *inv;
	struct opts *o;
	struct timehist_lines lines;
	struct timehist_chains chains;
	struct task_times times;
	bool with_chains;
	unsigned n_cpus;
};

static bool sched_timehist_is_newer(const struct opts *o)
{
	return o->show_prio || o->pre_migrations || o->prios.n;
}

static unsigned sched_timehist_cpus_of(const struct session *s)
{
	unsigned n = session_features(s)->cpus_online;

	return !n ? CPUS_UNKNOWN : n > CPU_MAX ? CPU_MAX : n;
}

static void sched_timehist_on_begin(void *arg, struct recorded *r, bool has_chains)
{
	struct sched_timehist_showing *s = arg;
	const struct opts *o = s->o;
	const struct timehist_style style = {
		.cpu_visual = o->cpu_visual,
		.wakeups = o->wakeups,
		.migrations = o->migrations,
		.next = o->next,
		.state = o->state,
		.prio = o->show_prio,
		.pre_migrations = o->pre_migrations,
		.chains = o->chains && has_chains,
		.newer = sched_timehist_is_newer(o),
		.n_cpus = sched_timehist_cpus_of(r->session),
		.columns = command_columns(s->inv, s->inv->out),
	};
	struct sched_chain chain = { .session = r->session, .max_stack = (unsigned)o->max_stack };

	s->n_cpus = style.n_cpus;
	s->with_chains = style.chains;
	s->chains.chain = chain;
	timehist_lines_init(&s->lines, &style, s->inv->out);
	s->lines.chain = chain;
	if (o->chains && !has_chains)
		fputs("Samples do not have callchains.\n", command_err(s->inv));
	if (!o->summary)
		timehist_print_head(&s->lines);
}

static void on_row(void *arg, const struct timehist_row *row)
{
	struct sched_timehist_showing *s = arg;

	timehist_print_row(&s->lines, row);
}

static void on_lost(void *arg, uint64_t time_ns, uint32_t cpu, uint64_t n)
{
	struct sched_timehist_showing *s = arg;

	timehist_print_lost(&s->lines, time_ns, cpu, n);
}

static uint32_t on_chain(void *arg, const struct sched_event *e)
{
	struct sched_timehist_showing *s = arg;

	return s->with_chains ? timehist_chain_of(&s->chains, e) : 0;
}

static const char *chain_text(void *arg, uint32_t chain)
{
	return timehist_chain_text(arg, chain);
}

static void show_summary(struct sched_timehist_showing *s, const struct timehist *t)
{
	const struct opts *o = s->o;
	struct timehist_summary_style style = {
		.idle = o->idle,
		.state = o->state,
		.chains = s->with_chains,
		.chain_text = chain_text,
		.arg = &s->chains,
		.n_cpus = s->n_cpus,
		.name_width = (unsigned)s->lines.name_width,
		.cpus = &o->cpus,
	};
	struct fitted_output fitted;

	fitted_open(&fitted, s->inv, s->inv->out);
	style.columns = fitted.columns;
	if (o->summary || o->with_summary)
		timehist_print_summary(fitted.out, t, &style);
	if (quantiles_wanted(&o->spread))
		quantiles_print(fitted.out, &s->times, o->spread.histogram);
	fitted_close(&fitted);
}

static struct timehist_options model_options(struct sched_timehist_showing *s,
					     const struct time_span *span)
{
	const struct opts *o = s->o;

	return (struct timehist_options){
		.idle = o->idle,
		.count_moves = o->migrations || o->pre_migrations,
		.newer = sched_timehist_is_newer(o),
		.from_ns = span ? span->from_ns : 0,
		.to_ns = span && span->to_ns != TIME_OPEN ? span->to_ns : 0,
		.pids = &o->pids,
		.tids = &o->tids,
		.cpus = &o->cpus,
		.prios = o->prios.items,
		.n_prios = o->prios.n,
		.row = o->summary ? NULL : on_row,
		.chain = on_chain,
		.arg = s,
	};
}

/*
 * Reads all events, because the model needs events before the chosen span to understand those in
 * it. The model checks the times itself.
 */
static int sched_timehist_read_and_show(struct sched_timehist_showing *s, struct recorded *r,
					struct diag *diag)
{
	struct notes notes = command_notes(s->inv);
	struct timehist_request rq = { .begin = sched_timehist_on_begin,
				       .lost = on_lost,
				       .arg = s };
	_cleanup_(timehist_freep) struct timehist *t = NULL;
	_cleanup_(freep) struct time_span *spans = NULL;
	int status = reading_spans(&s->o->time, r->session, &spans, diag);

	if (status < 0)
		return status;
	if (quantiles_wanted(&s->o->spread))
		rq.times = &s->times;
	rq.model = model_options(s, s->o->time.n ? spans : NULL);
	status = timehist_run(r, &rq, &notes, &t, diag);
	if (status >= 0)
		status = timehist_lines_flush(&s->lines);
	if (status >= 0)
		show_summary(s, t);
	return status;
}

static int sched_timehist_show(struct invocation *inv, struct diag *diag)
{
	struct opts *o = inv->opts;
	struct sched_timehist_showing s = { .inv = inv, .o = o };
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	const struct reading_symbols symbols = { .request = &o->symbols,
						 .buildid_dir = buildid_dir,
						 .any_owner = o->common.force };
	_cleanup_(symbolizer_freep) struct symbolizer *symbolizer = NULL;
	struct recorded_request rq = sched_recorded_request(&o->common, inv);
	struct recorded r = { 0 };
	int status = reading_check_files(&symbols, diag);

	if (status >= 0) {
		symbolizer = reading_symbolizer(&symbols);
		rq.symbolizer = symbolizer;
		status = recorded_open(&rq, &r, diag);
	}
	if (status >= 0)
		status = sched_timehist_read_and_show(&s, &r, diag);
	timehist_lines_done(&s.lines);
	timehist_chains_done(&s.chains);
	task_times_done(&s.times);
	recorded_done(&r);
	return status;
}

static int sched_timehist_check(const struct opts *o, struct diag *diag)
{
	if (o->summary && (o->next || o->wakeups))
		return diag_set(diag, -EINVAL, "-s and -[n|w] are mutually exclusive.");
	if (quantiles_wanted(&o->spread) && !o->summary && !o->with_summary)
		return diag_set(diag, -EINVAL, "--quantiles and --histogram go with -s or -S");
	if (quantiles_wanted(&o->spread) &&
	    (o->time.n || o->cpus.n || o->pids.n || o->tids.n || o->prios.n))
		return diag_set(diag, -EINVAL,
				"--quantiles and --histogram are of the whole recording: leave "
				"--time, -C, -p, -t and --prio out");
	if (o->time.n > 1)
		return diag_set(diag, -EINVAL, "--time takes one span of time");
	return 0;
}

static int sched_timehist_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opts *o = inv->opts;
	int r;

	if (inv->argc) {
		diag_set(&diag, -EINVAL, "'%s' is not an option of perf sched timehist",
			 inv->argv[0]);
		return command_usage(inv, &diag);
	}
	if (sched_timehist_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	r = sched_dump(&o->common, inv, &diag);
	if (r > 0)
		return EXIT_OK;
	if (r == 0)
		r = sched_timehist_show(inv, &diag);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void sched_timehist_done(void *opts)
{
	struct opts *o = opts;

	time_window_done(&o->time);
	cpu_list_done(&o->cpus);
	id_list_done(&o->pids);
	id_list_done(&o->tids);
	prio_list_done(&o->prios);
}

static const char *const usage[] = { "[<options>]", NULL };

const struct command cmd_sched_timehist = {
	.name = "sched timehist",
	.summary = "show each context switch: how long tasks wait, are delayed and run",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = sched_timehist_run,
	.done = sched_timehist_done,
};
