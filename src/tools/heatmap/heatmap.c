/* SPDX-License-Identifier: MIT */
/* perf heatmap: latencies and other values over time, as a picture. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/filter.h"
#include "options/input.h"
#include "options/time.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "pairs/pair-presets.h"
#include "tools/heatmap/opts.h"
#include "view/picture/palette.h"

#define NS_PER_US 1000

static const struct {
	const char *name;
	uint64_t ns;
} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", NS_PER_US }, { "ns", 1 } };

/* Returns the length of a unit in nanoseconds, or 0 if there is no such unit. */
static uint64_t unit_ns(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, name))
			return units[i].ns;
	return 0;
}

static int heatmap_unit_set(void *field, const struct option *o, const char *value, bool negated,
			    struct diag *diag)
{
	uint64_t ns = negated ? 0 : unit_ns(value);

	if (!negated && !ns)
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not a unit of time: s, ms, us or ns", value);
	*(uint64_t *)field = ns;
	return 0;
}

/* Parses a bound: a plain number, or a time if it has a unit. */
static int bound_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct heatmap_bound b = { 0 };
	char *end = NULL;
	uint64_t ns;

	if (!negated) {
		errno = 0;
		b.number = isdigit((unsigned char)*value) ? strtoull(value, &end, 10) : 0;
		ns = end && *end ? unit_ns(end) : 1;
		b.is_time = end && *end;
		if (!end || errno || !ns || !b.number ||
		    __builtin_mul_overflow(b.number, ns, &b.number)) {
			value_refuse(diag, o, value, 0, strlen(value),
				     "'%s' is not an end of the value axis", value);
			diag_hint(diag,
				  "Write a number above 0, for times with its unit: 50ms, 250us.");
			return -EINVAL;
		}
	}
	*(struct heatmap_bound *)field = b;
	return 0;
}

static int colours_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	if (!negated && !sequence_find(value))
		return value_refuse_colours(diag, o, value, sequence_name);
	*(const char **)field = negated ? NULL : value;
	return 0;
}

static const struct option options[] = {
	OPT_HEADING("Input and output:"),
	OPT_INPUT(struct heatmap_opts, input),
	OPT_FORCE(struct heatmap_opts, rq.force),
	OPT_STRING('o', "output", struct heatmap_opts, output, "file",
		   "write to this file (default: standard output); its ending tells the form",
		   .flags = OPTION_WRITES),
	OPT_FLAG(0, "svg", struct heatmap_opts, svg,
		 "a picture for browsers, also on a terminal (then to heatmap.svg)"),
	OPT_FLAG(0, "html", struct heatmap_opts, html,
		 "the page of perf report --html, with the picture alone"),
	OPT_FLAG(0, "stdio", struct heatmap_opts, stdio,
		 "text for terminals (the default if the output is one)"),
	OPT_FLAG(0, "json", struct heatmap_opts, json, "the counts as JSON"),
	OPT_QUIET(struct heatmap_opts, quiet),

	OPT_UINT('I', "interval", struct heatmap_opts, interval_ms, "ms",
		 "what happens now, as text: a column for every so many milliseconds, the last "
		 "ones"),

	OPT_HEADING("What is drawn:"),
	OPT_STRING(0, "pair", struct heatmap_opts, rq.pair, "begin,end",
		   "the time from one event to another"),
	OPT_STRING(0, "key", struct heatmap_opts, rq.key, "field[,field...]",
		   "fields that are equal in both (default: tid); begin=end if their names differ"),
	OPT_STRING(0, "field", struct heatmap_opts, rq.field, "field",
		   "a number of each record: a field of a tracepoint, period or weight"),
	OPT_FLAG(0, "samples", struct heatmap_opts, samples,
		 "where in its second each sample lies"),
	OPT_STRING('e', "event", struct heatmap_opts, rq.event, "event",
		   "with --field and --samples, only of this event"),
	OPT_CALL(0, "unitstime", struct heatmap_opts, rq.time_unit_ns, "unit",
		 "read lines of times and values, times in s, ms, us (the default) or ns",
		 .set = heatmap_unit_set),
	OPT_CALL(0, "unitslat", struct heatmap_opts, rq.value_unit_ns, "unit",
		 "the unit of the values of lines, and of --max and --min without one",
		 .set = heatmap_unit_set),

	OPT_HEADING("Which samples:"),
	OPT_CALL(0, "time", struct heatmap_opts, rq.filter.time, "from,to",
		 "only this span: 12.5,13 in seconds, or 10%/2, 0%-10%", .set = time_window_set),
	OPT_CPUS('C', struct heatmap_opts, rq.filter.cpus),
	OPT_PIDS(struct heatmap_opts, rq.filter.pids),
	OPT_TIDS(struct heatmap_opts, rq.filter.tids),
	OPT_COMMS('c', struct heatmap_opts, rq.filter.comms),

	OPT_HEADING("Axes:"),
	OPT_CALL(0, "max", struct heatmap_opts, rq.max, "value",
		 "end the value axis here: 50ms, 250us", .set = bound_set),
	OPT_CALL(0, "maxlat", struct heatmap_opts, rq.max, "value",
		 "the name of --max in trace2heatmap.pl", .set = bound_set, .flags = OPTION_HIDDEN),
	OPT_CALL(0, "min", struct heatmap_opts, rq.min, "value", "begin the value axis here",
		 .set = bound_set),
	OPT_CHOICE(0, "log", struct heatmap_opts, log,
		   "a logarithmic value axis (the default if most values lie near its lower end)"),
	OPT_CALL(0, "step", struct heatmap_opts, rq.step_ns, "time",
		 "the width of a column: 100ms, 1s", .set = duration_set),
	OPT_UINT(0, "columns", struct heatmap_opts, columns, "n", "at most this many columns"),
	OPT_UINT(0, "rows", struct heatmap_opts, rows, "n", "at most this many rows"),

	OPT_HEADING("Picture:"),
	OPT_STRING(0, "title", struct heatmap_opts, title, "text",
		   "the heading (default: what is measured)"),
	OPT_STRING(0, "subtitle", struct heatmap_opts, subtitle, "text",
		   "put this before the line below it"),
	OPT_CALL(0, "palette", struct heatmap_opts, colours, "name",
		 "the colours of cells: heat (the default), lake, red, blue, green or grey",
		 .set = colours_set),
	OPT_END
};

static bool heatmap_has_filter(const struct filter_request *f)
{
	return f->time.n || f->cpus.n || f->pids.n || f->tids.n || f->comms;
}

/* Determines what the word on the command line means, and which kind of picture was requested. */
static int heatmap_choose_kind(struct heatmap_opts *o, const char *word, struct diag *diag)
{
	const struct pair_preset *preset = word ? pair_preset_find(word) : NULL;
	bool is_text = (word && !preset) || o->rq.time_unit_ns;
	int n = (preset != NULL) + (o->rq.pair != NULL) + (o->rq.field != NULL) + o->samples +
		is_text;

	if (n > 1)
		return diag_set(diag, -EINVAL,
				"a preset, --pair, --field, --samples and lines of text are "
				"pictures of their own: choose one");
	if (preset) {
		o->rq.preset = preset->name;
		o->rq.kind = HEATMAP_PAIRS;
	} else if (o->rq.pair) {
		o->rq.kind = HEATMAP_PAIRS;
	} else if (o->rq.field) {
		o->rq.kind = HEATMAP_FIELD;
	} else if (o->samples || o->rq.event) {
		o->rq.kind = HEATMAP_SAMPLES;
	} else if (is_text) {
		o->rq.kind = HEATMAP_TEXT;
	}
	return 0;
}

static int heatmap_check(const struct heatmap_opts *o, struct diag *diag)
{
	if (o->svg + o->html + o->stdio + o->json > 1)
		return diag_set(diag, -EINVAL,
				"--svg, --html, --stdio and --json are forms: choose one");
	if (o->rq.key && !o->rq.pair)
		return diag_set(diag, -EINVAL, "--key requires --pair: presets have their key");
	if (o->rq.event && o->rq.kind != HEATMAP_FIELD && o->rq.kind != HEATMAP_SAMPLES)
		return diag_set(diag, -EINVAL, "--event goes with --field or --samples");
	if (o->rq.kind == HEATMAP_TEXT && (o->input || heatmap_has_filter(&o->rq.filter)))
		return diag_set(diag, -EINVAL,
				"lines of text have no threads and CPUs: -i and filters are for "
				"recordings");
	if (o->rows > HEAT_ROWS_MAX || o->columns > HEAT_COLUMNS_MAX)
		return diag_set(diag, -EINVAL, "at most %d columns and %d rows are drawn",
				HEAT_COLUMNS_MAX, HEAT_ROWS_MAX);
	return 0;
}

static int check_live(const struct heatmap_opts *o, struct diag *diag)
{
	if (o->svg || o->html || o->json || o->output || o->input || o->rq.step_ns ||
	    o->rq.filter.time.n || o->rq.filter.pids.n)
		return diag_set(
			diag, -EINVAL,
			"-I shows what happens now as text: it goes neither with -i, --time, "
			"--pid and --step nor with other forms and files");
	if (o->rq.kind == HEATMAP_AUTO || o->rq.kind == HEATMAP_TEXT ||
	    (o->rq.kind == HEATMAP_FIELD && !o->rq.event)) {
		diag_set(diag, -EINVAL, "what is to be drawn?");
		diag_hint(diag, "A latency: perf heatmap -I 1000 sched");
		diag_hint(diag, "Or a field: perf heatmap -I 1000 -e net:net_dev_xmit --field len");
		return -EINVAL;
	}
	return 0;
}

static void heatmap_settle(struct heatmap_opts *o, const char *word)
{
	if (o->rq.kind == HEATMAP_TEXT)
		o->rq.path = word ? word : "-";
	else
		o->rq.path = input_path(o->input);
	o->rq.scale = o->log == CHOICE_YES  ? HEAT_LOG
		      : o->log == CHOICE_NO ? HEAT_LINEAR
					    : HEAT_AUTO;
	if (!o->rq.time_unit_ns)
		o->rq.time_unit_ns = NS_PER_US;
	if (!o->rq.value_unit_ns)
		o->rq.value_unit_ns = NS_PER_US;
}

static int make_and_show(struct invocation *inv, struct diag *diag)
{
	struct heatmap_opts *o = inv->opts;
	_cleanup_(heatmap_done) struct heatmap h = { 0 };
	enum heatmap_form form = heatmap_form(inv, o);
	struct notes notes = command_notes(inv);
	_cleanup_(notes_done) struct notes unsaid = { 0 };
	int r;

	o->rq.progress = command_progress(inv, o->quiet, false);
	r = heatmap_make(&o->rq, &h, o->quiet ? &unsaid : &notes, diag);
	if (r >= 0)
		r = heatmap_show(inv, form, &h, diag);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, diag) : EXIT_OK;
}

/*
 * Runs perf heatmap -I. The arguments are the name of a latency, if the first word is one, and a
 * command.
 */
static int heatmap_run_live(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heatmap_opts *o = inv->opts;
	bool is_named = inv->argc && pair_preset_find(inv->argv[0]);
	const char *word = is_named ? inv->argv[0] : NULL;
	int r;

	if (heatmap_choose_kind(o, word, &diag) < 0 || heatmap_check(o, &diag) < 0 ||
	    check_live(o, &diag) < 0)
		return command_usage(inv, &diag);
	heatmap_settle(o, word);
	r = heatmap_show_live(inv, inv->argv + is_named, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : r;
}

static int heatmap_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct heatmap_opts *o = inv->opts;
	const char *word = inv->argc ? inv->argv[0] : NULL;

	if (o->interval_ms)
		return heatmap_run_live(inv);
	if (inv->argc > 1) {
		diag_set(&diag, -EINVAL, "one picture at a time: what is '%s' for?", inv->argv[1]);
		return command_usage(inv, &diag);
	}
	if (heatmap_choose_kind(o, word, &diag) < 0 || heatmap_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	heatmap_settle(o, word);
	return make_and_show(inv, &diag);
}

static void tools_heatmap_done(void *opts)
{
	struct heatmap_opts *o = opts;

	filter_request_done(&o->rq.filter);
}

static const char *const usage[] = { "[<options>]",
				     "[<options>] block|futex|syscall|sched|softirq|irq",
				     "[<options>] <file>|-",
				     "-I <ms> [<options>] [<latency>] [-- <command>]", NULL };

const struct command cmd_heatmap = {
	.name = "heatmap",
	.summary = "draw latencies and other values over time",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct heatmap_opts),
	.run = heatmap_run,
	.done = tools_heatmap_done,
};
