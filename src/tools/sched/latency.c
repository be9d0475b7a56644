/* SPDX-License-Identifier: MIT */
/* perf sched latency: shows the times for which tasks ran and waited for a CPU, a row for each. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/fitted-output.h"
#include "cli/live-table.h"
#include "measure/record.h"
#include "options/input.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "tools/sched/latency-model.h"
#include "tools/sched/latency-view.h"
#include "tools/sched/live-work.h"
#include "tools/sched/opts.h"
#include "tools/sched/quantiles-view.h"
#include "tools/sched/read-work.h"
#include "tools/sched/task-times-model.h"
#include "wire/record.h"

/* The lines above the rows of a table that is shown at intervals. */
#define LIVE_HEAD 3

struct opts {
	struct sched_opts common;
	int64_t cpu;
	bool pids, all;
	struct quantiles_opts spread;
	bool json;
	uint64_t interval_ms; /* the interval of a live table; 0: a recording */
	struct sched_latency_order order;
};

static const struct opts defaults = {
	.cpu = -1,
	.order = { .keys = { SCHED_LATENCY_AVG, SCHED_LATENCY_MAX, SCHED_LATENCY_SWITCH,
			     SCHED_LATENCY_RUNTIME },
		   .n = 4 },
};

static int sched_latency_order_set(void *field, const struct option *o, const char *value,
				   bool negated, struct diag *diag)
{
	(void)o;
	(void)negated;
	return sched_latency_order_parse(value, field, diag);
}

static const struct option options[] = {
	OPT_CALL('s', "sort", struct opts, order, "key[,key2...]",
		 "sort by key(s): runtime, switch, avg, max", .set = sched_latency_order_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_INT('C', "CPU", struct opts, cpu, "n",
		"the recording is of one CPU: tasks come and go unseen"),
	OPT_FLAG('p', "pids", struct opts, pids, "a row for each task, not for each name"),
	OPT_FLAG('a', "all", struct opts, all,
		 "count the waits that Linux's perf 6.1 leaves out too"),
	OPT_SET(struct opts, spread, quantiles_options),
	OPT_FLAG(0, "json", struct opts, json, "with --quantiles, as JSON"),
	OPT_UINT(
		'I', "interval", struct opts, interval_ms, "ms",
		"what happens now, while a command runs or until Ctrl-C: a table every so many ms"),
	OPT_SET(struct opts, common, sched_options),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", "[<options>] <latency>",
				     "-I <ms> [<options>] [-- <command>]", NULL };

static void tools_sched_latency_take(void *arg, const struct sched_event *e)
{
	sched_latency_take(arg, e);
}

static void sched_latency_take_fork(void *arg, const struct record *r, uint64_t time)
{
	sched_latency_forget(arg, r->task.tid, time);
}

static void sched_latency_show(const struct invocation *inv, const struct sched_latency *l,
			       const struct session *s)
{
	const struct opts *o = inv->opts;
	struct sched_info info = sched_info_of(session_counts(s));
	_cleanup_(sched_latency_rows_done) struct sched_latency_rows rows;
	struct fitted_output fitted;

	info.wakeups = l->counts.wakeups;
	info.early_wakeups = l->counts.early_wakeups;
	info.switch_bugs = l->counts.switch_bugs;
	sched_latency_rows(l, s, o->pids, &o->order, &rows);
	fitted_open(&fitted, inv, inv->out);
	sched_latency_print(fitted.out, &rows, o->all ? " Count" : "Switches",
			    fitted.columns && fitted.columns < SCHED_LATENCY_WIDTH, &info);
	fitted_close(&fitted);
}

static void sched_latency_note_counts(const struct sched_latency *l, bool verbose,
				      struct notes *notes)
{
	const struct sched_latency_counts *c = &l->counts;

	if (verbose)
		notes_add(notes, NOTE_DETAIL,
			  "%" PRIu64 " wake-ups were of tasks that did not sleep, %" PRIu64
			  " were older than the sleep they ended",
			  c->needless, c->early_wakeups);

	if (c->left_out_waking + c->left_out_preempted)
		notes_add(notes, NOTE_HINT,
			  "%" PRIu64 " wake-ups and %" PRIu64
			  " preemptions began a wait that is not "
			  "counted: -a counts them, too.",
			  c->left_out_waking, c->left_out_preempted);
}

static int sched_latency_read_and_show(const struct invocation *inv, struct recorded *r,
				       struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	struct notes notes = command_notes(inv);
	_cleanup_(sched_latency_done) struct sched_latency l;
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_RUNTIME) |
			 SCHED_KIND_BIT(SCHED_WAKING) | SCHED_KIND_BIT(SCHED_WAKEUP) |
			 SCHED_KIND_BIT(SCHED_WAKEUP_NEW) | SCHED_KIND_BIT(SCHED_MIGRATE),
		.unread = SCHED_NAMES | SCHED_PRIOS | SCHED_WAKER,
		.take = tools_sched_latency_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK),
		.record = sched_latency_take_fork,
		.arg = &l,
	};
	int status;

	sched_latency_init(
		&l, &(struct sched_latency_options){ .all = o->all, .one_cpu = o->cpu >= 0 });
	status = recorded_open(&rq, r, diag);
	if (status >= 0)
		status = sched_read(r, &reader, &notes, diag);
	if (status < 0)
		return status;
	sched_latency_show(inv, &l, r->session);
	sched_latency_note_counts(&l, o->common.verbose, &notes);
	return 0;
}

/* A live measurement with intervals. */
struct sched_latency_watch {
	const struct opts *o;
	struct sched_latency model;
	struct live_table table;
};

static void take_now(void *arg, const struct sched_event *e)
{
	struct sched_latency_watch *w = arg;

	sched_latency_take(&w->model, e);
}

static int sched_latency_show_interval(void *arg, uint64_t time_ns)
{
	struct sched_latency_watch *w = arg;
	_cleanup_(sched_latency_rows_done) struct sched_latency_rows rows = { 0 };
	size_t height = live_table_size(&w->table).rows;

	if (live_table_is_rest(&w->table, time_ns, w->o->interval_ms))
		return 0;
	sched_latency_rows(&w->model, NULL, w->o->pids, &w->o->order, &rows);
	sched_latency_print_short(live_table_begin(&w->table, time_ns), &rows,
				  height > LIVE_HEAD ? height - LIVE_HEAD : 0);
	live_table_end(&w->table);
	sched_latency_renew(&w->model);
	return 0;
}

static int sched_latency_watch(struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	struct sched_latency_watch w = { .o = o };
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH) | SCHED_KIND_BIT(SCHED_RUNTIME) |
			 SCHED_KIND_BIT(SCHED_WAKEUP) | SCHED_KIND_BIT(SCHED_WAKEUP_NEW),
		.unread = SCHED_PRIOS | SCHED_WAKER,
		.take = take_now,
		.arg = &w,
	};
	const struct sched_live_request rq = { .reader = &reader,
					       .argv = inv->argv,
					       .interval_ms = o->interval_ms,
					       .on_interval = sched_latency_show_interval };
	struct record_result result;
	int r;

	sched_latency_init(&w.model,
			   &(struct sched_latency_options){ .all = true, .keeps_names = true });
	live_table_open(&w.table, inv, inv->out, inv->argc > 0);
	r = sched_watch(&rq, &notes, &result, diag);
	live_table_close(&w.table, true);
	sched_latency_done(&w.model);
	return r < 0 ? r : record_result_status(&result);
}

static void show_quantiles(const struct invocation *inv, const struct task_times *times,
			   bool histogram)
{
	struct fitted_output fitted;

	fitted_open(&fitted, inv, inv->out);
	quantiles_print(fitted.out, times, histogram);
	fitted_close(&fitted);
}

/* Shows the distribution of the times, in place of the table. */
static int show_spread(const struct invocation *inv, struct recorded *r, struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	struct notes notes = command_notes(inv);
	_cleanup_(task_times_done) struct task_times times = { 0 };
	int status = recorded_open(&rq, r, diag);

	if (status >= 0)
		status = task_times_read(r, &times, &notes, diag);
	if (status >= 0 && o->json)
		quantiles_print_json(inv->out, &times);
	else if (status >= 0)
		show_quantiles(inv, &times, o->spread.histogram);
	return status;
}

/* Shows another latency, given by name, of the same recording, with perf hist. */
static int show_other(const struct invocation *inv)
{
	const struct opts *o = inv->opts;
	char *words[] = { "-i", (char *)input_path(o->common.input), inv->argv[0],
			  o->common.force ? "-f" : NULL, NULL };

	return command_run(command_other(inv, "hist"), words, inv->settings);
}

static int sched_latency_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(recorded_done) struct recorded recorded = { 0 };
	int r;

	if (o->interval_ms && (o->common.input || o->common.dump_raw || o->cpu >= 0 || o->json ||
			       quantiles_wanted(&o->spread))) {
		diag_set(
			&diag, -EINVAL,
			"-I shows what happens now on all CPUs: it goes with -s, -p and a command");
		return command_usage(inv, &diag);
	}
	if (o->interval_ms) {
		r = sched_latency_watch(inv, &diag);
		return r < 0 ? command_fail(inv, r, &diag) : r;
	}
	if (inv->argc == 1)
		return show_other(inv);
	if (inv->argc) {
		diag_set(&diag, 0, "'%s' is too much: one latency at a time", inv->argv[1]);
		return command_usage(inv, &diag);
	}
	r = sched_dump(&o->common, inv, &diag);
	if (!r && (quantiles_wanted(&o->spread) || o->json))
		r = show_spread(inv, &recorded, &diag);
	else if (!r)
		r = sched_latency_read_and_show(inv, &recorded, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

const struct command cmd_sched_latency = {
	.name = "sched latency",
	.summary = "show how long tasks ran and waited for a CPU",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.run = sched_latency_run,
};
