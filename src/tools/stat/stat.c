/* SPDX-License-Identifier: MIT */
/* perf stat: counts events over a command, processes or the system. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/config.h"
#include "options/bpf-source.h"
#include "options/control.h"
#include "options/events.h"
#include "options/guest-settings.h"
#include "options/record-line.h"
#include "options/target.h"
#include "options/value.h"
#include "tools/stat/aggregate.h"
#include "tools/stat/opts.h"
#include "tools/stat/show.h"

#define TIMEOUT_MIN_MS    10
#define TOPDOWN_LEVEL_MAX 1

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
	uint64_t runs = 1;

	if (!negated && number_parse(value, &runs) < 0) {
		value_refuse(diag, o, value, 0, strlen(value),
			     "Run count must be a positive number");
		diag_hint(diag, "Give the number of runs, or 0 to repeat until Ctrl-C.");
		return -EINVAL;
	}
	*(struct count_repeat *)field = (struct count_repeat){ .for_ever = !runs, .runs = runs };
	return 0;
}

static int fail_if_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct stat_opts *opts =
		(struct stat_opts *)((char *)field - offsetof(struct stat_opts, fail_if));

	(void)o, (void)negated, (void)diag;
	*ARRAY_ADD(&opts->fail_if) = value;
	return 0;
}

static int programs_set(void *field, const struct option *o, const char *value, bool negated,
			struct diag *diag)
{
	int r = id_list_set(field, o, value, negated, diag);

	if (r < 0) {
		value_refuse(diag, o, value, 0, strlen(value),
			     "'%s' is not a list of ids of programs", value);
		diag_hint(diag, "Give numbers with commas between them: 12,34. 'bpftool prog' "
				"lists them.");
	}
	return r;
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
	OPT_SET(struct stat_opts, rq.target, target_options),
	OPT_CALL(0, "per-thread", struct stat_opts, rq.aggregate, NULL, "a row for each thread",
		 .set = aggregate_set, .flags = OPTION_NO_VALUE),
	OPT_NO_INHERIT(struct stat_opts, rq.no_inherit),
	OPT_CALL('b', "bpf-prog", struct stat_opts, rq.bpf.programs, "id",
		 "the runs of BPF programs: 12,34", .set = programs_set),

	OPT_SET(struct stat_opts, rq.events, event_options),
	OPT_SET(struct stat_opts, rq.bpf_sources, bpf_source_variables),
	OPT_CALL('M', "metrics", struct stat_opts, rq.events, "metric[,metric...]",
		 "the events of these metrics or groups of metrics", .set = event_words_set_metric,
		 .flags = OPTION_NO_NEGATION),
	OPT_COUNT('d', "detailed", struct stat_opts, rq.detailed,
		  "caches too; -dd adds TLBs, -ddd prefetches"),
	OPT_FLAG('n', "null", struct stat_opts, rq.null_run, "count nothing but time"),
	OPT_FLAG('g', "group", struct stat_opts, rq.group, "count the events of -e as one group"),
	OPT_STRING(0, "for-each-cgroup", struct stat_opts, rq.for_each_cgroup, "name[,name...]",
		   "count all events in each of these cgroups"),
	OPT_ALL_USER(struct stat_opts, rq.all_user),
	OPT_ALL_KERNEL(struct stat_opts, rq.all_kernel),
	OPT_STRING(0, "cputype", struct stat_opts, rq.cputype, "type",
		   "only on CPUs of this type, where there are several: core or atom"),
	OPT_STRING(0, "pmu-filter", struct stat_opts, rq.pmu_filter, "pmu",
		   "of several PMUs of a kind only these: hisi_sicl2_cpa0"),
	OPT_NOTHING(0, "affinity", NULL, "move to a CPU before its counters are read",
		    "counters are read from where perf runs"),
	OPT_FLAG(0, "bpf-counters", struct stat_opts, rq.bpf.counters,
		 "share hardware counters with other stats, by BPF"),
	OPT_STRING(0, "bpf-attr-map", struct stat_opts, rq.bpf.attr_map, "path",
		   "the map through which they are shared"),

	OPT_HEADING("Runs:"),
	OPT_CALL('r', "repeat", struct stat_opts, rq.repeat, "n",
		 "run n times and show means and noise; 0 is for ever", .set = repeat_set),
	OPT_FLAG(0, "table", struct stat_opts, table, "with -r, show the time of each run"),
	OPT_FLAG(0, "compare", struct stat_opts, compare,
		 "run the commands given, each a word, in turn and compare their counts"),
	OPT_CALL(0, "fail-if", struct stat_opts, fail_if, "condition",
		 "with --compare, fail beyond a limit: 'time > +2%'", .set = fail_if_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_STRING(0, "pre", struct stat_opts, rq.pre, "command", "run this before each run"),
	OPT_STRING(0, "post", struct stat_opts, rq.post, "command", "run this after each run"),
	OPT_FLAG('S', "sync", struct stat_opts, rq.sync, "call sync() before each run"),

	OPT_SET(struct stat_opts, rq.control, control_options),
	OPT_UINT('I', "interval-print", struct stat_opts, rq.interval_ms, "ms",
		 "print counts every so many milliseconds"),
	OPT_UINT(0, "interval-count", struct stat_opts, rq.interval_count, "n",
		 "with -I, end after n times"),
	OPT_FLAG(0, "interval-clear", struct stat_opts, interval_clear,
		 "with -I, clear the screen each time"),
	OPT_FLAG(0, "no-live", struct stat_opts, no_live,
		 "with -I, print lines on a terminal too, in place of a table that is redrawn"),
	OPT_FLAG(0, "summary", struct stat_opts, summary, "with -I, the totals at the end"),
	OPT_CALL(0, "timeout", struct stat_opts, rq.timeout_ms, "ms",
		 "end after so many milliseconds, 10 or more", .set = timeout_set),

	OPT_SET(struct stat_opts, rq.aggregate, aggregate_options),
	OPT_FLAG(0, "percore-show-thread", struct stat_opts, rq.percore_show_thread,
		 "show sums of `percore' events for each hardware thread"),
	OPT_FLAG(0, "no-merge", struct stat_opts, rq.no_merge,
		 "a row for each PMU, where one name means several"),
	OPT_FLAG(0, "hybrid-merge", struct stat_opts, rq.hybrid_merge,
		 "one row for all types of CPU, where there are several"),

	OPT_HEADING("Derived figures:"),
	OPT_FLAG(0, "hide-zero-events", struct stat_opts, hide_zeros,
		 "no rows of events that counted nothing"),
	OPT_CHOICE(0, "metric-only", struct stat_opts, metric_only, "no counts, only metrics"),
	OPT_FLAG(0, "metric-no-group", struct stat_opts, rq.metric_no_group,
		 "do not force the events of a metric to be counted together"),
	OPT_FLAG(0, "metric-no-merge", struct stat_opts, rq.metric_no_merge,
		 "do not share events between metrics"),
	OPT_NOTHING(0, "metric-no-threshold", NULL,
		    "leave out the events that only judge whether a metric is high", NULL),
	OPT_FLAG(0, "topdown", struct stat_opts, rq.topdown,
		 "where the CPU's pipeline loses time (Intel)"),
	OPT_UINT(0, "td-level", struct stat_opts, topdown_level, "n",
		 "how deep --topdown looks (0: as deep as it can)"),
	OPT_FLAG(0, "record-tpebs", struct stat_opts, record_tpebs,
		 "sample the retire latencies of events with :R", .flags = OPTION_HIDDEN),
	OPT_STRING(0, "tpebs-mode", struct stat_opts, tpebs_mode, "mean|min|max|last",
		   "which of them is shown", .flags = OPTION_HIDDEN),
	OPT_FLAG('T', "transaction", struct stat_opts, rq.transaction,
		 "figures of hardware transactions"),
	OPT_FLAG(0, "smi-cost", struct stat_opts, rq.smi_cost,
		 "the time spent in system management (Intel)"),
	OPT_STRING(0, "iostat", struct stat_opts, iostat, "ports",
		   "the traffic of I/O ports (Intel servers)", .missing = "",
		   .flags = OPTION_OPTIONAL),

	OPT_HEADING("Output:"),
	OPT_STRING('x', "field-separator", struct stat_opts, separator, "separator",
		   "one line per count, with this between its fields"),
	OPT_FLAG('j', "json-output", struct stat_opts, json, "one JSON object per count"),
	OPT_FLAG(0, "no-csv-summary", struct stat_opts, no_csv_summary,
		 "with -x and --summary, no `summary' in the first field"),
	OPT_CHOICE('B', "big-num", struct stat_opts, big_num,
		   "digits in groups of three (the default)", .config = "stat.big-num"),
	OPT_CHOICE('c', "scale", struct stat_opts, rq.scale,
		   "scale up counts of events that took turns (the default)"),
	OPT_STRING('o', "output", struct stat_opts, output, "file", "write to this file",
		   .flags = OPTION_WRITES),
	OPT_FLAG(0, "append", struct stat_opts, append, "with -o, add to the file"),
	OPT_CALL(0, "log-fd", struct stat_opts, log_fd, "n", "write to this open descriptor",
		 .set = log_fd_set),
	OPT_SET(struct stat_opts, verbosity, verbosity_options),
	OPT_END
};

/* `perf stat report` shows a file from `perf stat record`. */
static const struct option report_options[] = {
	OPT_STRING('i', "input", struct stat_opts, input, "file",
		   "file to read (default: perf.data)", .flags = OPTION_READS_USUAL),
	OPT_CALL(0, "per-thread", struct stat_opts, rq.aggregate, NULL, "a row for each thread",
		 .set = aggregate_set, .flags = OPTION_NO_VALUE),
	OPT_SET(struct stat_opts, rq.aggregate, aggregate_options), OPT_END
};

/* The output is named in front of `report`, the input after it. */
static const struct option report_files[] = { OPT_INCLUDE(options), OPT_INCLUDE(report_options),
					      OPT_END };

/* True if there are threads for rows of threads: those of a target, or all threads. */
static bool has_threads(const struct target *t, bool has_command)
{
	return t->pids.n || t->tids.n || t->user.given ||
	       (!t->cpus.n && (t->all_cpus || !has_command));
}

/*
 * Checks that sums over CPUs and cgroups are possible: they need events that are open on CPUs, not
 * on a task.
 */
static int check_system(const struct stat_opts *o, bool has_command, struct diag *diag)
{
	enum stat_aggregation over = o->rq.aggregate.over;
	bool sums = over != STAT_GLOBAL && over != STAT_THREAD;
	bool cgroups = o->rq.for_each_cgroup || event_words_have(&o->rq.events, EVENT_WORD_CGROUP);

	if ((!sums && !cgroups) || target_is_system(&o->rq.target, has_command))
		return 0;
	diag_set(diag, -EINVAL,
		 "both cgroup and no-aggregation modes only available in system-wide mode");
	diag_hint(diag, "Add -a to count on all CPUs, or -C to name some.");
	return -EINVAL;
}

static bool stat_is_repeated(const struct stat_opts *o)
{
	return o->rq.repeat.for_ever || o->rq.repeat.runs > 1;
}

static int check_output(const struct stat_opts *o, struct diag *diag)
{
	if (o->separator && o->big_num == CHOICE_YES)
		return diag_set(diag, -EINVAL, "-B option not supported with -x");
	if (o->separator && o->json)
		return diag_set(diag, -EINVAL, "-x and -j are two formats: choose one");
	if (o->output && o->log_fd)
		return diag_set(diag, -EINVAL, "cannot use both --output and --log-fd");
	if (o->table && !stat_is_repeated(o))
		return diag_set(diag, -EINVAL, "--table is only supported with -r");
	return 0;
}

/*
 * Rejects options for latencies, which a second perf would have to sample, only on Intel's
 * processors.
 */
static int check_latencies(const struct stat_opts *o, struct diag *diag)
{
	if (!o->record_tpebs && !o->tpebs_mode)
		return 0;
	diag_set(diag, -EOPNOTSUPP, "%s: perf stat takes no samples of retire latencies",
		 o->record_tpebs ? "--record-tpebs" : "--tpebs-mode");
	diag_hint(diag, "perf record -a -e EVENT:ppR sleep 10, then perf report -F +retire_lat, "
			"shows the mean latency: on Intel's processors with TPEBS, from Granite "
			"Rapids on.");
	return -EOPNOTSUPP;
}

static int stat_check(const struct stat_opts *o, bool has_command, struct diag *diag)
{
	bool per_thread = o->rq.aggregate.over == STAT_THREAD;

	if (o->rq.all_user && o->rq.all_kernel)
		return diag_set(diag, -EINVAL, "option `all-kernel' cannot be used with all-user");
	if (o->rq.for_each_cgroup && event_words_have(&o->rq.events, EVENT_WORD_CGROUP))
		return diag_set(diag, -EINVAL, "--for-each-cgroup cannot be used with -G");
	if (o->rq.interval_count && !o->rq.interval_ms)
		return diag_set(
			diag, -EINVAL,
			"interval-count option should be used together with interval-print.");
	if (o->rq.timeout_ms && o->rq.interval_ms)
		return diag_set(diag, -EINVAL,
				"timeout option is not supported with interval-print.");
	if (per_thread && o->metric_only == CHOICE_YES)
		return diag_set(diag, -EINVAL, "--metric-only is not supported with --per-thread");
	if (per_thread && !has_threads(&o->rq.target, has_command))
		return diag_set(
			diag, -EINVAL,
			"The --per-thread option is only available when monitoring via -p -t "
			"-a options or only --per-thread.");
	if (o->rq.topdown && o->topdown_level > TOPDOWN_LEVEL_MAX)
		return diag_set(diag, -EINVAL,
				"Invalid top-down metrics level. The max level is %d.",
				TOPDOWN_LEVEL_MAX);
	if (o->rq.topdown && !target_is_system(&o->rq.target, has_command))
		return diag_set(diag, -EINVAL,
				"top down event configuration requires system-wide mode (-a)");
	if (check_system(o, has_command, diag) < 0)
		return -EINVAL;
	return check_output(o, diag);
}

/*
 * Checks the options for --compare. Commands are compared run by run, so they have to be whole runs
 * of commands.
 */
static int check_compare(const struct stat_opts *o, int n_commands, struct diag *diag)
{
	if (o->fail_if.n && !o->compare)
		return diag_set(diag, -EINVAL, "--fail-if needs --compare");
	if (!o->compare)
		return 0;
	if (n_commands < 2 || n_commands > COMPARE_COMMANDS_MAX) {
		diag_set(diag, -EINVAL, "--compare takes 2 to %d commands, each in quotes",
			 COMPARE_COMMANDS_MAX);
		diag_hint(diag, "For example: perf stat -r 20 --compare 'sort -n x' 'sort x'");
		return -EINVAL;
	}
	if (o->rq.interval_ms || o->separator || o->rq.aggregate.over != STAT_GLOBAL || o->table ||
	    o->metric_only == CHOICE_YES || o->rq.repeat.for_ever ||
	    target_is_system(&o->rq.target, true) || o->rq.target.pids.n || o->rq.target.tids.n)
		return diag_set(
			diag, -EINVAL,
			"--compare measures commands from start to end: it goes with -e, -M, -d, "
			"-r, -j and -o, not with other targets, intervals or layouts");
	return 0;
}

static int check_record(const struct stat_opts *o, struct diag *diag)
{
	if (o->rq.record && (o->rq.bpf.counters || o->rq.bpf.programs.n))
		return diag_set(diag, -EINVAL, "perf stat record takes no counts of BPF programs");
	if (o->rq.record && stat_is_repeated(o))
		return diag_set(diag, -EINVAL, "Cannot use -r option with perf stat record.");
	if (o->rq.record && o->iostat)
		return diag_set(diag, -EINVAL, "--iostat shows its result: it is not recorded");
	if (o->rq.record && o->compare)
		return diag_set(diag, -EINVAL, "--compare shows its result: it is not recorded");
	return 0;
}

static int run_options(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct stat_opts *o = inv->opts;
	bool has_command = inv->argc > 0;
	const char *overridden;

	/* A BPF program may run on any CPU, and for any task. */
	o->rq.target.all_cpus |= o->rq.bpf.programs.n > 0;
	o->rq.bpf.events = o->rq.record ? NULL : config_get(inv->config, "stat.bpf-counter-events");
	overridden = target_settle(&o->rq.target);
	if (overridden && !o->verbosity.quiet) {
		diag_set(&diag, 0, "%s", overridden);
		command_warn(inv, &diag);
	}
	if (stat_check(o, has_command, &diag) < 0 || check_compare(o, inv->argc, &diag) < 0 ||
	    check_record(o, &diag) < 0 || check_latencies(o, &diag) < 0)
		return command_usage(inv, &diag);
	o->rq.argv = inv->argv;
	o->rq.events.worlds = command_worlds(inv);
	o->rq.verbose = o->verbosity.verbose;
	return o->compare ? stat_compare(inv, o) : stat_count(inv, o);
}

/* Prints the answer to options that are given in place of a run. Returns the status. */
static int stat_answer(const struct invocation *inv, const struct option *table, int result)
{
	switch (result) {
	case OPTION_RESULT_LIST_OPTS:
		option_print_names(table, inv->out);
		fputc('\n', inv->out);
		return EXIT_OK;
	case OPTION_RESULT_MANUAL:
		command_show_manual(inv->command, inv->out);
		return EXIT_OK;
	default:
		option_print_help(table, NULL, command_columns(inv, inv->out), inv->out);
		return EXIT_USAGE;
	}
}

/*
 * Parses the options after `stat record` and `stat report`. Takes them off @inv, which keeps the
 * remaining words. False: an option was answered, or an error was reported, and *@ret_status is
 * set.
 */
static bool parse_verb(struct invocation *inv, const struct option *table, int *ret_status)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct option_line line;
	int r = option_parse(table, inv->opts, inv->argv + 1, OPTION_STOP_POSITIONAL, &line, &diag);

	if (r != OPTION_RESULT_OK) {
		*ret_status = r < 0 ? command_usage(inv, &diag) : stat_answer(inv, table, r);
		return false;
	}
	command_warn_ignored(inv, &line);
	inv->argv++;
	inv->argc = line.argc;
	return true;
}

/*
 * Returns the default destination of counts: standard output if it is a pipe to a reader, or
 * perf.data.
 */
static const char *record_path(void)
{
	return file_is_data_pipe(STDOUT_FILENO, STDERR_FILENO) ? "-" : "perf.data";
}

/*
 * Runs `stat record`. -o after `record` is the file of counts; -o in front of it is that of the
 * text, as always.
 */
static int stat_run_record(struct invocation *inv)
{
	struct stat_opts *o = inv->opts;
	const char *text = o->output;
	int status;

	o->output = NULL;
	if (!parse_verb(inv, options, &status))
		return status;
	o->rq.record = o->output ? o->output : record_path();
	o->output = text;
	return run_options(inv);
}

static int stat_run_report(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int status, r;

	if (!parse_verb(inv, report_options, &status))
		return status;
	r = option_check_files(report_files, inv->opts, NULL, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : stat_report(inv, inv->opts);
}

/* --iostat is a command of its own. */
static int run_iostat(struct invocation *inv)
{
	const struct stat_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(freep) char *interval = xasprintf("-I%" PRIu64, o->rq.interval_ms);

	if (o->rq.interval_ms)
		record_line_add(&l, interval);
	if (*o->iostat)
		record_line_add(&l, o->iostat);
	if (inv->argc)
		record_line_add(&l, "--");
	return record_line_run(&l, inv, "iostat");
}

static int stat_run(struct invocation *inv)
{
	const struct stat_opts *o = inv->opts;

	if (o->iostat)
		return run_iostat(inv);
	if (inv->argc && !strcmp(inv->argv[0], "record"))
		return stat_run_record(inv);
	if (inv->argc && !strcmp(inv->argv[0], "report"))
		return stat_run_report(inv);
	return run_options(inv);
}

static void stat_done(void *opts)
{
	struct stat_opts *o = opts;

	target_done(&o->rq.target);
	event_words_done(&o->rq.events);
	control_request_done(&o->rq.control);
	id_list_done(&o->rq.bpf.programs);
	free(o->fail_if.items);
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
	.opts_size = sizeof(struct stat_opts),
	.flags = COMMAND_WORKLOAD,
	.run = stat_run,
	.done = stat_done,
};
