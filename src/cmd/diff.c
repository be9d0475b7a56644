/* SPDX-License-Identifier: MIT */
/* perf diff: what changed from one recording to another. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cmd/diff-job.h"
#include "cmd/diff-opts.h"
#include "cmd/opt/filter.h"
#include "cmd/opt/input.h"

static const struct diff_opts defaults = { .order = 1 };

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
			     "'%s' is no way to compare recordings", value);
	diag_hint(diag, "It is one of: delta, delta-abs, ratio, wdiff:1,1, cycles.");
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
	OPT_CALL('c', "compute", struct diff_opts, method, "delta|delta-abs|ratio|wdiff:b,a|cycles",
		 "what to show of a row (default: delta-abs)", .set = method_set,
		 .config = "diff.compute"),
	OPT_FLAG('b', "baseline-only", struct diff_opts, baseline_only,
		 "only rows that the baseline has too"),
	OPT_FLAG('p', "period", struct diff_opts, periods, "columns with the periods"),
	OPT_FLAG('F', "formula", struct diff_opts, formulas, "columns with the calculation"),
	OPT_UINT('o', "order", struct diff_opts, order, "n",
		 "sort by the n-th side (default: 1); 0 is the baseline", .config = "diff.order"),
	OPT_FLAG(0, "cycles-hist", struct diff_opts, cycles_hist,
		 "with -c cycles, how much the cycles of a block vary"),
	OPT_CALL(0, "fail-if", struct diff_opts, limits, "condition",
		 "end with status 1 beyond a limit: 'main > +2%, total > +5%'", .set = limits_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "stream", struct diff_opts, stream, "once compared streams of branches",
		 .flags = OPTION_HIDDEN),

	OPT_HEADING("Rows and form:"),
	OPT_STRING('s', "sort", struct diff_opts, sort, "key[,key2...]",
		   "one row for each value of these (default: dso,symbol)"),
	OPT_CALL('t', "field-separator", struct diff_opts, separator, "separator",
		 "this between columns", .set = separator_set),
	OPT_PERCENTAGE(struct diff_opts, percentage),
	OPT_FLAG(0, "json", struct diff_opts, json, "one JSON document"),
	OPT_SET(struct diff_opts, verbosity, verbosity_options),

	OPT_HEADING("Which samples:"),
	OPT_COMMS('C', struct diff_opts, comms),
	OPT_DSOS('d', struct diff_opts, dsos),
	OPT_SYMBOLS(struct diff_opts, symbols),
	OPT_STRING(0, "time", struct diff_opts, time, "from,to[:from,to...]",
		   "only this span; one for each side with ':' between them"),
	OPT_CPUS(0, struct diff_opts, cpus),
	OPT_PIDS(struct diff_opts, pids),
	OPT_TIDS(struct diff_opts, tids),

	OPT_HEADING("Input and symbols:"),
	OPT_FORCE(struct diff_opts, force),
	OPT_DUMP_RAW(struct diff_opts, dump_raw),
	OPT_SET(struct diff_opts, names, symbol_file_options),
	OPT_MODULES,
	OPT_END
};

static int check(const struct diff_opts *o, struct diag *diag)
{
	if (o->cycles_hist && !o->method.cycles)
		return diag_set(diag, -EINVAL, "--cycles-hist belongs to -c cycles");
	if (o->method.cycles && o->sort)
		return diag_set(diag, -EINVAL,
				"-c cycles has rows of its own: -s does not go "
				"with it");
	if (!o->stream)
		return 0;
	diag_set(diag, -EINVAL, "streams of branches are not compared");
	diag_hint(diag, "-c cycles compares the blocks between branches, 'perf report "
			"--branch-history' shows what led to each place.");
	return -EINVAL;
}

static int run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct diff_opts *o = inv->opts;

	if (check(o, &diag) < 0)
		return command_usage(inv, &diag);
	return diff_run(inv);
}

static void done(void *opts)
{
	struct diff_opts *o = opts;

	cpu_list_done(&o->cpus);
	id_list_done(&o->pids);
	id_list_done(&o->tids);
	thresholds_done(&o->limits);
}

static const char *const usage[] = { "[<options>] [<old file> [<new file>...]]", NULL };

const struct command cmd_diff = {
	.name = "diff",
	.summary = "compare profiles",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct diff_opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = run,
	.done = done,
};
