/* SPDX-License-Identifier: MIT */
/* perf flamegraph: draws the stacks of a profile as a picture. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/heap.h"
#include "cli/command.h"
#include "options/filter.h"
#include "options/flame.h"
#include "options/flamegraph-draw.h"
#include "options/input.h"
#include "options/symbols.h"
#include "options/table.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "profile/diff-inputs.h"
#include "profile/flamegraph.h"
#include "view/picture/palette.h"

#define WIDTH_MIN 200
#define WIDTH_MAX 100000

struct flamegraph_opts {
	struct flamegraph_request rq;
	struct flamegraph_look look;
	bool diff;
	struct verbosity_opts verbosity;
};

static const struct flamegraph_opts defaults = { .rq.profile.socket = -1 };

static int palette_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	if (!negated && !palette_find(value))
		return value_refuse_colours(diag, o, value, palette_name);
	*(const char **)field = negated ? NULL : value;
	return 0;
}

/*
 * Sets the minimum width, in the form of flamegraph.pl: pixels, or percent with the sign after the
 * number.
 */
static int min_width_set(void *field, const struct option *o, const char *value, bool negated,
			 struct diag *diag)
{
	struct flamegraph_look *look = field;
	size_t n = negated ? 0 : strlen(value);

	if (!n || value[n - 1] == '%')
		return percent_set(&look->min_percent, o, value, negated, diag);
	return percent_set(&look->min_pixels, o, value, negated, diag);
}

static const struct option options[] = {
	OPT_HEADING("Input and output:"),
	OPT_INPUT(struct flamegraph_opts, rq.profile.path),
	OPT_FORCE(struct flamegraph_opts, rq.profile.force),
	OPT_STRING('o', "output", struct flamegraph_opts, look.output, "file",
		   "write the picture to this file (default: standard output, or flamegraph.svg "
		   "if that is a terminal)",
		   .flags = OPTION_WRITES),
	OPT_FLAG(0, "diff", struct flamegraph_opts, diff,
		 "compare two sides, before and after: recordings, or lists of them with commas"),
	OPT_SET(struct flamegraph_opts, verbosity, verbosity_options),

	OPT_HEADING("Stacks:"),
	OPT_SET(struct flamegraph_opts, rq.choice, flame_options),
	OPT_FLAG(0, "reverse", struct flamegraph_opts, rq.reverse,
		 "merge stacks from the sampled function on, with its callers above it"),
	OPT_FRAMES(struct flamegraph_opts, rq.profile.frames),
	OPT_UINT(0, "max-stack", struct flamegraph_opts, rq.profile.max_stack, "n",
		 "only the n outermost frames of each stack; with --reverse, the innermost"),
	OPT_CALL(0, "ignore-callees", struct flamegraph_opts, rq.profile.ignore_callees, "regex",
		 "cut stacks above the functions that match", .set = regex_set),

	OPT_HEADING("Picture:"),
	OPT_FLAG(0, "html", struct flamegraph_opts, look.is_page,
		 "a page for a browser in place of the picture: for large graphs"),
	OPT_CALL(0, "color", struct flamegraph_opts, look.palette, "name",
		 "the colours of boxes (default: by kind of function)", .set = palette_set),
	OPT_CALL(0, "colors", struct flamegraph_opts, look.palette, "name",
		 "the name of --color in flamegraph.pl", .set = palette_set,
		 .flags = OPTION_HIDDEN),
	OPT_FLAG(0, "icicle", struct flamegraph_opts, look.is_icicle,
		 "from the top down: the outermost function is on top"),
	OPT_FLAG(0, "inverted", struct flamegraph_opts, look.is_icicle,
		 "the name of --icicle in flamegraph.pl", .flags = OPTION_HIDDEN),
	OPT_STRING(0, "title", struct flamegraph_opts, look.title, "text",
		   "the heading (default: Flame graph)"),
	OPT_STRING(0, "subtitle", struct flamegraph_opts, look.subtitle, "text",
		   "the line below it (default: what was counted)"),
	OPT_UINT(0, "width", struct flamegraph_opts, look.width, "pixels",
		 "the width of the picture (default: 1200)"),
	OPT_CALL(0, "min-percent", struct flamegraph_opts, look.min_percent, "percent",
		 "leave out boxes below this share (default: what no pixel shows)",
		 .set = percent_set),
	{ .kind = OPTION_CALL,
	  .name = "minwidth",
	  .offset = offsetof(struct flamegraph_opts, look),
	  .arg = "pixels",
	  .help = "the same in pixels, as flamegraph.pl has it",
	  .set = min_width_set,
	  .flags = OPTION_HIDDEN },
	OPT_STRING(0, "count-name", struct flamegraph_opts, look.count_name, "text",
		   "what the numbers count (default: samples)"),
	OPT_STRING(0, "countname", struct flamegraph_opts, look.count_name, "text",
		   "the name of --count-name in flamegraph.pl", .flags = OPTION_HIDDEN),
	OPT_NOTHING(0, "hash", NULL, "colours by the names of functions", NULL,
		    .flags = OPTION_HIDDEN),

	OPT_SET(struct flamegraph_opts, rq.profile.filter, filter_options),
	OPT_DSOS('d', struct flamegraph_opts, rq.profile.filter.dsos),
	OPT_STRING(0, "symbol-filter", struct flamegraph_opts, rq.part, "filter",
		   "only samples in functions whose name contains this"),
	OPT_INT(0, "socket-filter", struct flamegraph_opts, rq.profile.socket, "n",
		"only of this socket"),
	OPT_FLAG('U', "hide-unresolved", struct flamegraph_opts, rq.profile.hide_unresolved,
		 "only samples and frames with a known function"),
	OPT_CALL('p', "parent", struct flamegraph_opts, rq.profile.parent, "regex",
		 "functions for --exclude-other (default: ^sys_|^do_page_fault)", .set = regex_set),
	OPT_FLAG('x', "exclude-other", struct flamegraph_opts, rq.profile.exclude_other,
		 "only samples with such a caller"),

	OPT_SET(struct flamegraph_opts, rq.profile.symbols, symbol_options),
	OPT_FLAG(0, "ignore-vmlinux", struct flamegraph_opts, rq.profile.ignore_vmlinux,
		 "kernel symbols from kallsyms even if there is a vmlinux"),
	OPT_END
};

static int flamegraph_check(const struct flamegraph_opts *o, struct diag *diag)
{
	if (o->look.width && (o->look.width < WIDTH_MIN || o->look.width > WIDTH_MAX))
		return diag_set(diag, -EINVAL, "--width: a picture is %d to %d pixels wide",
				WIDTH_MIN, WIDTH_MAX);
	if (o->look.is_page && (o->look.width || o->look.min_percent > 0 || o->look.min_pixels > 0))
		return diag_set(diag, -EINVAL,
				"--html is as wide as the browser and shows boxes of any size: "
				"--width and --min-percent are for pictures");
	if (o->rq.profile.parent && !o->rq.profile.exclude_other)
		return diag_set(diag, -EINVAL, "--parent needs --exclude-other");
	return 0;
}

/* Adds what follows from the options. */
static void flamegraph_settle(struct flamegraph_opts *o)
{
	struct profile_request *rq = &o->rq.profile;

	rq->path = input_path(rq->path);
	rq->verbose = o->verbosity.verbose;
	rq->of_socket = rq->socket >= 0;
	rq->callers_first = !o->rq.reverse;
	if (!rq->max_stack)
		rq->max_stack = SIZE_MAX;
	o->look.quiet = o->verbosity.quiet;
}

/* Finds the input. The file may be named without -i. */
static int find_input(const struct invocation *inv, struct flamegraph_opts *o, struct diag *diag)
{
	if (inv->argc > 1 || (inv->argc && o->rq.profile.path)) {
		diag_set(diag, -EINVAL, "one profile at a time: what is '%s' for?",
			 inv->argv[inv->argc - 1]);
		diag_hint(diag, "--diff compares two.");
		return -EINVAL;
	}
	if (inv->argc)
		o->rq.profile.path = inv->argv[0];
	return 0;
}

static int find_sides(const struct invocation *inv, const struct flamegraph_opts *o,
		      struct diff_inputs *ret, struct diag *diag)
{
	if (o->rq.profile.path)
		return diag_set(diag, -EINVAL, "--diff names what it compares without --input");
	return diff_inputs_find(inv->argc, inv->argv, ret, diag);
}

static int flamegraph_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(diff_inputs_done) struct diff_inputs sides = { 0 };
	struct flamegraph_opts *o = inv->opts;
	int r = o->diff ? find_sides(inv, o, &sides, &diag) : find_input(inv, o, &diag);

	if (r < 0 || flamegraph_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	heap_expect_much();
	flamegraph_settle(o);
	if (o->diff)
		o->rq.sides = &sides;
	return flamegraph_draw(inv, &o->rq, &o->look);
}

static void tools_flamegraph_done(void *opts)
{
	struct flamegraph_opts *o = opts;

	filter_request_done(&o->rq.profile.filter);
}

static const char *const usage[] = { "[<options>] [<file>|-]",
				     "--diff [<options>] <before> <after>", NULL };

const struct command cmd_flamegraph = {
	.name = "flamegraph",
	.summary = "draw the stacks of a profile",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct flamegraph_opts),
	.defaults = &defaults,
	.run = flamegraph_run,
	.done = tools_flamegraph_done,
};
