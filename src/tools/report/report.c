/* SPDX-License-Identifier: MIT */
/* perf report: sums up the samples of a profile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/heap.h"
#include "base/memory.h"
#include "cli/command.h"
#include "options/annotation.h"
#include "options/filter.h"
#include "options/guest-settings.h"
#include "options/symbols.h"
#include "options/time.h"
#include "profile/keys.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"

static const struct report_opts defaults = {
	.profile = { .socket = -1, .time_quantum_ns = 100 * 1000 * 1000 },
	.calltree.max_stack = PROFILE_MAX_STACK,
	.code.layout = ANNOTATE_LAYOUT_USUAL,
};

/* Sets the limit for rows, which also applies to the branches of trees. */
static int report_percent_limit_set(void *field, const struct option *o, const char *value,
				    bool negated, struct diag *diag)
{
	struct calltree_layout *l = field;
	int r = percent_set(&l->row_limit, o, value, negated, diag);

	if (r < 0)
		return r;
	l->threshold = l->row_limit;
	l->has_threshold = !negated;
	return 0;
}

/* Parses numbers and ranges, as for CPUs. */
static int numbers_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	_cleanup_(cpu_list_done) struct cpu_list l = { 0 };

	if (!negated && (cpu_list_parse(value, &l) < 0 || !l.n))
		return diag_set(diag, -EINVAL, "--%s takes numbers and ranges, '1,4-8', not '%s'",
				o->name, value);
	*(const char **)field = negated ? NULL : value;
	return 0;
}

/*
 * Turns groups off. Turning them on has no effect here: only the command line can group events that
 * were recorded separately.
 */
static int group_variable_set(void *field, const struct option *o, const char *value, bool negated,
			      struct diag *diag)
{
	(void)o, (void)value, (void)diag;
	if (negated)
		*(enum choice *)field = CHOICE_NO;
	return 0;
}

static const struct option options[] = {
	OPT_SET(struct report_opts, input, input_options),

	OPT_HEADING("Form:"),
	OPT_FLAG(0, "tui", struct report_opts, tui, "browse in the terminal (the default there)",
		 .flags = OPTION_ONE_DASH),
	OPT_FLAG(0, "stdio", struct report_opts, stdio, "plain text", .flags = OPTION_ONE_DASH),
	OPT_FLAG(0, "json", struct report_opts, json, "one JSON document: columns, rows and trees"),
	OPT_STRING(0, "html", struct report_opts, html, "file",
		   "a page for a browser: flame graph, times, threads, functions, code",
		   .flags = OPTION_OPTIONAL | OPTION_WRITES, .missing = ""),
	OPT_STRING(0, "flamegraph", struct report_opts, flamegraph, "file",
		   "a flame graph for a browser, as perf flamegraph draws it",
		   .flags = OPTION_OPTIONAL | OPTION_WRITES, .missing = ""),
	OPT_STDIO_COLOUR(struct report_opts, colour),
	OPT_GTK,
	OPT_CALL('t', "field-separator", struct report_opts, form.separator, "separator",
		 "this between columns, and no padding", .set = separator_set),
	OPT_STRING('w', "column-widths", struct report_opts, form.widths, "width[,width...]",
		   "fixed widths of the columns; 0 is as wide as needed"),
	OPT_FLAG(0, "full-names", struct report_opts, full_names,
		 "whole names of C++ and Rust functions on a terminal, too"),
	OPT_STRING(0, "pretty", struct report_opts, pretty, "key", "how to show -T: normal or raw"),
	OPT_SET(struct report_opts, verbosity, verbosity_options),

	OPT_HEADING("Rows and columns:"),
	OPT_STRING('s', "sort", struct report_opts, profile.plan.sort, "key[,key2...]",
		   "one row for each value of these: comm,dso,symbol"),
	OPT_STRING(0, NULL, struct report_opts, sort_order, "keys",
		   "an older name of report.sort_order", .config = "report.sort-order"),
	OPT_STRING(0, NULL, struct report_opts, sort_order, "keys",
		   "the default of --sort, to which --sort +key adds",
		   .config = "report.sort_order"),
	OPT_STRING('F', "fields", struct report_opts, profile.plan.fields, "key[,keys...]",
		   "columns to show; +key adds to the usual ones"),
	OPT_FLAG('n', "show-nr-samples", struct report_opts, profile.plan.nr_samples,
		 "a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", struct report_opts, profile.plan.total_period,
		 "a column with the sum of the periods"),
	OPT_FLAG(0, "show-cpu-utilization", struct report_opts, profile.plan.cpu_utilization,
		 "columns for user, kernel and guests"),
	OPT_FLAG(0, "showcpuutilization", struct report_opts, profile.plan.cpu_utilization,
		 "the old name of --show-cpu-utilization", .flags = OPTION_HIDDEN),
	OPT_FLAG('H', "hierarchy", struct report_opts, profile.plan.hierarchy,
		 "rows within rows, one level per sort key"),
	OPT_CHOICE(0, "group", struct report_opts, tables.group,
		   "the events of a group side by side"),
	OPT_CALL(0, NULL, struct report_opts, tables.group, NULL,
		 "false is --no-group; true changes nothing", .set = group_variable_set,
		 .flags = OPTION_NO_VALUE, .config = "report.group"),
	OPT_FLAG(0, "wall", struct report_opts, profile.wall,
		 "time on and off the CPU as one event: of record --off-cpu"),
	OPT_FLAG(0, "latency", struct report_opts, latency,
		 "by shares of wall-clock time: of record --latency"),
	OPT_UINT(0, "group-sort-idx", struct report_opts, tables.group_sort_idx, "n",
		 "sort a group's rows by its n-th event, from 0"),
	OPT_CALL(0, "percent-limit", struct report_opts, calltree.layout, "percent",
		 "no rows and no branches below this share", .set = report_percent_limit_set,
		 .config = "report.percent-limit"),
	OPT_PERCENTAGE(struct report_opts, percentage),
	OPT_CALL(0, "time-quantum", struct report_opts, profile.time_quantum_ns,
		 "time (ms|us|ns|s)", "resolution of the sort key time (default: 100ms)",
		 .set = duration_set),
	OPT_FLAG(0, "ns", struct report_opts, form.times_in_ns, "times in nanoseconds"),
	OPT_FLAG(0, "raw-trace", struct report_opts, profile.raw_trace,
		 "fields of tracepoints as they are, not as text"),

	OPT_SET(struct report_opts, calltree, calltree_options),
	OPT_FRAMES(struct report_opts, profile.frames),
	OPT_FLAG(0, "show-ref-call-graph", struct report_opts, profile.references,
		 "for events without stacks, those of the event that has them"),

	OPT_SET(struct report_opts, profile.filter, filter_options),
	OPT_DSOS('d', struct report_opts, profile.filter.dsos),
	OPT_STRING(0, "symbol-filter", struct report_opts, tables.rows.symbol_part, "filter",
		   "only functions whose name contains this"),
	OPT_INT(0, "socket-filter", struct report_opts, profile.socket, "n", "only of this socket"),
	OPT_CALL(0, "parallelism", struct report_opts, profile.parallelism, "n[,n-m...]",
		 "only while so many threads ran: of record --latency", .set = numbers_set),
	OPT_FLAG('U', "hide-unresolved", struct report_opts, profile.hide_unresolved,
		 "only rows with a known function"),
	OPT_CALL('p', "parent", struct report_opts, profile.parent, "regex",
		 "functions for the sort key parent (default: ^sys_|^do_page_fault)",
		 .set = regex_set),
	OPT_FLAG('x', "exclude-other", struct report_opts, profile.exclude_other,
		 "only rows with such a parent"),

	OPT_HEADING("Instead of the report:"),
	OPT_FLAG('T', "threads", struct report_opts, thread_counts, "also the counts of record -s"),
	OPT_FLAG(0, "tasks", struct report_opts, tasks, "processes and threads, as a tree"),
	OPT_FLAG(0, "mmaps", struct report_opts, mmaps, "the same with what they had mapped"),
	OPT_FLAG(0, "stats", struct report_opts, stats, "how many records of each type there are"),
	OPT_CHOICE(0, "skip-empty", struct report_opts, skip_empty,
		   "leave out events without samples", .config = "report.skip-empty"),
	OPT_FLAG(0, "disable-order", struct report_opts, disable_order,
		 "with -D, records in the order of the file"),

	OPT_HEADING("Branches and memory:"),
	OPT_CHOICE('b', "branch-stack", struct report_opts, branch_stack,
		   "rows are taken branches (the default where there are any)"),
	OPT_FLAG(0, "branch-history", struct report_opts, branch_history,
		 "taken branches as part of the stacks"),
	OPT_FLAG(0, "total-cycles", struct report_opts, profile.blocks,
		 "rows are basic blocks, by the cycles spent in them"),
	OPT_FLAG(0, "mem-mode", struct report_opts, profile.mode.memory,
		 "rows are accesses to memory"),
	OPT_FLAG(0, "breakdown", struct report_opts, profile.plan.memory_fields,
		 "with --mem-mode, mem and snoop of --fields are shares of each kind"),
	OPT_CHOICE(0, "explain", struct report_opts, explain,
		   "with --mem-mode, what the words of its columns mean (the default on a "
		   "terminal)"),

	OPT_SET(struct report_opts, profile.symbols, symbol_options),
	OPT_MODULES,
	OPT_FLAG(0, "ignore-vmlinux", struct report_opts, profile.ignore_vmlinux,
		 "kernel symbols from kallsyms even if there is a vmlinux"),

	OPT_HEADING("Annotation in the browser:"),
	OPT_CHOICE(0, "source", struct report_opts, annotate.source,
		   "source lines between the instructions (the default)"),
	OPT_CHOICE(0, "asm-raw", struct report_opts, annotate.asm_raw,
		   "the bytes of the instructions"),
	OPT_STRING('M', "disassembler-style", struct report_opts, annotate.style, "style",
		   "syntax of the assembly: intel"),
	OPT_OBJDUMP,
	OPT_ADDR2LINE,
	OPT_ADDR2LINE_STYLE,
	OPT_UNWIND_STYLE,
	OPT_STRING(0, "prefix", struct report_opts, annotate.prefix, "prefix",
		   "put this before the paths of source files"),
	OPT_UINT(0, "prefix-strip", struct report_opts, annotate.prefix_strip, "N",
		 "with --prefix, first drop N directories of the path"),
	OPT_CALL(0, "percent-type", struct report_opts, code.whole.base, "base",
		 "shares of the function or of all, by period or hits: local-period",
		 .set = percent_type_set),
	OPT_SET(struct report_opts, code.layout, annotation_options),
	OPT_NOTHING(0, "samples", "n", "keep n samples of each row to look at",
		    "the browser finds all samples of a row (r)"),
	OPT_END
};

static int report_check(const struct report_opts *o, struct diag *diag)
{
	if (o->branch_stack == CHOICE_YES && o->profile.mode.memory)
		return diag_set(diag, -EINVAL, "branch and mem mode incompatible");
	if (o->annotate.prefix_strip && !o->annotate.prefix)
		return diag_set(diag, -EINVAL, "--prefix-strip requires --prefix");
	if (report_browse_check(o, diag) < 0)
		return -EINVAL;
	return report_picture_check(o, diag);
}

/* Applies the configured order if none is given. "+key" adds to it. */
static void settle_sort(struct report_opts *o)
{
	const char *order = o->sort_order;
	struct report_request *plan = &o->profile.plan;

	if (!order || (plan->fields && plan->fields[0] != '+') ||
	    (plan->sort && plan->sort[0] != '+'))
		return;
	o->sort_text = plan->sort ? xasprintf("%s,%s", order, plan->sort + 1) : xstrdup(order);
	plan->sort = o->sort_text;
}

/* Lists the keys for -s ?, like --user-regs=? of record. */
static int list_keys(const struct invocation *inv)
{
	const struct key_type *t;

	fputs("available keys:", inv->out);
	for (size_t i = 0; (t = key_type_at(i)); i++)
		fprintf(inv->out, " %s", t->name);
	fputc('\n', inv->out);
	return EXIT_OK;
}

static int tools_report_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct report_opts *o = inv->opts;

	if (o->profile.plan.sort && !strcmp(o->profile.plan.sort, "?"))
		return list_keys(inv);
	command_guest_symbols(inv, &o->profile.symbols);
	command_guest_filter(inv, &o->profile.filter);
	/* The file may be given without -i. */
	if (inv->argc > 1 || (inv->argc && o->input.path)) {
		diag_set(&diag, -EINVAL, "one profile at a time: what is '%s' for?",
			 inv->argv[inv->argc - 1]);
		return command_usage(inv, &diag);
	}
	if (inv->argc)
		o->input.path = inv->argv[0];
	if (report_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	settle_sort(o);
	heap_expect_much();
	if (report_browses(inv))
		return report_browse_run(inv);
	return o->flamegraph ? report_flamegraph_run(inv) : report_run(inv);
}

static void report_done(void *opts)
{
	struct report_opts *o = opts;

	filter_request_done(&o->profile.filter);
	free(o->sort_text);
}

static const char *const usage[] = { "[<options>] [<file>]", NULL };

const struct command cmd_report = {
	.name = "report",
	.summary = "show what the samples of a profile add up to",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct report_opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = tools_report_run,
	.browses = report_browses,
	.done = report_done,
};
