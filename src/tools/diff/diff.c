/* SPDX-License-Identifier: MIT */
/* perf diff: shows what changed from one recording to another. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "options/filter.h"
#include "options/guest-settings.h"
#include "options/input.h"
#include "options/limit-status.h"
#include "options/symbols.h"
#include "session/reading.h"
#include "tools/diff/diff-work.h"
#include "tools/diff/opts.h"
#include "view/report/dump.h"

static const struct diff_opts defaults = { .rq.order = 1 };

static int method_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct diff_method *m = field;
	size_t offset;

	if (negated)
		*m = (struct diff_method){ 0 };
	if (negated || diff_method_parse(value, m, &offset) >= 0)
		return 0;
	if (offset)
		value_refuse(diag, o, value, offset, 0, "two weights belong here: wdiff:1,1");
	else
		value_refuse(diag, o, value, 0, strlen(value),
			     "'%s' is not a way to compare recordings", value);
	diag_hint(diag, "Use one of: delta, delta-abs, ratio, wdiff:1,1, cycles.");
	return -EINVAL;
}

static int limits_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	(void)o, (void)negated;
	return thresholds_parse(field, value, diag);
}

static const struct option options[] = {
	OPT_HEADING("Comparison:"),
	OPT_CALL('c', "compute", struct diff_opts, rq.method,
		 "delta|delta-abs|ratio|wdiff:b,a|cycles",
		 "what to show of a row (default: delta-abs)", .set = method_set,
		 .config = "diff.compute"),
	OPT_FLAG('b', "baseline-only", struct diff_opts, rq.baseline_only,
		 "only rows that the baseline has too"),
	OPT_FLAG('p', "period", struct diff_opts, periods, "columns with the periods"),
	OPT_FLAG('F', "formula", struct diff_opts, formulas, "columns with the calculation"),
	OPT_UINT('o', "order", struct diff_opts, rq.order, "n",
		 "sort by the n-th side (default: 1); 0 is the baseline", .config = "diff.order"),
	OPT_FLAG(0, "cycles-hist", struct diff_opts, cycles_hist,
		 "with -c cycles, how much the cycles of a block vary"),
	OPT_CALL(0, "fail-if", struct diff_opts, rq.limits, "condition",
		 "end with status 1 beyond a limit: 'main > +2%, total > +5%'", .set = limits_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "fleet", struct diff_opts, rq.fleet,
		 "compare hosts of a fleet: the sides are NAME=URL (see perf push)"),
	OPT_FLAG(0, "keep-outliers", struct diff_opts, rq.keeps_outliers,
		 "with --fleet, hosts that differ from their peers count, too"),
	OPT_FLAG(0, "stream", struct diff_opts, rq.streams,
		 "hot streams in place of rows: the branches that samples came along"),

	OPT_HEADING("Rows and form:"),
	OPT_STRING('s', "sort", struct diff_opts, rq.sort, "key[,key2...]",
		   "one row for each value of these (default: dso,symbol)"),
	OPT_CALL('t', "field-separator", struct diff_opts, separator, "separator",
		 "this between columns", .set = separator_set),
	OPT_FLAG(0, "full-names", struct diff_opts, full_names,
		 "whole names of C++ and Rust functions on a terminal, too"),
	OPT_PERCENTAGE(struct diff_opts, percentage),
	OPT_FLAG(0, "json", struct diff_opts, json, "one JSON document"),
	OPT_SET(struct diff_opts, verbosity, verbosity_options),

	OPT_HEADING("Which samples:"),
	OPT_COMMS('C', struct diff_opts, rq.comms),
	OPT_DSOS('d', struct diff_opts, rq.dsos),
	OPT_SYMBOLS(struct diff_opts, rq.symbols),
	OPT_STRING(0, "time", struct diff_opts, rq.time, "from,to[:from,to...]",
		   "only this span; one for each side with ':' between them"),
	OPT_CPUS(0, struct diff_opts, rq.cpus),
	OPT_PIDS(struct diff_opts, rq.pids),
	OPT_TIDS(struct diff_opts, rq.tids),

	OPT_HEADING("Input and symbols:"),
	OPT_FORCE(struct diff_opts, rq.force),
	OPT_DUMP_RAW(struct diff_opts, dump_raw),
	OPT_SET(struct diff_opts, rq.names, symbol_file_options),
	OPT_MODULES,
	OPT_END
};

/*
 * Refuses -p and -F if no table of single recordings is shown, because there are no columns for
 * them.
 */
static int refuse_columns(const struct diff_opts *o, const char *why, struct diag *diag)
{
	return o->periods || o->formulas ? diag_set(diag, -EINVAL, "%s", why) : 0;
}

static int check_columns(const struct diff_opts *o, struct diag *diag)
{
	if (o->rq.fleet)
		return refuse_columns(
			o, "-p and -F show single recordings, and --fleet compares many", diag);
	if (o->json)
		return refuse_columns(o, "-p and -F are columns of text: --json has all values",
				      diag);
	if (o->rq.streams)
		return refuse_columns(o, "-p and -F are columns of rows, and --stream has none",
				      diag);
	return 0;
}

static int diff_check(const struct diff_opts *o, struct diag *diag)
{
	if (o->cycles_hist && !o->rq.method.cycles)
		return diag_set(diag, -EINVAL, "--cycles-hist needs -c cycles");
	if (o->rq.method.cycles && o->rq.sort)
		return diag_set(diag, -EINVAL,
				"-c cycles has rows of its own: -s does not go "
				"with it");
	if (o->rq.keeps_outliers && !o->rq.fleet)
		return diag_set(diag, -EINVAL, "--keep-outliers needs --fleet");
	if (o->rq.streams && (o->rq.method.cycles || o->rq.sort || o->json || o->rq.limits.n)) {
		diag_set(diag, -EINVAL, "--stream compares no rows");
		diag_hint(diag, "It cannot be used with -c cycles, -s, --json or --fail-if.");
		return -EINVAL;
	}
	return check_columns(o, diag);
}

static int dump_all(const struct diff_job *j, FILE *out, struct diag *diag)
{
	const struct report_dump_options how = { .skip_empty = true, .out = out };
	int r = 0;

	for (size_t i = 0; i < j->n && r >= 0; i++)
		r = report_dump_print(j->recordings[i].session, &how, diag);
	return r;
}

static int diff_compare(const struct invocation *inv, struct diff_job *j, struct diag *diag)
{
	const struct diff_opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	int r = diff_job_open(j, &o->rq, diag);

	if (r >= 0 && o->dump_raw)
		return dump_all(j, inv->out, diag);
	if (r >= 0 && o->rq.streams && j->n != 2)
		r = diag_set(diag, -EINVAL, "--stream compares two recordings, and these are %zu",
			     j->n);
	if (r >= 0 && j->is_repeated)
		r = refuse_columns(o, "-p and -F show single recordings: a side here has several",
				   diag);
	if (r >= 0)
		r = diff_job_read(j, diag);
	if (r >= 0)
		r = diff_show(inv, j, diag);
	if (r >= 0 && !o->verbosity.quiet)
		diff_job_note(j, &notes);
	return r;
}

/* Fills in settings that are not options of their own. */
static void diff_settle(struct diff_opts *o, const struct invocation *inv)
{
	o->rq.argc = inv->argc;
	o->rq.argv = inv->argv;
	o->rq.progress = command_progress(inv, o->verbosity.quiet, false);
	o->rq.relative = o->percentage == PERCENTAGE_RELATIVE;
	o->rq.verbose = o->verbosity.verbose;
	o->rq.statistics = o->json;
}

static int diff_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct diff_opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	_cleanup_(diff_job_close) struct diff_job job = { 0 };
	int r;

	if (diff_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	heap_expect_much();
	diff_settle(o, inv);
	command_guest_symbols(inv, &o->rq.names);
	o->rq.buildid_dir = dir;
	r = reading_check_files(&(struct reading_symbols){ .request = &o->rq.names }, &diag);
	if (r >= 0)
		r = diff_compare(inv, &job, &diag);
	/* Lost output is reported by the code that closes the stream. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	if (r < 0)
		command_fail(inv, r, &diag);
	/* With limits, the exit status must not look like that of an exceeded limit. */
	return r >= 0 ? r : o->rq.limits.n ? EXIT_LIMIT_UNKNOWN : EXIT_FAILED;
}

static void diff_done(void *opts)
{
	struct diff_opts *o = opts;

	diff_request_done(&o->rq);
}

static const char *const usage[] = { "[<options>] [<old file> [<new file>...]]",
				     "--fleet [<options>] <name>=<URL> <name>=<URL>...", NULL };

const struct command cmd_diff = {
	.name = "diff",
	.summary = "compare profiles",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct diff_opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = diff_run,
	.done = diff_done,
};
