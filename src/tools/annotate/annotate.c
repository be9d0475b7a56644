/* SPDX-License-Identifier: MIT */
/* perf annotate: the code of functions, with the weights of their instructions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/annotation.h"
#include "options/buildid-dir.h"
#include "options/filter.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/table.h"
#include "options/verbosity.h"
#include "session/reading.h"
#include "session/session.h"
#include "tools/annotate/opts.h"
#include "view/report/dump.h"

/* Sets the figure of a line; the last option wins. */
static void choose_figure(enum annotate_figure *field, enum annotate_figure chosen, bool negated)
{
	if (!negated)
		*field = chosen;
	else if (*field == chosen)
		*field = ANNOTATE_PERCENT;
}

static int samples_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	(void)o, (void)value, (void)diag;
	choose_figure(field, ANNOTATE_SAMPLES, negated);
	return 0;
}

static int annotate_period_set(void *field, const struct option *o, const char *value, bool negated,
			       struct diag *diag)
{
	(void)o, (void)value, (void)diag;
	choose_figure(field, ANNOTATE_PERIOD, negated);
	return 0;
}

static const struct option options[] = {
	OPT_HEADING("Input:"),
	OPT_INPUT(struct annotate_opts, rq.input),
	OPT_FORCE(struct annotate_opts, rq.force),
	OPT_DUMP_RAW(struct annotate_opts, dump_raw),
	OPT_ITRACE(struct annotate_opts, rq.itrace),

	OPT_HEADING("Which functions:"),
	OPT_STRING('s', "symbol", struct annotate_opts, rq.symbol, "symbol", "only this function"),
	OPT_DSOS('d', struct annotate_opts, rq.dsos),
	OPT_CALL('C', "cpu", struct annotate_opts, rq.cpus, "cpu",
		 "only samples of these CPUs: 0,2-3", .set = cpu_list_set),
	OPT_CALL(0, "percent-limit", struct annotate_opts, rq.percent_limit, "percent",
		 "no functions below this share of the samples", .set = percent_set),
	OPT_FLAG(0, "skip-empty", struct annotate_opts, rq.skip_empty,
		 "no columns for events of a group without samples"),
	OPT_FLAG(0, "skip-missing", struct annotate_opts, rq.skip_missing,
		 "say nothing of functions that cannot be shown"),

	OPT_HEADING("Form:"),
	OPT_FLAG(0, "stdio", struct annotate_opts, stdio, "plain text, with addresses",
		 .flags = OPTION_ONE_DASH),
	OPT_FLAG(0, "stdio2", struct annotate_opts, stdio2, "plain text, with jumps as arrows",
		 .flags = OPTION_ONE_DASH),
	OPT_FLAG(0, "tui", struct annotate_opts, tui, "browse in the terminal (the default on one)",
		 .flags = OPTION_ONE_DASH),
	OPT_GTK,
	OPT_STDIO_COLOUR(struct annotate_opts, colour),
	OPT_CALL('n', "show-nr-samples", struct annotate_opts, figure, NULL,
		 "the number of samples in place of percentages", .set = samples_set,
		 .flags = OPTION_NO_VALUE, .config = "annotate.show_nr_samples"),
	OPT_CALL(0, "show-total-period", struct annotate_opts, figure, NULL,
		 "the sum of the periods in place of percentages", .set = annotate_period_set,
		 .flags = OPTION_NO_VALUE, .config = "annotate.show_total_period"),
	OPT_CALL(0, "percent-type", struct annotate_opts, base, "base",
		 "shares of the function or of all, by period or hits: local-period",
		 .set = percent_type_set),
	OPT_CHOICE(0, "group", struct annotate_opts, rq.group,
		   "the events of a group side by side"),
	OPT_FLAG('l', "print-line", struct annotate_opts, rq.print_line,
		 "also the lines of source that weigh most"),
	OPT_FLAG('P', "full-paths", struct annotate_opts, full_paths,
		 "files with their whole path"),
	OPT_FLAG(0, "full-names", struct annotate_opts, full_names,
		 "whole names of C++ and Rust functions on a terminal, too"),
	OPT_SET(struct annotate_opts, verbosity, verbosity_options),

	OPT_HEADING("Data types:"),
	OPT_STRING(0, "data-type", struct annotate_opts, data_type, "name",
		   "members of data types in place of code: of all types, or of this one",
		   .flags = OPTION_OPTIONAL, .missing = ""),
	OPT_FLAG(0, "type-stat", struct annotate_opts, type_stat,
		 "how many instructions access a type that could be found"),
	OPT_FLAG(0, "insn-stat", struct annotate_opts, insn_stat, "the same by instruction"),
	OPT_FLAG(0, "code-with-type", struct annotate_opts, code_with_type,
		 "what types instructions access, after their code"),

	OPT_HEADING("Code and source:"),
	OPT_CHOICE(0, "source", struct annotate_opts, rq.source,
		   "source lines between the instructions (the default)"),
	OPT_CHOICE(0, "asm-raw", struct annotate_opts, rq.asm_raw, "the bytes of the instructions"),
	OPT_STRING('M', "disassembler-style", struct annotate_opts, rq.style, "style",
		   "syntax of the assembly: intel", .config = "annotate.disassembler_style"),
	OPT_STRING(0, "prefix", struct annotate_opts, rq.prefix, "prefix",
		   "put this before the paths of source files"),
	OPT_UINT(0, "prefix-strip", struct annotate_opts, rq.prefix_strip, "N",
		 "with --prefix, first drop N directories of the path"),
	OPT_OBJDUMP,
	OPT_ADDR2LINE,

	OPT_HEADING("Symbols:"),
	OPT_STRING('k', "vmlinux", struct annotate_opts, rq.symbols.vmlinux, "file",
		   "take the kernel's code and symbols from this vmlinux"),
	OPT_FLAG(0, "ignore-vmlinux", struct annotate_opts, rq.ignore_vmlinux,
		 "do not look for a vmlinux"),
	OPT_MODULES,
	OPT_STRING(0, "symfs", struct annotate_opts, rq.symbols.symfs, "directory",
		   "look for programs and libraries below this directory"),
	OPT_CHOICE(0, "demangle", struct annotate_opts, rq.symbols.demangle,
		   "C++, Rust and D names as in the source (the default)",
		   .config = "annotate.demangle"),
	OPT_CHOICE(0, "demangle-kernel", struct annotate_opts, rq.symbols.demangle_kernel,
		   "also demangle names of the kernel", .config = "annotate.demangle_kernel"),

	OPT_SET(struct annotate_opts, layout, annotation_options),
	OPT_END
};

static int annotate_check(const struct annotate_opts *o, struct diag *diag)
{
	if (o->rq.prefix_strip && !o->rq.prefix)
		return diag_set(diag, -EINVAL, "--prefix-strip requires --prefix");
	if (o->stdio + o->stdio2 + o->tui > 1)
		return diag_set(diag, -EINVAL, "%s and %s are two forms: choose one",
				o->stdio ? "--stdio" : "--stdio2", o->tui ? "--tui" : "--stdio2");
	return 0;
}

/* True if only data types are to be reported. */
static bool wants_types(const struct annotate_opts *o)
{
	return o->data_type || o->type_stat || o->insn_stat;
}

static int tools_annotate_show(const struct invocation *inv, struct annotate_job *j,
			       struct diag *diag)
{
	const struct annotate_opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	int r;

	if (o->dump_raw)
		return report_dump_print(j->session,
					 &(struct report_dump_options){ .out = inv->out }, diag);
	r = annotate_collect(j, diag);
	if (r >= 0 && wants_types(o))
		r = annotate_show_types(inv, j, diag);
	if (r >= 0 && !o->data_type && (!wants_types(o) || o->code_with_type))
		r = annotate_show(inv, j);
	if (r < 0)
		return r;
	r = annotate_judge(j, &notes, diag);
	/* A function that was not found may be among those whose names are not known. */
	if (!o->rq.skip_missing && (r == -ENOENT || (r >= 0 && !o->rq.symbol)))
		annotate_show_unnamed(inv, j);
	return r;
}

static int open_and_show(const struct invocation *inv, struct annotate_job *j, struct diag *diag)
{
	const struct annotate_opts *o = inv->opts;
	struct notes notes = command_notes(inv);
	int r = annotate_open(j, &o->rq, diag);

	if (r < 0)
		return command_fail(inv, r, diag);
	r = tools_annotate_show(inv, j, diag);
	reading_note_damage(j->session, &notes);
	reading_note_losses(j->session, &notes);
	/* Lost output is reported by the code that closes the stream. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	if (r < 0)
		return command_fail(inv, r, diag);
	return session_is_cut(j->session) ? EXIT_FAILED : EXIT_OK;
}

/* Applies the effects that some options have on others. */
static void annotate_settle(struct annotate_opts *o)
{
	o->rq.input = input_path(o->rq.input);
	o->rq.skip_missing |= o->verbosity.quiet;
	o->rq.cycles = o->stdio2;
	o->rq.data_types = wants_types(o) || o->code_with_type;
	if (o->rq.source == CHOICE_UNSAID && o->stdio2 && o->layout.hide_source)
		o->rq.source = CHOICE_NO;
	if (o->rq.source == CHOICE_YES)
		o->layout.hide_source = false;
}

static int annotate_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct annotate_opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct annotate_job job;
	int r;

	if (inv->argc > 1) {
		diag_set(&diag, -EINVAL, "one function at a time: what is '%s' for?", inv->argv[1]);
		return command_usage(inv, &diag);
	}
	if (inv->argc)
		o->rq.symbol = inv->argv[0];
	if (annotate_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	r = reading_check_files(&(struct reading_symbols){ .request = &o->rq.symbols }, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	annotate_settle(o);
	o->rq.buildid_dir = dir;
	if (annotate_browses(inv))
		return annotate_browse(inv, &diag);
	o->rq.progress = command_progress(inv, o->verbosity.quiet, false);
	r = open_and_show(inv, &job, &diag);
	annotate_close(&job);
	return r;
}

static void annotate_done(void *opts)
{
	struct annotate_opts *o = opts;

	annotate_request_done(&o->rq);
}

static const char *const usage[] = { "[<options>] [<symbol>]", NULL };

static const struct annotate_opts defaults = {
	.layout = ANNOTATE_LAYOUT_USUAL,
};

const struct command cmd_annotate = {
	.name = "annotate",
	.summary = "show the code of functions with the samples of each instruction",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct annotate_opts),
	.defaults = &defaults,
	.flags = COMMAND_PAGED,
	.run = annotate_run,
	.browses = annotate_browses,
	.done = annotate_done,
};
