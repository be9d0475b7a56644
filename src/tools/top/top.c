/* SPDX-License-Identifier: MIT */
/* perf top: shows what runs now. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/branch.h"
#include "options/buffer.h"
#include "options/buildid-dir.h"
#include "options/callgraph.h"
#include "options/events.h"
#include "options/filter.h"
#include "options/guest-settings.h"
#include "options/sampling.h"
#include "options/symbols.h"
#include "options/table.h"
#include "options/target.h"
#include "options/time.h"
#include "store/url.h"
#include "tools/top/opts.h"
#include "tools/top/store.h"

static const struct top_opts defaults = {
	.rq = { .browse.profile = { .max_stack = PROFILE_MAX_STACK,
				    .time_quantum_ns = 100 * 1000 * 1000 },
		.delay_ms = 2000 },
};

/* Parses seconds, which may have a fraction. */
static int delay_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	uint64_t *delay_ms = field;
	char *end;
	double seconds;

	if (negated) {
		*delay_ms = defaults.rq.delay_ms;
		return 0;
	}
	seconds = strtod(value, &end);
	if (end == value || *end || !(seconds >= 0 && seconds <= 1e6)) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a number of seconds",
			     value);
		diag_hint(diag, "Give seconds between two refreshes: 2, or 0.5.");
		return -EINVAL;
	}
	*delay_ms = (uint64_t)(seconds * 1000);
	if (*delay_ms < TOP_DELAY_LEAST_MS)
		*delay_ms = TOP_DELAY_LEAST_MS;
	return 0;
}

static int stacks_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct top_stacks *s = field;

	(void)value;
	return callgraph_set(&s->record, o, NULL, negated, diag);
}

static bool top_is_number(const char *word)
{
	return *word && strspn(word, "0123456789") == value_word(word);
}

/* Returns the length of the part of @value that describes the recording of stacks: "dwarf,4096". */
static size_t recording_part(const char *value)
{
	size_t n = value_word(value);
	bool copies = (n == 5 && !strncmp(value, "dwarf", n)) ||
		      (n == 3 && !strncmp(value, "bpf", n));

	if (!copies && !(n == 2 && !strncmp(value, "fp", n)) &&
	    !(n == 3 && !strncmp(value, "lbr", n)))
		return 0;
	if (copies && value[n] && top_is_number(value + n + 1))
		n += 1 + value_word(value + n + 1);
	return n;
}

/* Parses "record_mode[,record_size],print_type,threshold...". */
static int call_graph_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	struct top_stacks *s = field;
	size_t n = negated || !value ? 0 : recording_part(value), offset, length;
	_cleanup_(freep) char *recording = n ? xstrndup(value, n) : NULL;
	int r = callgraph_set(&s->record, o, recording, negated, diag);

	if (r < 0 || negated || !value)
		return r;
	n += value[n] == ',';
	s->layout.asked = true;
	if (!value[n] || calltree_parse(value + n, &s->layout, &offset, &length) >= 0)
		return 0;
	value_refuse(diag, o, value, n + offset, length, "'%.*s' says nothing about stacks",
		     (int)length, value + n + offset);
	diag_hint(diag, "First fp, dwarf[,bytes], bpf[,bytes] or lbr; then any of: "
			"graph|flat|fractal|folded|none, a "
			"percentage, a number of entries, caller|callee, function|address|srcline, "
			"branch, percent|period|count.");
	return -EINVAL;
}

/* Sets the limit for rows, which also applies to the branches of trees. */
static int top_percent_limit_set(void *field, const struct option *o, const char *value,
				 bool negated, struct diag *diag)
{
	struct top_opts *opts =
		(struct top_opts *)((char *)field -
				    offsetof(struct top_opts, rq.browse.tables.rows.percent_limit));
	int r = percent_set(&opts->rq.browse.tables.rows.percent_limit, o, value, negated, diag);

	if (r < 0)
		return r;
	opts->stacks.layout.threshold = opts->rq.browse.tables.rows.percent_limit;
	opts->stacks.layout.has_threshold = !negated;
	return 0;
}

static const struct option options[] = {
	OPT_SET(struct top_opts, rq.what.target, target_options),
	OPT_NO_INHERIT(struct top_opts, rq.what.no_inherit),

	OPT_SET(struct top_opts, rq.what.events, event_options),
	OPT_FLAG(0, "group", struct top_opts, rq.what.group, "count the events of -e as one group"),
	OPT_SET(struct top_opts, rq.what.sampling, sampling_options),
	OPT_SET(struct top_opts, rq.what.sampling, branch_options),
	OPT_FLAG(0, "branch-history", struct top_opts, branch_history,
		 "taken branches as part of the stacks"),

	OPT_HEADING("Refreshing:"),
	OPT_CALL('d', "delay", struct top_opts, rq.delay_ms, "seconds",
		 "time between two refreshes (default: 2)", .set = delay_set),
	OPT_FLAG('z', "zero", struct top_opts, rq.zeroes,
		 "show only what happened since the last refresh; otherwise the past fades"),

	OPT_HEADING("Form:"),
	OPT_FLAG(0, "stdio", struct top_opts, stdio, "plain text", .flags = OPTION_ONE_DASH),
	OPT_FLAG(0, "tui", struct top_opts, tui, "browse in the terminal (the default on one)",
		 .flags = OPTION_ONE_DASH),
	OPT_UINT('E', "entries", struct top_opts, entries, "n",
		 "at most so many rows of text (default: as many as fit, or 20)"),
	OPT_UINT('f', "count-filter", struct top_opts, min_samples, "n",
		 "only rows of text with at least so many samples"),
	OPT_STRING('w', "column-widths", struct top_opts, form.widths, "width[,width...]",
		   "fixed widths of the columns; 0 is as wide as needed"),
	OPT_FLAG(0, "full-names", struct top_opts, full_names,
		 "whole names of C++ and Rust functions on a terminal, too"),
	OPT_COUNT('v', "verbose", struct top_opts, rq.browse.profile.verbose,
		  "say more; -vv says still more"),

	OPT_HEADING("Rows and columns:"),
	OPT_STRING('s', "sort", struct top_opts, rq.browse.profile.plan.sort, "key[,key2...]",
		   "one row for each value of these: dso,symbol"),
	OPT_STRING(0, "fields", struct top_opts, rq.browse.profile.plan.fields, "key[,keys...]",
		   "columns to show; +key adds to the usual ones"),
	OPT_FLAG('n', "show-nr-samples", struct top_opts, rq.browse.profile.plan.nr_samples,
		 "a column with the number of samples"),
	OPT_FLAG(0, "show-total-period", struct top_opts, rq.browse.profile.plan.total_period,
		 "a column with the sum of the periods"),
	OPT_FLAG('H', "hierarchy", struct top_opts, rq.browse.profile.plan.hierarchy,
		 "rows within rows, one level per sort key"),
	OPT_UINT(0, "group-sort-idx", struct top_opts, rq.browse.tables.group_sort_idx, "n",
		 "sort a group's rows by its n-th event, from 0"),
	OPT_CALL(0, "percent-limit", struct top_opts, rq.browse.tables.rows.percent_limit,
		 "percent", "no rows and no branches below this share",
		 .set = top_percent_limit_set),
	OPT_PERCENTAGE(struct top_opts, percentage),
	OPT_FLAG(0, "raw-trace", struct top_opts, rq.browse.profile.raw_trace,
		 "fields of tracepoints as they are, not as text"),

	OPT_HEADING("Stacks:"),
	OPT_CALL('g', NULL, struct top_opts, stacks, NULL,
		 "record stacks by frame pointers, or as --call-graph says, and show them",
		 .set = stacks_set, .flags = OPTION_NO_VALUE),
	OPT_CALL(0, "call-graph", struct top_opts, stacks,
		 "record_mode[,record_size],print_type,threshold[,print_limit],order,sort_key[,"
		 "branch]",
		 "record stacks, and how to show them: fp,graph,0.5,caller,function,percent",
		 .set = call_graph_set, .config = "top.call-graph"),
	OPT_SET(struct top_opts, rq.what.sampling.callgraph, callgraph_common_options),
	OPT_CHOICE(0, "children", struct top_opts, children,
		   "count callees for their callers too (the default)", .config = "top.children"),
	OPT_UINT(0, "max-stack", struct top_opts, rq.browse.profile.max_stack, "n",
		 "look at the innermost n frames of each stack only"),
	OPT_CALL(0, "ignore-callees", struct top_opts, rq.browse.profile.ignore_callees, "regex",
		 "cut stacks below the functions that match", .set = regex_set),

	OPT_HEADING("Which samples:"),
	OPT_FLAG('K', "hide_kernel_symbols", struct top_opts, rq.hidden.kernel,
		 "leave out samples of the kernel"),
	OPT_FLAG('U', "hide_user_symbols", struct top_opts, rq.hidden.user,
		 "leave out samples of user space"),
	OPT_FLAG(0, "hide-self", struct top_opts, rq.hidden.self,
		 "leave out samples of perf itself"),
	OPT_COMMS(0, struct top_opts, rq.browse.profile.filter.comms),
	OPT_DSOS(0, struct top_opts, rq.browse.profile.filter.dsos),
	OPT_STRING(0, "symbols", struct top_opts, rq.browse.profile.filter.symbols,
		   "symbol[,symbol...]", "only in these functions"),
	OPT_STRING(0, "symbol-filter", struct top_opts, rq.browse.tables.rows.symbol_part, "filter",
		   "only functions whose name contains this"),
	OPT_STRING(0, "switch-on", struct top_opts, rq.browse.profile.filter.switch_on, "event",
		   "only after this event has happened"),
	OPT_STRING(0, "switch-off", struct top_opts, rq.browse.profile.filter.switch_off, "event",
		   "only until this event happens"),
	OPT_FLAG(0, "show-on-off-events", struct top_opts,
		 rq.browse.profile.filter.show_on_off_events,
		 "with --switch-on and --switch-off, show those events too"),

	OPT_HEADING("Records beside the samples, and buffers:"),
	OPT_FLAG(0, "namespaces", struct top_opts, rq.what.sampling.sideband.namespaces,
		 "record the namespaces of processes, for the key cgroup_id"),
	OPT_FLAG(0, "all-cgroups", struct top_opts, rq.what.sampling.sideband.all_cgroups,
		 "record cgroups and their names, for the key cgroup"),
	OPT_FLAG(0, "no-bpf-event", struct top_opts, rq.what.sampling.sideband.no_bpf_event,
		 "leave out the BPF programs that come and go"),
	OPT_CALL('m', "mmap-pages", struct top_opts, rq.what.buffer.size, "pages[,pages]",
		 "size of each CPU's buffer, in pages or as 512K", .set = buffer_size_set),
	OPT_INT('r', "realtime", struct top_opts, rq.what.buffer.realtime, "n",
		"take events with this real-time priority"),
	OPT_NOTHING(0, "overwrite", NULL, "let new events replace those not yet read",
		    "old events are read first, and the title says what was lost"),
	OPT_NOTHING(0, "num-thread-synthesize", "n", "read /proc with n threads",
		    "one thread reads it"),
	OPT_NOTHING(0, "proc-map-timeout", "ms",
		    "give up on /proc/PID/maps after so many milliseconds",
		    "maps are always read to their end"),

	OPT_HEADING("Symbols and code:"),
	OPT_STRING('k', "vmlinux", struct top_opts, rq.browse.profile.symbols.vmlinux, "file",
		   "take kernel symbols from this vmlinux"),
	OPT_STRING(0, "kallsyms", struct top_opts, rq.browse.profile.symbols.kallsyms, "file",
		   "take kernel symbols from this copy of /proc/kallsyms"),
	OPT_FLAG(0, "ignore-vmlinux", struct top_opts, rq.browse.profile.ignore_vmlinux,
		 "kernel symbols from kallsyms even if there is a vmlinux"),
	OPT_CHOICE(0, "demangle", struct top_opts, rq.browse.profile.symbols.demangle,
		   "C++, Rust and D names as in the source (the default)"),
	OPT_CHOICE(0, "demangle-kernel", struct top_opts, rq.browse.profile.symbols.demangle_kernel,
		   "also demangle names of the kernel"),
	OPT_FLAG(0, "stitch-lbr", struct top_opts, rq.browse.profile.symbols.stitch_lbr,
		 "join LBR stacks that overlap into longer ones"),
	OPT_FLAG(0, "force", struct top_opts, rq.browse.profile.force,
		 "symbol files of other owners too"),
	OPT_NOTHING('D', "dump-symtab", NULL, "dump the symbol table",
		    "perf probe -F lists functions"),
	OPT_STRING(0, "sym-annotate", struct top_opts, sym_annotate, "symbol",
		   "as text, show the code of this function"),
	OPT_CHOICE(0, "source", struct top_opts, annotate.source,
		   "source lines between the instructions (the default)"),
	OPT_CHOICE(0, "asm-raw", struct top_opts, annotate.asm_raw,
		   "the bytes of the instructions"),
	OPT_STRING('M', "disassembler-style", struct top_opts, annotate.style, "style",
		   "syntax of the assembly: intel"),
	OPT_STRING(0, "prefix", struct top_opts, annotate.prefix, "prefix",
		   "put this before the paths of source files"),
	OPT_UINT(0, "prefix-strip", struct top_opts, annotate.prefix_strip, "N",
		 "with --prefix, first drop N directories of the path"),
	OPT_OBJDUMP,
	OPT_ADDR2LINE,
	OPT_END
};

static int top_check(const struct top_opts *o, struct diag *diag)
{
	if (o->stdio && o->tui)
		return diag_set(diag, -EINVAL, "--tui is a browser, --stdio is text: which one?");
	if (o->annotate.prefix_strip && !o->annotate.prefix)
		return diag_set(diag, -EINVAL, "--prefix-strip requires --prefix");
	if (event_words_have(&o->rq.what.events, EVENT_WORD_CGROUP) &&
	    !target_is_system(&o->rq.what.target, false))
		return diag_set(diag, -EINVAL,
				"cgroup monitoring only available in system-wide mode");
	return sampling_options_check(&o->rq.what.sampling, diag);
}

static void top_print_notes(const struct invocation *inv, struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		command_note(inv, &notes->items[i]);
	notes_done(notes);
	*notes = (struct notes){ 0 };
}

/*
 * Ends the command. SIGINT is the normal end; for another signal, the process ends by that signal.
 */
static int end_by(int signal_number)
{
	if (!signal_number || signal_number == SIGINT)
		return EXIT_OK;
	fflush(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return EXIT_FAILED;
}

static int top_show(struct invocation *inv, struct top *t, const struct top_request *rq,
		    struct notes *notes, struct diag *diag)
{
	int r, failure;

	r = top_browses(inv) ? top_show_browser(inv, t, rq, diag) : top_show_text(inv, t, rq);
	failure = r < 0 ? 0 : browse_failure(top_browse(t), diag);

	top_end(t, notes);
	browse_free(top_browse(t));
	top_print_notes(inv, notes);
	if (failure < 0)
		return command_fail(inv, failure, diag);
	/* The reader of the output has gone, which counts as a normal end. */
	if (r == -EPIPE)
		return EXIT_OK;
	if (r == -EIO)
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, diag) : end_by(r);
}

static int top_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct top_opts *o = inv->opts;
	struct notes notes = { 0 };
	struct top_request rq;
	struct top *t;
	bool planned;
	const char *overridden;
	int r;

	command_guest_symbols(inv, &o->rq.browse.profile.symbols);
	command_guest_filter(inv, &o->rq.browse.profile.filter);
	if (inv->argc == 1 && fleet_is_url(inv->argv[0]))
		return top_show_store(inv, inv->argv[0]);
	if (inv->argc) {
		diag_set(&diag, -EINVAL, "perf top runs no command: what is '%s' for?",
			 inv->argv[0]);
		return command_usage(inv, &diag);
	}
	overridden = target_settle(&o->rq.what.target);
	if (overridden)
		notes_add(&notes, NOTE_WARNING, "%s", overridden);
	if (top_check(o, &diag) < 0)
		return command_usage(inv, &diag);
	rq = top_request_of(o, dir);
	r = top_open(&rq, &notes, &t, &planned, &diag);
	top_print_notes(inv, &notes);
	if ((r == -EACCES || r == -EPERM) && target_is_system(&o->rq.what.target, false))
		diag_hint(&diag, "processes of your own can be measured without that: perf top -u "
				 "$USER, or -p PID");
	if (r < 0)
		return planned ? command_fail(inv, r, &diag) : command_usage(inv, &diag);
	return top_show(inv, t, &rq, &notes, &diag);
}

static void top_done(void *opts)
{
	struct top_opts *o = opts;

	record_request_done(&o->rq.what);
	filter_request_done(&o->rq.browse.profile.filter);
}

static const char *const usage[] = { "[<options>]",
				     "-i <URL of a store> [-d <seconds>] [-s <keys>]", NULL };

const struct command cmd_top = {
	.name = "top",
	.summary = "show what runs now",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct top_opts),
	.defaults = &defaults,
	.run = top_run,
	.browses = top_browses,
	.done = top_done,
};
