/* SPDX-License-Identifier: MIT */
/* perf stat: counts of events over a command, processes or the system. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/number.h"
#include "cli/command.h"
#include "cmd/opt-aggregate.h"
#include "cmd/opt-control.h"
#include "cmd/opt-events.h"
#include "cmd/opt-target.h"
#include "cmd/opt-verbosity.h"
#include "event/env.h"

#define TIMEOUT_MIN_MS 10

struct opts {
	struct target_opts target;
	struct event_opts events;
	struct control_opts control;
	struct aggregate_opts aggregate;
	struct verbosity_opts verbosity;
	enum choice no_inherit;
	bool group;
	bool all_user;
	bool all_kernel;
	bool null_run;
	unsigned detailed;
	const char *for_each_cgroup;
	const char *cputype;
	const char *bpf_prog;
	bool bpf_counters;
	const char *bpf_attr_map;

	int64_t repeat; /* 0: for ever */
	bool table;
	const char *pre, *post;
	bool sync;
	uint64_t interval_ms; /* 0: only at the end */
	uint64_t interval_count;
	bool interval_clear;
	bool summary;
	uint64_t timeout_ms;

	enum choice metric_only;
	bool metric_no_group, metric_no_merge, metric_no_threshold;
	bool topdown;
	uint64_t topdown_level; /* 0: the deepest */
	bool transaction;
	bool smi_cost;
	const char *iostat;

	const char *separator;
	bool json;
	bool no_csv_summary;
	enum choice big_num;
	enum choice scale;
	bool no_merge, hybrid_merge;
	bool percore_show_thread;
	const char *output;
	bool append;
	int64_t log_fd;

	const char *input; /* of `stat report` */
};

static const struct opts defaults = { .repeat = 1 };

static int timeout_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	uint64_t ms = 0;

	if (!negated && (number_parse(value, &ms) < 0 || ms < TIMEOUT_MIN_MS)) {
		value_refuse(diag, o, value, 0, strlen(value), "timeout must be >= %dms.",
			     TIMEOUT_MIN_MS);
		return -EINVAL;
	}
	*(uint64_t *)field = ms;
	return 0;
}

static int repeat_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	int64_t runs = 1;

	if (!negated && (number_parse_signed(value, &runs) < 0 || runs < 0)) {
		value_refuse(diag, o, value, 0, strlen(value),
			     "Run count must be a positive number");
		diag_hint(diag, "Give the number of runs, or 0 to repeat until Ctrl-C.");
		return -EINVAL;
	}
	*(int64_t *)field = runs;
	return 0;
}

static int log_fd_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	int64_t fd = 0;

	if (!negated && (number_parse_signed(value, &fd) < 0 || fd <= 0))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not the number of an open descriptor", value);
	*(int64_t *)field = fd;
	return 0;
}

static const struct option options[] = {
	OPT_SET(struct opts, target, target_options),
	OPT_CALL(0, "per-thread", struct opts, aggregate, NULL, "a row for each thread",
		 .set = aggregate_set, .flags = OPTION_NO_VALUE),
	OPT_CALL('i', "no-inherit", struct opts, no_inherit, NULL,
		 "only the process itself, not its children", .set = choice_set,
		 .flags = OPTION_NO_VALUE),
	OPT_STRING('b', "bpf-prog", struct opts, bpf_prog, "id", "running BPF programs: 12,34"),

	OPT_SET(struct opts, events, event_options),
	OPT_CALL('M', "metrics", struct opts, events, "metric[,metric...]",
		 "the events of these metrics or groups of metrics", .set = event_opts_set_metric,
		 .flags = OPTION_NO_NEGATION),
	OPT_COUNT('d', "detailed", struct opts, detailed,
		  "caches too; -dd adds TLBs, -ddd prefetches"),
	OPT_FLAG('n', "null", struct opts, null_run, "count nothing but time"),
	OPT_FLAG('g', "group", struct opts, group, "count the events of -e as one group"),
	OPT_STRING(0, "for-each-cgroup", struct opts, for_each_cgroup, "name[,name...]",
		   "count all events in each of these cgroups"),
	OPT_FLAG(0, "all-user", struct opts, all_user, "all events in user space only"),
	OPT_FLAG(0, "all-kernel", struct opts, all_kernel, "all events in the kernel only"),
	OPT_STRING(0, "cputype", struct opts, cputype, "type",
		   "only on CPUs of this type, where there are several: core or atom"),
	OPT_FLAG(0, "bpf-counters", struct opts, bpf_counters,
		 "share hardware counters with other stats, by BPF"),
	OPT_STRING(0, "bpf-attr-map", struct opts, bpf_attr_map, "path",
		   "the map through which they are shared"),

	OPT_HEADING("Runs:"),
	OPT_CALL('r', "repeat", struct opts, repeat, "n",
		 "run n times and show means and noise; 0 is for ever", .set = repeat_set),
	OPT_FLAG(0, "table", struct opts, table, "with -r, show the time of each run"),
	OPT_STRING(0, "pre", struct opts, pre, "command", "run this before each run"),
	OPT_STRING(0, "post", struct opts, post, "command", "run this after each run"),
	OPT_FLAG('S', "sync", struct opts, sync, "call sync() before each run"),

	OPT_SET(struct opts, control, control_options),
	OPT_UINT('I', "interval-print", struct opts, interval_ms, "ms",
		 "print counts every so many milliseconds"),
	OPT_UINT(0, "interval-count", struct opts, interval_count, "n",
		 "with -I, end after n times"),
	OPT_FLAG(0, "interval-clear", struct opts, interval_clear,
		 "with -I, clear the screen each time"),
	OPT_FLAG(0, "summary", struct opts, summary, "with -I, the totals at the end"),
	OPT_CALL(0, "timeout", struct opts, timeout_ms, "ms",
		 "end after so many milliseconds, 10 or more", .set = timeout_set),

	OPT_SET(struct opts, aggregate, aggregate_options),
	OPT_FLAG(0, "percore-show-thread", struct opts, percore_show_thread,
		 "show sums of `percore' events for each hardware thread"),
	OPT_FLAG(0, "no-merge", struct opts, no_merge,
		 "a row for each PMU, where one name means several"),
	OPT_FLAG(0, "hybrid-merge", struct opts, hybrid_merge,
		 "one row for all types of CPU, where there are several"),

	OPT_HEADING("Derived figures:"),
	OPT_CALL(0, "metric-only", struct opts, metric_only, NULL, "no counts, only metrics",
		 .set = choice_set, .flags = OPTION_NO_VALUE),
	OPT_FLAG(0, "metric-no-group", struct opts, metric_no_group,
		 "do not force the events of a metric to be counted together"),
	OPT_FLAG(0, "metric-no-merge", struct opts, metric_no_merge,
		 "do not share events between metrics"),
	OPT_FLAG(0, "metric-no-threshold", struct opts, metric_no_threshold,
		 "leave out the events that only judge whether a metric is high"),
	OPT_FLAG(0, "topdown", struct opts, topdown, "where the CPU's pipeline loses time (Intel)"),
	OPT_UINT(0, "td-level", struct opts, topdown_level, "n",
		 "how deep --topdown looks (0: as deep as it can)"),
	OPT_FLAG('T', "transaction", struct opts, transaction, "figures of hardware transactions"),
	OPT_FLAG(0, "smi-cost", struct opts, smi_cost,
		 "the time spent in system management (Intel)"),
	OPT_STRING(0, "iostat", struct opts, iostat, "ports",
		   "the traffic of I/O ports (Intel servers)", .missing = "",
		   .flags = OPTION_OPTIONAL),

	OPT_HEADING("Output:"),
	OPT_STRING('x', "field-separator", struct opts, separator, "separator",
		   "one line per count, with this between its fields"),
	OPT_FLAG('j', "json-output", struct opts, json, "one JSON object per count"),
	OPT_FLAG(0, "no-csv-summary", struct opts, no_csv_summary,
		 "with -x and --summary, no `summary' in the first field"),
	OPT_CALL('B', "big-num", struct opts, big_num, NULL,
		 "digits in groups of three (the default)", .set = choice_set,
		 .flags = OPTION_NO_VALUE),
	OPT_CALL('c', "scale", struct opts, scale, NULL,
		 "scale up counts of events that took turns (the default)", .set = choice_set,
		 .flags = OPTION_NO_VALUE),
	OPT_STRING('o', "output", struct opts, output, "file", "write to this file"),
	OPT_FLAG(0, "append", struct opts, append, "with -o, add to the file"),
	OPT_CALL(0, "log-fd", struct opts, log_fd, "n", "write to this open descriptor",
		 .set = log_fd_set),
	OPT_SET(struct opts, verbosity, verbosity_options),
	OPT_END
};

/* `perf stat report` shows what `perf stat record` wrote. */
static const struct option report_options[] = {
	OPT_STRING('i', "input", struct opts, input, "file", "file to read (default: perf.data)"),
	OPT_SET(struct opts, aggregate, aggregate_options), OPT_END
};

/* Rows of threads need threads to look at: those of a target, or of everybody. */
static bool has_threads(const struct target_opts *t, bool has_command)
{
	return t->pids.n || t->tids.n || t->user.given ||
	       (!t->cpus.n && (t->all_cpus || !has_command));
}

/* Sums over CPUs and cgroups need events that are open on CPUs, not on a task. */
static int check_system(const struct opts *o, bool has_command, struct diag *diag)
{
	enum aggregate over = o->aggregate.over;
	bool sums = over > AGGREGATE_ALL && over != AGGREGATE_THREAD;
	bool cgroups = o->for_each_cgroup || event_opts_have(&o->events, EVENT_OPT_CGROUP);

	if ((!sums && !cgroups) || target_opts_is_system(&o->target, has_command))
		return 0;
	diag_set(diag, -EINVAL,
		 "both cgroup and no-aggregation modes only available in system-wide mode");
	diag_hint(diag, "Add -a to count on all CPUs, or -C to name some.");
	return -EINVAL;
}

static int check_output(const struct opts *o, struct diag *diag)
{
	if (o->separator && o->big_num == CHOICE_YES)
		return diag_set(diag, -EINVAL, "-B option not supported with -x");
	if (o->separator && o->json)
		return diag_set(diag, -EINVAL, "-x and -j are two formats: choose one");
	if (o->output && o->log_fd)
		return diag_set(diag, -EINVAL, "cannot use both --output and --log-fd");
	if (o->table && o->repeat == 1)
		return diag_set(diag, -EINVAL, "--table is only supported with -r");
	return 0;
}

static int check(const struct opts *o, bool has_command, struct diag *diag)
{
	bool per_thread = o->aggregate.over == AGGREGATE_THREAD;

	if (o->all_user && o->all_kernel)
		return diag_set(diag, -EINVAL, "option `all-kernel' cannot be used with all-user");
	if (o->for_each_cgroup && event_opts_have(&o->events, EVENT_OPT_CGROUP))
		return diag_set(diag, -EINVAL, "--for-each-cgroup cannot be used with -G");
	if (o->interval_count && !o->interval_ms)
		return diag_set(
			diag, -EINVAL,
			"interval-count option should be used together with interval-print.");
	if (o->timeout_ms && o->interval_ms)
		return diag_set(diag, -EINVAL,
				"timeout option is not supported with interval-print.");
	if (per_thread && o->metric_only == CHOICE_YES)
		return diag_set(diag, -EINVAL, "--metric-only is not supported with --per-thread");
	if (per_thread && !has_threads(&o->target, has_command))
		return diag_set(
			diag, -EINVAL,
			"The --per-thread option is only available when monitoring via -p -t "
			"-a options or only --per-thread.");
	if (check_system(o, has_command, diag) < 0)
		return -EINVAL;
	return check_output(o, diag);
}

static int run_options(struct invocation *inv, bool has_command)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opts *o = inv->opts;
	const char *overridden = target_opts_settle(&o->target);

	if (overridden && !o->verbosity.quiet) {
		diag_set(&diag, 0, "%s", overridden);
		command_warn(inv, &diag);
	}
	if (check(o, has_command, &diag) < 0)
		return command_usage(inv, &diag);

	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = event_opts_resolve(&o->events, env, EVENT_USE_COUNTING, &events, &diag);

	return r < 0 ? event_opts_refuse(inv, r, &diag) : EXIT_OK;
}

/* `stat record` and `stat report` have options after their name too. */
static int run_verb(struct invocation *inv, const struct option *table)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct option *about;
	int argc;
	int r = option_parse(table, inv->opts, inv->argv + 1, OPTION_STOP_POSITIONAL, &argc, &about,
			     &diag);

	if (r < 0)
		return command_usage(inv, &diag);
	if (r != OPTION_RESULT_OK) {
		option_print_help(table, NULL, inv->out);
		return EXIT_USAGE;
	}
	return table == options ? run_options(inv, argc > 0) : EXIT_OK;
}

static int run(struct invocation *inv)
{
	if (inv->argc && !strcmp(inv->argv[0], "record"))
		return run_verb(inv, options);
	if (inv->argc && !strcmp(inv->argv[0], "report"))
		return run_verb(inv, report_options);
	return run_options(inv, inv->argc > 0);
}

static void done(void *opts)
{
	struct opts *o = opts;

	target_opts_done(&o->target);
	event_opts_done(&o->events);
	control_opts_done(&o->control);
}

static const char *const usage[] = {
	"[<options>] [<command>]",
	"[<options>] record [-o <file>] [<command>]",
	"report [-i <file>]",
	NULL,
};

const struct command cmd_stat = {
	.name = "stat",
	.summary = "run a command and count its events",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.flags = COMMAND_WORKLOAD | COMMAND_PENDING,
	.run = run,
	.done = done,
};
