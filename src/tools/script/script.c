/* SPDX-License-Identifier: MIT */
/* perf script: prints every event of a profile as text, or passes it to a script. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/exec-path.h"
#include "kernel/capabilities.h"
#include "tools/script/dlfilter.h"
#include "tools/script/folded.h"
#include "tools/script/named.h"
#include "tools/script/opts.h"
#include "tools/script/print.h"
#include "tools/script/python.h"
#include "tools/script/skeleton.h"

static int insn_trace_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	if (!negated && strcmp(value, "raw") && strcmp(value, "disasm"))
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is neither raw nor disasm", value);
	*(const char **)field = value;
	return 0;
}

/*
 * Sets -f. It meant -F before kernel 4.1, and now means force. A list of fields after it selects
 * the old meaning.
 */
static int old_fields_set(void *field, const struct option *o, const char *value, bool negated,
			  struct diag *diag)
{
	struct script_opts *opts = field;

	if (value)
		return field_opts_set(&opts->fields, o, value, negated, diag);
	opts->input.force = true;
	return 0;
}

static int folded_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	if (!negated && *value && strcmp(value, "kinds") != 0)
		return value_refuse(diag, o, value, 0, strlen(value), "'%s' is not kinds", value);
	*(enum script_folded *)field = negated  ? FOLDED_NO
				       : *value ? FOLDED_WITH_KINDS
						: FOLDED_PLAIN;
	return 0;
}

static int dlarg_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct script_dlargs *args = field;

	(void)o, (void)negated, (void)diag;
	*ARRAY_ADD(args) = (char *)value;
	return 0;
}

static const struct option options[] = {
	/* It stands in front of input_options, which has the -f that the help shows. */
	{ .kind = OPTION_CALL,
	  .letter = 'f',
	  .help = "fields, in the old spelling",
	  .set = old_fields_set,
	  .takes = field_list_is,
	  .flags = OPTION_OPTIONAL | OPTION_HIDDEN },
	OPT_SET(struct script_opts, input, input_options),
	OPT_FLAG(0, "dump-unsorted-raw-trace", struct script_opts, dump_unsorted,
		 "as -D, in the order of the file"),

	OPT_HEADING("What to print:"),
	OPT_CALL('F', "fields", struct script_opts, fields, "[type:]field,...",
		 "these fields; +field and -field change the usual ones", .set = field_opts_set),
	OPT_FLAG('G', "hide-call-graph", struct script_opts, hide_call_graph,
		 "leave out the stacks"),
	OPT_UINT(0, "max-stack", struct script_opts, max_stack, "n",
		 "show the innermost n frames of each stack only"),
	OPT_STRING(0, "stop-bt", struct script_opts, stop_bt, "symbol[,symbol...]",
		   "end stacks at these functions"),
	OPT_CHOICE(0, "merge-callchains", struct script_opts, merge_callchains,
		   "join stacks that the kernel took later with their samples (default: yes)"),
	OPT_FLAG(0, "ns", struct script_opts, ns, "print times with nine decimals"),
	OPT_FLAG(0, "reltime", struct script_opts, reltime, "print times since the first event"),
	OPT_FLAG(0, "deltatime", struct script_opts, deltatime,
		 "print times since the event before"),
	OPT_FLAG('L', "Latency", struct script_opts, latency,
		 "show whether interrupts and preemption were off"),
	OPT_FLAG(0, "show-kernel-path", struct script_opts, show_kernel_path,
		 "show the path of the kernel's image"),
	OPT_UINT(0, "max-blocks", struct script_opts, max_blocks, "n",
		 "with brstackinsn, the newest n blocks of code only"),
	OPT_FLAG(0, "per-event-dump", struct script_opts, per_event_dump,
		 "one file for each event: perf.data.EVENT.dump"),
	OPT_FLAG('d', "debug-mode", struct script_opts, debug_mode,
		 "check the order of samples, and report losses"),
	OPT_FLAG('v', "verbose", struct script_opts, verbose,
		 "with --list-dlfilters, all they say of themselves; of -F brcntr, names"),
	OPT_QUIET(struct script_opts, quiet),

	OPT_HEADING("Records beside the samples:"),
	OPT_FLAG(0, "show-task-events", struct script_opts, show_task,
		 "show starts, names and ends of tasks"),
	OPT_FLAG(0, "show-mmap-events", struct script_opts, show_mmap, "show mappings of files"),
	OPT_FLAG(0, "show-switch-events", struct script_opts, show_switch, "show context switches"),
	OPT_FLAG(0, "show-namespace-events", struct script_opts, show_namespace, "show namespaces"),
	OPT_FLAG(0, "show-cgroup-events", struct script_opts, show_cgroup, "show cgroups"),
	OPT_FLAG(0, "show-lost-events", struct script_opts, show_lost,
		 "show where records were lost"),
	OPT_FLAG(0, "show-round-events", struct script_opts, show_round,
		 "show where the recorder finished a round"),
	OPT_FLAG(0, "show-bpf-events", struct script_opts, show_bpf,
		 "show BPF programs and kernel symbols"),
	OPT_FLAG(0, "show-text-poke-events", struct script_opts, show_text_poke,
		 "show changes of the kernel's code"),

	OPT_SET(struct script_opts, filter, filter_options),
	OPT_DSOS(0, struct script_opts, filter.dsos),
	OPT_UINT(0, "addr-range", struct script_opts, addr_range, "n",
		 "with -S, so many bytes from the address"),

	OPT_SET(struct script_opts, symbols, symbol_options),

	OPT_HEADING("Stacks in the place of events:"),
	OPT_CALL(0, "folded", struct script_opts, folded, "kinds",
		 "one line for each distinct stack, with its count; kinds: _[k] behind kernel "
		 "functions",
		 .set = folded_set, .missing = "", .flags = OPTION_OPTIONAL),
	OPT_SET(struct script_opts, choice, flame_options),

	OPT_HEADING("Scripts:"),
	OPT_FLAG('l', "list", struct script_opts, list, "list the scripts that can be run by name"),
	OPT_STRING('s', "script", struct script_opts, script, "name",
		   "hand the events to this script: [lang:]file"),
	OPT_STRING('g', "gen-script", struct script_opts, gen_script, "lang",
		   "write perf-script.py as a beginning of your own"),
	OPT_FLAG('a', "all-cpus", struct script_opts, all_cpus,
		 "let a script by name measure the whole system, also with a command"),
	OPT_STRING(0, "dlfilter", struct script_opts, dlfilter, "file",
		   "a library that filters events"),
	OPT_CALL(0, "dlarg", struct script_opts, dlargs, "argument",
		 "an argument for it; may be repeated", .set = dlarg_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "list-dlfilters", struct script_opts, list_dlfilters, "list such libraries"),
	OPT_UNWIND_STYLE,
	OPT_ADDR2LINE,

	OPT_HEADING("Hardware traces and guests:"),
	OPT_CALL(0, "insn-trace", struct script_opts, insn_trace, "raw|disasm",
		 "show every instruction of the trace", .set = insn_trace_set, .missing = "raw",
		 .flags = OPTION_OPTIONAL),
	OPT_NOTHING(0, "xed", "...", "disassemble with xed", "perf disassembles code itself",
		    .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "call-trace", struct script_opts, call_trace, "...",
		   "show every call of the trace", .missing = "", .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "call-ret-trace", struct script_opts, call_ret_trace, "...",
		   "show every call and return of the trace", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_NOTHING(0, "graph-function", "symbol[,symbol...]",
		    "of these traces, only these functions and what they call", NO_TRACES),
	OPT_STRING(0, "guestmount", struct script_opts, symbols.guest_mount, "directory",
		   "where the root of each guest is mounted, by the guest's pid"),
	OPT_STRING(0, "guestvmlinux", struct script_opts, symbols.guest_vmlinux, "file",
		   "the guest's vmlinux"),
	OPT_STRING(0, "guestkallsyms", struct script_opts, symbols.guest_kallsyms, "file",
		   "a copy of the guest's /proc/kallsyms"),
	OPT_NOTHING(0, "guestmodules", "file", "a copy of the guest's /proc/modules",
		    "the profile tells where modules lie"),
	OPT_FLAG(0, "guest-code", struct script_opts, symbols.guest_code,
		 "the guest's code is in the hypervisor's process"),
	OPT_END
};

/* True if -F brcntr is given, which shows names with -v. */
static bool names_counters(const struct script_opts *o)
{
	for (size_t i = 0; i < o->fields.n; i++)
		if (o->fields.items[i].add & FIELD_BIT(BRCNTR))
			return true;
	return false;
}

/* True if user code runs inside this process. Listing libraries also runs their constructors. */
static bool runs_others_code(const struct script_opts *o)
{
	return o->script || o->dlfilter || o->list_dlfilters;
}

static int tools_script_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct script_opts *o = inv->opts;

	if (o->reltime && o->deltatime) {
		diag_set(&diag, -EINVAL, "--reltime and --deltatime are two clocks: choose one");
		return command_usage(inv, &diag);
	}
	if (o->dlargs.n && !o->dlfilter) {
		diag_set(&diag, -EINVAL, "--dlarg is an argument for the filter of --dlfilter");
		return command_usage(inv, &diag);
	}
	if (o->dlfilter && o->folded) {
		diag_set(&diag, -EINVAL, "--dlfilter and --folded cannot be used together");
		return command_usage(inv, &diag);
	}
	if (runs_others_code(o) && capabilities_drop() < 0)
		return command_failf(inv, "cannot give up the capabilities of this program: %s",
				     strerror(errno));
	if (o->list)
		return script_list_run(inv);
	if (o->script) {
		/* Scripts look for their modules there. */
		free(command_exec_path(inv));
		return script_python_run(inv);
	}
	if (o->gen_script)
		return script_skeleton_run(inv);
	if (o->list_dlfilters)
		return script_list_dlfilters_run(inv);
	if (inv->argc)
		return script_named_run(inv);
	if (o->folded)
		return script_folded_run(inv);
	if (o->choice.event || o->choice.weight || o->choice.has_roots || o->choice.off_cpu ||
	    o->choice.wall || o->choice.min_wait_ns || o->choice.max_wait_ns) {
		diag_set(&diag, -EINVAL,
			 "--event, --weight, --root, --off-cpu, --wall, --min-wait and --max-wait "
			 "need --folded");
		return command_usage(inv, &diag);
	}
	if (o->verbose && !o->quiet && !names_counters(o)) {
		diag_set(&diag, 0, "-v has no effect: there is nothing more to say");
		command_warn(inv, &diag);
	}
	return script_run(inv);
}

/* True if the output is drawn by a script itself. */
static bool script_browses(const struct invocation *inv)
{
	const struct script_opts *o = inv->opts;

	return o->script || inv->argc;
}

static void tools_script_done(void *opts)
{
	struct script_opts *o = opts;

	field_opts_done(&o->fields);
	filter_request_done(&o->filter);
	free(o->dlargs.items);
}

static const char *const usage[] = {
	"[<options>]",
	"[<options>] record <script> [<record-options>] <command>",
	"[<options>] report <script> [<script-args>]",
	"[<options>] <script> [<record-options>] <command>",
	NULL,
};

const struct command cmd_script = {
	.name = "script",
	.summary = "print the events of a profile, or hand them to a script",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct script_opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PAGED,
	.run = tools_script_run,
	.browses = script_browses,
	.done = tools_script_done,
};
