/* SPDX-License-Identifier: MIT */
/*
 * perf hist: shows the distribution of the values of a tracepoint's field, or of the times between
 * two events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/notes.h"
#include "base/similar.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "measure/record.h"
#include "options/input.h"
#include "options/target.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "pairs/hist.h"
#include "pairs/pair-presets.h"
#include "tools/hist/histogram-view.h"

/* Longer than anybody waits, and far below any limit of the clock. */
#define SECONDS_MAX 1e9

struct opts {
	struct hist_request rq;
	const char *pair, *key;
	const char *buckets, *linear;
	uint64_t power, max;
	const char *unit;
	bool json;
	bool quiet;
	struct live_table table; /* shown at intervals */
};

static const struct {
	const char *name;
	uint64_t ns;
} units[] = { { "us", 1000 }, { "ns", 1 }, { "ms", 1000000 }, { "s", 1000000000 } };

static int hist_unit_set(void *field, const struct option *o, const char *value, bool negated,
			 struct diag *diag)
{
	(void)negated;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, value)) {
			*(const char **)field = units[i].name;
			return 0;
		}
	return value_refuse(diag, o, value, 0, strlen(value), "'%s' is not one of ns, us, ms and s",
			    value);
}

static const struct option options[] = {
	OPT_HEADING("Input:"),
	OPT_STRING('i', "input", struct opts, rq.input, "file",
		   "a recording, in place of what happens now (- is standard input)"),
	OPT_FORCE(struct opts, rq.force),

	OPT_SET(struct opts, rq.target, target_options),
	OPT_STRING('G', "cgroup", struct opts, rq.cgroup, "name", "only in this cgroup"),

	OPT_HEADING("What to count:"),
	OPT_STRING(0, "filter", struct opts, rq.filter, "filter",
		   "only events that meet this condition: 'prev_pid > 0'"),
	OPT_STRING(0, "pair", struct opts, pair, "begin,end", "the time from one event to another"),
	OPT_STRING(0, "key", struct opts, key, "field[,field...]",
		   "what makes a begin and an end belong together (default: tid)"),
	OPT_CALL(0, "unit", struct opts, unit, "unit", "of times: ns, us (the default), ms or s",
		 .set = hist_unit_set, .flags = OPTION_NO_NEGATION),
	OPT_CHOICE(0, "bpf", struct opts, rq.bpf,
		   "count by a BPF program or not at all; --no-bpf: in the other ways"),

	OPT_HEADING("Rows:"),
	OPT_UINT('P', "power", struct opts, power, "n", "powers of n (default: 4)"),
	OPT_UINT('m', "max", struct opts, max, "n",
		 "the last row begins here, or at the next power or step (default: 1048576)"),
	OPT_STRING(0, "linear", struct opts, linear, "step[,max]", "rows of equal size"),
	OPT_STRING('b', "buckets", struct opts, buckets, "list",
		   "rows that begin at these numbers: \"100 1000 10000\""),

	OPT_HEADING("Output:"),
	OPT_UINT('I', "interval", struct opts, rq.interval_ms, "ms",
		 "a table every so many milliseconds"),
	OPT_FLAG(0, "json", struct opts, json, "a JSON object on a line for each table"),
	OPT_FLAG('v', "verbose", struct opts, rq.verbose, "say how it is counted, and why so"),
	OPT_QUIET(struct opts, quiet),
	OPT_END
};

static int refuse_rows(const struct opts *o, struct diag *diag)
{
	if (!!o->buckets + !!o->linear + !!o->power > 1)
		return diag_set(diag, -EINVAL,
				"-b, --linear and -P are three ways to make rows: choose one");
	if (o->buckets && o->max)
		return diag_set(diag, -EINVAL,
				"-b says where the last row begins: what is -m for?");
	if (o->linear && strchr(o->linear, ',') && o->max)
		return diag_set(diag, -EINVAL, "the maximum is given twice, in --linear and in -m");
	if (o->power == 1 || o->power > INT64_MAX || o->max > INT64_MAX)
		return diag_set(diag, -EINVAL, "%s",
				o->power == 1 ? "powers of 1 are all 1: -P takes 2 or more"
					      : "rows end at 9223372036854775807");
	return 0;
}

static int hist_settle_rows(struct opts *o, struct diag *diag)
{
	struct histogram_scale *s = &o->rq.scale;
	int r = refuse_rows(o, diag);

	if (r < 0)
		return r;
	if (o->buckets)
		return histogram_scale_parse_bounds(s, o->buckets, diag);
	if (o->linear)
		r = histogram_scale_parse_steps(s, o->linear, diag);
	s->power = o->power;
	if (o->max)
		s->max = o->max;
	return r;
}

static int refuse_subject(const char *word, struct diag *diag)
{
	struct similar near = { .typed = word ? word : "" };
	_cleanup_(text_done) struct text names = TEXT_EMPTY;
	_cleanup_(freep) char *phrase = NULL;
	size_t n;
	const struct pair_preset *all = pair_presets(&n);

	for (size_t i = 0; i < n; i++) {
		similar_add(&near, all[i].name);
		text_addf(&names, "%s%s", i ? ", " : "", all[i].name);
	}
	phrase = similar_phrase(&near);
	if (word)
		diag_set(diag, -EINVAL, "'%s' is neither a tracepoint nor a known latency", word);
	else
		diag_set(diag, -EINVAL, "what is to be counted?");
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "A field of a tracepoint: perf hist net:net_dev_xmit len 10");
	diag_hint(diag, "Or a latency (%s): perf hist block 10", names.chars);
	return -EINVAL;
}

/* Takes the words that name what is counted. Returns their number. */
static int take_subject(struct opts *o, char **words, struct typed_pair *typed, struct diag *diag)
{
	int r;

	if (o->key && !o->pair)
		return diag_set(diag, -EINVAL, "--key needs --pair");
	if (o->pair) {
		r = typed_pair_parse(o->pair, o->key, typed, diag);
		o->rq.pairs = &typed->spec;
		return r;
	}
	o->rq.preset = words[0] ? pair_preset_find(words[0]) : NULL;
	if (o->rq.preset)
		return 1;
	if (!words[0] || !strchr(words[0], ':'))
		return refuse_subject(words[0], diag);
	o->rq.event = words[0];
	o->rq.field = words[1] ? words[1] : "";
	return words[1] ? 2 : 1;
}

/* Parses the duration in seconds, "10". False: a command begins here. */
static bool hist_take_seconds(const char *word, uint64_t *ret_ms)
{
	char *end;
	double seconds = word ? strtod(word, &end) : 0;

	if (!word || end == word || *end || !(seconds > 0) || seconds > SECONDS_MAX)
		return false;
	*ret_ms = seconds < 0.001 ? 1 : (uint64_t)(seconds * 1000);
	return true;
}

static int hist_check(const struct opts *o, struct diag *diag)
{
	const struct hist_request *rq = &o->rq;
	bool has_command = rq->argv && rq->argv[0];

	if (o->unit && rq->event)
		return diag_set(diag, -EINVAL,
				"--unit is for times: the field of an event has none");
	if (rq->cgroup && !rq->input && !target_is_system(&rq->target, has_command)) {
		diag_set(diag, -EINVAL, "-G counts on whole CPUs, not for single tasks");
		diag_hint(diag, "Give -a too, or leave the tasks out.");
		return -EINVAL;
	}
	if (rq->input && (has_command || rq->timeout_ms || rq->interval_ms || rq->filter ||
			  rq->cgroup || rq->bpf || rq->target.pids.n || rq->target.tids.n ||
			  rq->target.all_cpus || rq->target.cpus.n || rq->target.user.given))
		return diag_set(diag, -EINVAL,
				"a recording is counted as a whole: -i goes with no target, no "
				"filter, no time, no interval, no command and not with --bpf");
	return 0;
}

/* Translates options and words to the request. */
static int hist_settle(struct opts *o, char **words, struct typed_pair *typed, struct diag *diag)
{
	int n = take_subject(o, words, typed, diag), r = n < 0 ? n : hist_settle_rows(o, diag);

	if (r < 0)
		return r;
	words += n;
	words += hist_take_seconds(*words, &o->rq.timeout_ms);
	o->rq.argv = words;
	r = hist_check(o, diag);
	if (r < 0 || o->rq.event)
		return r;
	if (!o->unit)
		o->unit = units[0].name;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].name, o->unit))
			o->rq.unit_ns = units[i].ns;
	return 0;
}

/* Returns the names of the two events, or that of the preset. */
static const char *pairs_name(const struct opts *o)
{
	return o->rq.preset ? o->rq.preset->name : o->pair;
}

static void hist_add_duration(struct text *t, const struct hist_request *rq)
{
	if (rq->timeout_ms) {
		text_addf(t, ", for %g second%s...", (double)rq->timeout_ms / 1000,
			  rq->timeout_ms == 1000 ? "" : "s");
	} else if (rq->argv[0]) {
		text_add(t, ", while ");
		escape_terminal(t, rq->argv[0], strlen(rq->argv[0]));
		text_add(t, " runs...");
	} else {
		text_add(t, ", until Ctrl-C...");
	}
}

static void hist_on_begin(void *arg)
{
	const struct invocation *inv = arg;
	const struct opts *o = inv->opts;
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	if (o->json)
		return;
	text_addf(&line, "%s %s%s%s, ", o->rq.input ? "Counting" : "Tracing",
		  o->rq.event ? o->rq.event : pairs_name(o), o->rq.event ? "" : " in ",
		  o->rq.event ? "" : o->unit);
	histogram_describe(&o->rq.scale, &line);
	if (o->rq.input) {
		text_add(&line, ", of ");
		escape_terminal(&line, o->rq.input, strlen(o->rq.input));
	} else {
		hist_add_duration(&line, &o->rq);
	}
	fprintf(inv->out, "%s\n", line.chars);
	fflush(inv->out);
}

static void hist_on_table(void *arg, const struct histogram *h, uint64_t time_ns)
{
	const struct invocation *inv = arg;
	struct opts *o = inv->opts;
	const struct histogram_subject subject = { .event = o->rq.event,
						   .field = o->rq.field,
						   .pairs = o->rq.event ? NULL : pairs_name(o),
						   .unit = o->unit,
						   .time_ns = time_ns };

	if (o->json) {
		histogram_print_json(inv->out, h, &subject);
	} else if (!o->rq.interval_ms) {
		fputc('\n', inv->out);
		histogram_print(inv->out, h);
	} else if (!live_table_is_rest(&o->table, time_ns, o->rq.interval_ms)) {
		histogram_print(live_table_begin(&o->table, time_ns), h);
		live_table_end(&o->table);
	}
	fflush(inv->out);
}

static void hist_on_note(void *arg, const struct note *note)
{
	const struct invocation *inv = arg;
	const struct opts *o = inv->opts;

	if (!o->quiet || note->kind == NOTE_FAILURE || note->kind == NOTE_DETAIL)
		command_note(inv, note);
}

static int tools_hist_count(struct invocation *inv, struct diag *diag)
{
	struct opts *o = inv->opts;
	struct notes notes = { .listener = hist_on_note, .arg = inv };
	struct record_result result;
	int r;

	o->rq.progress = command_progress(inv, o->quiet, false);
	o->rq.listener = (struct hist_listener){ hist_on_begin, hist_on_table, inv };
	if (o->rq.interval_ms && !o->json)
		live_table_open(&o->table, inv, inv->out, o->rq.argv[0] != NULL);
	r = hist_run(&o->rq, &notes, &result, diag);
	live_table_close(&o->table, true);
	return r < 0 ? command_fail(inv, r, diag) : record_result_status(&result);
}

static int tools_hist_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opts *o = inv->opts;
	struct typed_pair typed = { 0 };
	const char *overridden = target_settle(&o->rq.target);
	int status;

	if (overridden && !o->quiet) {
		diag_set(&diag, 0, "%s", overridden);
		command_warn(inv, &diag);
	}
	status = hist_settle(o, inv->argv, &typed, &diag) < 0 ? command_usage(inv, &diag)
							      : tools_hist_count(inv, &diag);
	typed_pair_done(&typed);
	return status;
}

static void hist_done(void *opts)
{
	struct opts *o = opts;

	hist_request_done(&o->rq);
}

static const char *const usage[] = {
	"[<options>] <event> <field> [<seconds>] [-- <command>]",
	"[<options>] <latency> [<seconds>] [-- <command>]",
	"[<options>] --pair <begin>,<end> [--key <fields>] [<seconds>] [-- <command>]",
	NULL,
};

const struct command cmd_hist = {
	.name = "hist",
	.summary = "show the distribution of a tracepoint's field, or of latencies",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = tools_hist_run,
	.done = hist_done,
};
