/* SPDX-License-Identifier: MIT */
/* perf trace: shows system calls and other events, line by line, as they happen. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall/values.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/bpf-source.h"
#include "options/buffer.h"
#include "options/callgraph.h"
#include "options/control.h"
#include "options/input.h"
#include "options/target.h"
#include "options/value.h"
#include "tools/trace/opts.h"

#define STRING_DEFAULT 32
/* Errors of system calls are below this. */
#define ERRNO_END 4096
/* A longer line would be useless, and a BPF program does not copy more. */
#define STRING_MAX 4096

/* Sets -e, --expr, --filter and -G in their order, because each one depends on those before it. */
static int trace_word_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	const char *name = o->name ? o->name : "event"; /* trace.add_events has no name */
	enum event_word_kind kind = !strcmp(name, "filter")   ? EVENT_WORD_FILTER
				    : !strcmp(name, "cgroup") ? EVENT_WORD_CGROUP
							      : EVENT_WORD_EVENT;

	(void)negated;
	(void)diag;
	event_words_add(field, kind, value);
	return 0;
}

static bool trace_is_fault(const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, "maj") || !strcmp(word, "min");
}

static int faults_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	unsigned *faults = field;

	if (negated)
		*faults = 0;
	else if (!strcmp(value, "all"))
		*faults = TRACE_FAULTS_MAJOR | TRACE_FAULTS_MINOR;
	else if (trace_is_fault(value))
		*faults |= *value == 'm' && value[1] == 'a' ? TRACE_FAULTS_MAJOR
							    : TRACE_FAULTS_MINOR;
	else
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not one of all, maj and min", value);
	return 0;
}

/* Parses milliseconds with decimals, as perf has always done. */
static int ms_set(void *field, const struct option *o, const char *value, bool negated,
		  struct diag *diag)
{
	char *end = NULL;
	double ms = negated ? 0 : strtod(value, &end);

	if (!negated && (end == value || *end || !(ms >= 0) || ms > 1e12))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not a number of milliseconds", value);
	*(uint64_t *)field = (uint64_t)(ms * 1e6);
	return 0;
}

/* Parses seconds with decimals to a `uint64_t` of nanoseconds. */
static int seconds_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	char *end = NULL;
	double seconds = negated ? 0 : strtod(value, &end);

	if (!negated && (end == value || *end || !(seconds > 0) || seconds > 1e9))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not a number of seconds", value);
	*(uint64_t *)field = (uint64_t)(seconds * 1e9);
	return 0;
}

/* Parses an error, by name or number, to an `int`. */
static int errno_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	enum syscall_abi abi = syscall_abi_of(arch_host()->elf_machine, false);
	int error = negated ? 0 : atoi(value);

	for (int i = 1; i < ERRNO_END && !negated && !error; i++)
		if (errno_name(abi, i) && !strcmp(errno_name(abi, i), value))
			error = i;
	if (!negated && (error <= 0 || error >= ERRNO_END))
		return value_refuse(diag, o, value, 0, strlen(value), "'%s' is not an error",
				    value);
	*(int *)field = error;
	return 0;
}

static int mode_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	static const char *const names[] = { [TRACE_SUMMARY_THREAD] = "thread",
					     [TRACE_SUMMARY_TOTAL] = "total",
					     [TRACE_SUMMARY_CGROUP] = "cgroup" };
	enum trace_summary_mode *mode = field;

	if (negated) {
		*mode = TRACE_SUMMARY_THREAD;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], value)) {
			*mode = (enum trace_summary_mode)i;
			return 0;
		}
	return value_refuse(diag, o, value, 0, strlen(value),
			    "'%s' is not one of thread, total and cgroup", value);
}

/* Parses the bytes of buffers to a `uint32_t`. */
static int string_limit_set(void *field, const struct option *o, const char *value, bool negated,
			    struct diag *diag)
{
	char *end = NULL;
	unsigned long n = negated ? STRING_DEFAULT : strtoul(value, &end, 10);

	if (!negated && (end == value || *end || n > STRING_MAX))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is not a number of bytes up to %d", value, STRING_MAX);
	*(uint32_t *)field = (uint32_t)n;
	return 0;
}

static int beautifiers_set(void *field, const struct option *o, const char *value, bool negated,
			   struct diag *diag)
{
	bool is_format = !negated && !strcmp(value, "libtraceevent");

	if (!negated && !is_format && strcmp(value, "libbeauty") != 0)
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is neither libtraceevent nor libbeauty", value);
	*(bool *)field = is_format;
	return 0;
}

/* A row for the setters, which get the whole list through its first field. */
#define WORD(l, n, a, h)                                                                           \
	OPT_CALL(l, n, struct trace_opts, typed, a, h, .set = trace_word_set,                      \
		 .flags = OPTION_NO_NEGATION)

static const struct option options[] = {
	OPT_HEADING("Input:"),
	OPT_STRING('i', "input", struct trace_opts, rq.input, "file",
		   "a recording, in place of what happens now (- is standard input)",
		   .flags = OPTION_READS),
	OPT_FORCE(struct trace_opts, rq.force),

	OPT_SET(struct trace_opts, rq.what.target, target_options),
	OPT_CHOICE(0, "no-inherit", struct trace_opts, rq.what.no_inherit,
		   "only the process itself, not its children", .config = "trace.no_inherit"),
	OPT_CALL(0, "filter-pids", struct trace_opts, rq.left_out, "pids",
		 "leave out these processes: 12,34", .set = id_list_set),
	OPT_CALL('D', "delay", struct trace_opts, rq.what.control.delay, "ms",
		 "begin so many milliseconds after the command", .set = delay_set),

	OPT_HEADING("What to show:"),
	WORD('e', "event", "event",
	     "system calls, groups (%file, %network) and events: open*,sched:*; !list: all others"),
	WORD(0, "expr", "expr", "the same as -e"),
	WORD(0, "filter", "filter",
	     "condition on the -e before it: 'prev_pid > 0', 'filename ~ \"/etc/*\"'"),
	WORD('G', "cgroup", "name",
	     "only in this cgroup; behind a -e with events: only these events"),
	OPT_CHOICE(0, "syscalls", struct trace_opts, syscalls,
		   "system calls: unless -e names only other events"),
	OPT_CALL('F', "pf", struct trace_opts, rq.faults, "all|maj|min", "page faults",
		 .set = faults_set, .missing = "maj", .takes = trace_is_fault,
		 .flags = OPTION_OPTIONAL),
	OPT_CALL(0, "duration", struct trace_opts, duration_ns, "ms",
		 "only calls that took longer: 0.5", .set = ms_set),
	OPT_FLAG(0, "failure", struct trace_opts, rq.only_failures, "only calls that failed"),
	OPT_UINT(0, "slowest", struct trace_opts, slowest, "n",
		 "only the n slowest calls, at the end"),
	OPT_UINT(0, "max-events", struct trace_opts, rq.max_events, "n", "end after so many lines"),
	OPT_STRING(0, "switch-on", struct trace_opts, rq.switch_on, "event",
		   "show nothing before this event"),
	OPT_STRING(0, "switch-off", struct trace_opts, rq.switch_off, "event",
		   "show nothing after this event"),
	OPT_FLAG(0, "show-on-off-events", struct trace_opts, rq.shows_switches,
		 "with --switch-on and --switch-off, show those events too"),

	OPT_HEADING("Lines:"),
	OPT_STRING('o', "output", struct trace_opts, output, "file",
		   "write there, and not to standard error (- is standard output)",
		   .flags = OPTION_WRITES),
	OPT_FLAG(0, "json", struct trace_opts, line.is_json, "a JSON object on a line for each"),
	OPT_FLAG('T', "time", struct trace_opts, line.full_time,
		 "milliseconds since boot, and not since the first event"),
	OPT_CHOICE(0, "comm", struct trace_opts, comm, "the names of tasks (default: yes)"),
	OPT_FLAG(0, "show-cpu", struct trace_opts, line.shows_cpu, "the CPU of each line"),
	OPT_CALL(0, "max-string", struct trace_opts, rq.string_limit, "bytes",
		 "show so many bytes of buffers (default: 32)", .set = string_limit_set),
	OPT_FLAG(0, "force-btf", struct trace_opts, line.values.prefers_btf,
		 "structs as the kernel's BTF describes them"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_opts, line.prints_format,
		 "tracepoints by their own print format"),
	OPT_FLAG(0, "print-sample", struct trace_opts, print_sample,
		 "the samples that calls are made of; implies --no-bpf"),
	OPT_COUNT('v', "verbose", struct trace_opts, verbose, "show more of each call"),

	OPT_CHOICE(0, NULL, struct trace_opts, arg_names,
		   "the names of arguments; without them, also arguments that are 0",
		   .config = "trace.show_arg_names"),
	OPT_CHOICE(0, NULL, struct trace_opts, duration, "how long calls took",
		   .config = "trace.show_duration"),
	OPT_CHOICE(0, NULL, struct trace_opts, timestamp, "when calls began",
		   .config = "trace.show_timestamp"),
	OPT_FLAG(0, NULL, struct trace_opts, line.values.shows_prefix,
		 "names with their prefixes: O_RDONLY, MAP_SHARED", .config = "trace.show_prefix"),
	OPT_FLAG(0, NULL, struct trace_opts, line.values.shows_zeros, "arguments that are 0, too",
		 .config = "trace.show_zeros"),
	OPT_UINT(0, NULL, struct trace_opts, alignment, "columns",
		 "the column of results: 70; 0: right after the call",
		 .config = "trace.args_alignment"),
	OPT_CALL(0, NULL, struct trace_opts, line.prints_format, "how",
		 "libtraceevent: tracepoints by their own print format; libbeauty: like calls",
		 .set = beautifiers_set, .config = "trace.tracepoint_beautifiers"),
	OPT_CALL(0, NULL, struct trace_opts, typed, "events", "events to show besides those of -e",
		 .set = trace_word_set, .flags = OPTION_NO_NEGATION, .config = "trace.add_events"),

	OPT_HEADING("Stacks:"),
	OPT_CALL(0, "call-graph", struct trace_opts, rq.what.sampling.callgraph.choice,
		 "record_mode[,record_size]",
		 "with stacks: fp[,depth], dwarf[,bytes], lbr or bpf[,bytes]",
		 .set = callgraph_set_live),
	OPT_SET(struct trace_opts, rq.what.sampling.callgraph, callgraph_interpreters_options),
	OPT_FLAG(0, "kernel-syscall-graph", struct trace_opts, rq.kernel_stacks,
		 "the kernel's part of the stacks of calls, too"),
	OPT_UINT(0, "max-stack", struct trace_opts, max_stack, "n",
		 "show so many frames; implies --call-graph dwarf"),
	OPT_UINT(0, "min-stack", struct trace_opts, min_stack, "n",
		 "show only stacks of so many frames; implies --call-graph dwarf"),

	OPT_HEADING("Flight recorder:"),
	OPT_CALL(0, "ring", struct trace_opts, rq.ring.ns, "seconds",
		 "keep the last seconds in the kernel; show them at the end, or on SIGUSR2",
		 .set = seconds_set),
	OPT_CALL(0, "ring-errno", struct trace_opts, rq.ring.trigger_error, "errno",
		 "show them when a call fails so: EIO", .set = errno_set),
	OPT_CALL(0, "ring-duration", struct trace_opts, rq.ring.trigger_duration_ns, "ms",
		 "show them when a call takes so long", .set = ms_set),

	OPT_HEADING("Summaries:"),
	OPT_FLAG('s', "summary", struct trace_opts, only_summary,
		 "only a table of calls with their times"),
	OPT_UINT('I', "interval", struct trace_opts, interval_ms, "ms",
		 "with -s, show what was counted so far every so many milliseconds"),
	OPT_FLAG('S', "with-summary", struct trace_opts, with_summary,
		 "the lines, and such a table at the end"),
	OPT_FLAG(0, "errno-summary", struct trace_opts, summary.shows_errnos,
		 "which errors each call returned; implies -s"),
	OPT_CALL(0, "summary-mode", struct trace_opts, summary_mode, "mode",
		 "a table for each thread (default), each cgroup, or in total", .set = mode_set),
	OPT_UINT(0, "max-summary", struct trace_opts, max_summary, "n",
		 "at most so many rows of each table"),
	OPT_FLAG(0, "quantiles", struct trace_opts, summary.shows_quantiles,
		 "with a summary: the times that half and 99 % of the calls do not exceed"),
	OPT_FLAG(0, "histogram", struct trace_opts, summary.shows_rows,
		 "with a summary: how the times of each call spread"),
	OPT_CHOICE(0, "bpf-summary", struct trace_opts, bpf_summary,
		   "counted by BPF programs or not at all; --no-bpf-summary: call by call"),
	OPT_FLAG(0, "sched", struct trace_opts, rq.accrues_runtime,
		 "the time that each thread ran, in the summary"),

	OPT_HEADING("How to trace:"),
	OPT_CHOICE(0, "bpf", struct trace_opts, rq.bpf,
		   "watch calls by BPF programs or not at all; --no-bpf: by tracepoints"),
	OPT_FLAG(0, "tool_stats", struct trace_opts, tool_stats,
		 "at the end, how paths of descriptors were found out"),
	OPT_STRING(0, "map-dump", struct trace_opts, map_dump, "map",
		   "show a map of the BPF sources among the events"),
	OPT_CALL('m', "mmap-pages", struct trace_opts, rq.what.buffer.size, "pages",
		 "size of each ring buffer: pages, or with a unit 16M", .set = buffer_size_set),
	OPT_NOTHING(0, "sort-events", NULL, "in order of time: always so", NULL),
	OPT_NOTHING(0, "proc-map-timeout", "ms",
		    "give up on /proc/PID/maps after so many milliseconds",
		    "maps are always read to their end"),
	OPT_SET(struct trace_opts, rq.what.bpf_sources, bpf_source_variables),
	OPT_END
};

/* Requires BPF for cgroups: only BPF programs know the cgroup of a call. */
static int need_bpf_for_cgroups(struct trace_opts *o, struct diag *diag)
{
	if (o->rq.input)
		return diag_set(diag, -EINVAL,
				"recordings do not have the cgroups of system calls: "
				"--summary-mode=cgroup works live only");
	if (o->rq.bpf == CHOICE_NO)
		return diag_set(diag, -EINVAL, "--summary-mode=cgroup needs BPF");
	o->rq.bpf = CHOICE_YES;
	return 0;
}

static int check_ring(const struct trace_request *rq, struct diag *diag)
{
	const struct trace_recorder *ring = &rq->ring;

	if (!ring->ns && (ring->trigger_error || ring->trigger_duration_ns)) {
		diag_set(diag, -EINVAL, "--ring-errno and --ring-duration need --ring");
		diag_hint(diag, "--ring 10 keeps the last ten seconds.");
		return -EINVAL;
	}
	if (ring->ns &&
	    (rq->input || rq->faults || rq->bpf == CHOICE_NO || !rq->selection.takes_calls ||
	     event_words_have(&rq->selection.events, EVENT_WORD_EVENT) ||
	     rq->what.sampling.callgraph.choice.mode != CALLGRAPH_NONE))
		return diag_set(diag, -EINVAL,
				"--ring keeps system calls by BPF programs: it goes with no other "
				"events, no stacks and no recording");
	return 0;
}

/*
 * Rejects options for running programs together with a recording, because the choice was made when
 * recording.
 */
static int check_input(const struct trace_opts *o, bool has_command, struct diag *diag)
{
	const struct record_request *what = &o->rq.what;

	if (has_command)
		return diag_set(diag, -EINVAL, "-i shows a recording: there is nothing to run");
	if (what->target.user.given || what->control.delay.n || o->rq.left_out.n ||
	    what->no_inherit || o->rq.bpf == CHOICE_YES ||
	    event_words_have(&o->typed, EVENT_WORD_CGROUP))
		return diag_set(diag, -EINVAL,
				"-i shows what was recorded: it goes with -p, -t and -C, but not "
				"with -u, -G, -D, --filter-pids, --no-inherit and --bpf");
	return 0;
}

static int check_interval(const struct trace_opts *o, struct diag *diag)
{
	if (!o->interval_ms || (o->only_summary && !o->rq.input && !o->line.is_json))
		return 0;
	diag_set(diag, -EINVAL,
		 "-I shows tables while calls are counted: it goes with -s, and neither with -i "
		 "nor with JSON");
	return -EINVAL;
}

static int trace_check_events(const struct trace_opts *o, struct diag *diag)
{
	if (o->rq.selection.takes_calls || o->rq.faults ||
	    event_words_have(&o->rq.selection.events, EVENT_WORD_EVENT))
		return 0;
	diag_set(diag, -EINVAL, "there is nothing to trace");
	diag_hint(diag, "--no-syscalls goes with other events: -e sched:*, or -F.");
	return -EINVAL;
}

static int check_stacks(const struct trace_request *rq, struct diag *diag)
{
	if (rq->what.sampling.callgraph.choice.mode != CALLGRAPH_BPF || rq->bpf != CHOICE_NO)
		return 0;
	diag_set(diag, -EINVAL,
		 "--call-graph bpf unwinds in the programs that --no-bpf goes without");
	diag_hint(diag, "dwarf copies stacks and unwinds them outside of the kernel.");
	return -EINVAL;
}

static int trace_check(const struct trace_opts *o, bool has_command, struct diag *diag)
{
	int r = trace_check_events(o, diag);

	if (r >= 0 && o->rq.input)
		r = check_input(o, has_command, diag);
	if (r >= 0)
		r = check_interval(o, diag);
	if (r >= 0)
		r = check_stacks(&o->rq, diag);
	if (r < 0)
		return r;
	if (o->map_dump) {
		diag_set(diag, -EINVAL, "BPF map \"%s\" not found", o->map_dump);
		diag_hint(diag, "Maps belong to BPF programs in -e, which perf record and perf "
				"stat take, and "
				"perf trace does not.");
		return -EINVAL;
	}
	if (event_words_have(&o->typed, EVENT_WORD_CGROUP) &&
	    !target_is_system(&o->rq.what.target, has_command)) {
		diag_set(diag, -EINVAL, "cgroup monitoring only available in system-wide mode");
		diag_hint(diag, "Add -a: only the tasks of the cgroup are traced all the same.");
		return -EINVAL;
	}
	return check_ring(&o->rq, diag);
}

/* Applies the consequences that some options have for others. */
static int trace_settle(struct trace_opts *o, struct diag *diag)
{
	if (o->rq.ring.ns || o->bpf_summary == CHOICE_YES)
		o->rq.bpf = CHOICE_YES;
	if (o->print_sample && o->rq.bpf == CHOICE_UNSAID)
		o->rq.bpf = CHOICE_NO;
	/* A call whose duration decides whether it is shown is shown as a whole. */
	o->rq.whole_calls = o->line.is_json;
	o->rq.min_duration_ns = o->duration_ns || !o->slowest ? o->duration_ns : 1;
	o->only_summary |= (o->bpf_summary == CHOICE_YES || o->summary.shows_errnos ||
			    o->summary.shows_quantiles || o->summary.shows_rows) &&
			   !o->with_summary;
	return o->summary_mode == TRACE_SUMMARY_CGROUP ? need_bpf_for_cgroups(o, diag) : 0;
}

/* Translates the options to the request. */
static int trace_plan(struct trace_opts *o, bool has_command, struct diag *diag)
{
	struct callgraph_choice *stacks = &o->rq.what.sampling.callgraph.choice;
	int r = trace_select(&o->typed, o->syscalls, &o->rq.selection, diag);

	if ((o->max_stack || o->min_stack) && stacks->mode == CALLGRAPH_NONE)
		*stacks = (struct callgraph_choice){ .mode = CALLGRAPH_DWARF,
						     .stack_bytes = CALLGRAPH_STACK_DEFAULT };
	if (r >= 0)
		r = trace_check(o, has_command, diag);
	return r < 0 ? r : trace_settle(o, diag);
}

static int tools_trace_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct trace_opts *o = inv->opts;
	const char *overridden = target_settle(&o->rq.what.target);

	if (inv->argc && !strcmp(inv->argv[0], "record"))
		return trace_record(inv);
	if (overridden) {
		diag_set(&diag, 0, "%s", overridden);
		command_warn(inv, &diag);
	}
	o->rq.what.argv = inv->argv;
	return trace_plan(o, inv->argc > 0, &diag) < 0 ? command_usage(inv, &diag)
						       : trace_show(inv, &diag);
}

static void trace_done(void *opts)
{
	struct trace_opts *o = opts;

	event_words_done(&o->typed);
	trace_request_done(&o->rq);
}

static const char *const usage[] = {
	"[<options>] [<command>]",
	"[<options>] -- <command> [<options>]",
	"record [<options>] [<command>]",
	"record [<options>] -- <command> [<options>]",
	NULL,
};

static const struct trace_opts defaults = { .alignment = 70, .rq.string_limit = STRING_DEFAULT };

const struct command cmd_trace = {
	.name = "trace",
	.summary = "show system calls and other events as they happen",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct trace_opts),
	.defaults = &defaults,
	.flags = COMMAND_WORKLOAD,
	.run = tools_trace_run,
	.done = trace_done,
};
