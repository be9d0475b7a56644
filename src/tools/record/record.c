/* SPDX-License-Identifier: MIT */
/* perf record: writes samples of a command, of processes or of the system to a file. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/text.h"
#include "bpf/sample-filter.h"
#include "capture/sampling-regs.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "kernel/perf-event.h"
#include "measure/record-sampling.h"
#include "measure/record.h"
#include "options/bpf-source.h"
#include "options/branch.h"
#include "options/buffer.h"
#include "options/buildid-dir.h"
#include "options/callgraph.h"
#include "options/control.h"
#include "options/events.h"
#include "options/guest-settings.h"
#include "options/sampling.h"
#include "options/target.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "tools/record/output.h"
#include "tools/record/sample.h"
#include "tools/record/sideband.h"
#include "view/attr-text.h"

/* The exit status of Linux's perf when it could not record at all. */
#define EXIT_NOT_RUN 255

struct record_opts {
	struct record_request rq;
	struct verbosity_opts verbosity;
	const char *setup_filter;
};

static int unwind_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	enum record_unwind *unwind = field;

	if (negated || !strcmp(value, "later"))
		*unwind = RECORD_UNWIND_LATER;
	else if (!strcmp(value, "now"))
		*unwind = RECORD_UNWIND_NOW;
	else
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is neither now nor later", value);
	return 0;
}

static const struct option options[] = {
	OPT_SET(struct record_opts, rq.target, target_options),
	OPT_FLAG(0, "per-thread", struct record_opts, rq.target.per_thread,
		 "one buffer per thread; children are not followed"),
	OPT_NO_INHERIT(struct record_opts, rq.no_inherit),

	OPT_SET(struct record_opts, rq.events, event_options),
	OPT_CALL(0, "exclude-perf", struct record_opts, rq.events, NULL,
		 "the -e before it, but not when perf itself causes it",
		 .set = event_words_set_exclude_perf,
		 .flags = OPTION_NO_VALUE | OPTION_NO_NEGATION),
	OPT_FLAG(0, "group", struct record_opts, rq.group, "count the events of -e as one group"),
	OPT_ALL_USER(struct record_opts, rq.sampling.all_user),
	OPT_ALL_KERNEL(struct record_opts, rq.sampling.all_kernel),
	OPT_FLAG(0, "off-cpu", struct record_opts, rq.off_cpu.wanted,
		 "also the time that tasks are off the CPU, with stacks, by BPF"),
	OPT_UINT(0, "off-cpu-thresh", struct record_opts, rq.off_cpu.threshold_ms, "ms",
		 "time off the CPU that has a sample of its own (default: 500); shorter ones are "
		 "summed up"),

	OPT_SET(struct record_opts, rq.sampling, sampling_options),
	OPT_SET(struct record_opts, rq.sampling.callgraph, callgraph_options),
	OPT_CALL(0, "unwind", struct record_opts, rq.unwind, "now|later",
		 "unwind the stacks of dwarf while recording, or copy them into the file",
		 .set = unwind_set, .config = "record.unwind"),
	OPT_SET(struct record_opts, rq.sampling.sample, sample_options),
	OPT_SET(struct record_opts, rq.sampling, branch_options),
	OPT_SET(struct record_opts, rq.control, control_options_with_ranges),
	OPT_SET(struct record_opts, rq.output, output_options),
	OPT_SET(struct record_opts, rq.buffer, buffer_options),
	OPT_SET(struct record_opts, rq.sampling.sideband, sideband_options),

	OPT_HEADING("Hardware traces and BPF:"),
	OPT_STRING('S', "snapshot", struct record_opts, rq.aux.snapshot, "opts",
		   "keep a hardware trace only on SIGUSR2; e: at exit too", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "aux-sample", struct record_opts, rq.aux.sample, "opts",
		   "a piece of the hardware trace with each sample", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "setup-filter", struct record_opts, setup_filter, "pin|unpin",
		   "let ordinary users filter samples by BPF, or no longer"),
	OPT_SET(struct record_opts, rq.bpf_sources, bpf_source_options),

	OPT_HEADING("Messages:"),
	OPT_SET(struct record_opts, verbosity, verbosity_options),
	OPT_FLAG(0, "dry-run", struct record_opts, rq.dry_run, "check the options and end"),
	OPT_NOTHING('f', NULL, NULL, "overwrite perf.data: always so", NULL,
		    .flags = OPTION_HIDDEN),
	OPT_NOTHING('l', NULL, NULL, "scale counts: always so", NULL, .flags = OPTION_HIDDEN),
	OPT_END
};

static int record_check(const struct record_opts *o, bool has_command, struct diag *diag)
{
	const char *path = o->rq.output.path;

	if (o->rq.sampling.all_user && o->rq.sampling.all_kernel)
		return diag_set(diag, -EINVAL, "option `all-kernel' cannot be used with all-user");
	if (event_words_have(&o->rq.events, EVENT_WORD_CGROUP) &&
	    !target_is_system(&o->rq.target, has_command)) {
		diag_set(diag, -EINVAL, "cgroup monitoring only available in system-wide mode");
		diag_hint(diag, "Add -a: only the tasks of the cgroup are measured all the same.");
		return -EINVAL;
	}
	if (o->rq.sampling.sideband.latency && target_is_system(&o->rq.target, has_command)) {
		diag_set(diag, -EINVAL,
			 "latency profiling is not supported with system-wide collection");
		diag_hint(diag, "How many threads of a program run at a time is counted: name a "
				"command, or processes with -p.");
		return -EINVAL;
	}
	if (o->rq.buffer.threads.kind != THREADS_ONE && path && !strcmp(path, "-"))
		return diag_set(diag, -EINVAL, "--threads writes a directory, not standard output");
	return sampling_options_check(&o->rq.sampling, diag);
}

/* Applies the consequences that some options have for others. */
static void record_settle(struct record_opts *o, struct notes *notes)
{
	const char *overridden = target_settle(&o->rq.target);

	if (overridden)
		notes_add(notes, NOTE_WARNING, "%s", overridden);
	if (o->rq.sampling.callgraph.choice.mode == CALLGRAPH_LBR && o->rq.sampling.branch_filter) {
		notes_add(notes, NOTE_WARNING,
			  "Cannot use LBR callstack with branch stack. Falling back to "
			  "framepointers.");
		o->rq.sampling.callgraph.choice.mode = CALLGRAPH_FP;
	}
	if (o->rq.sampling.sideband.latency)
		o->rq.sampling.sideband.switch_events = CHOICE_YES;
	if (o->rq.sampling.callgraph.kernel_only && o->rq.sampling.callgraph.user_only)
		notes_add(notes, NOTE_WARNING,
			  "--kernel-callchains and --user-callchains together leave no stacks");
	if (o->rq.buffer.threads.kind != THREADS_ONE && o->rq.output.rotate.kind != SWITCH_NEVER) {
		notes_add(notes, NOTE_WARNING,
			  "--switch-output option is not available in parallel streaming mode.");
		o->rq.output.rotate.kind = SWITCH_NEVER;
	}
	if (callgraph_copies(o->rq.sampling.callgraph.choice.mode) &&
	    o->rq.sampling.sample.user_regs && *o->rq.sampling.sample.user_regs)
		notes_add(
			notes, NOTE_WARNING,
			"The use of --call-graph=dwarf may require all the user registers, "
			"specifying a subset with --user-regs may render DWARF unwinding "
			"unreliable, so the minimal registers set (IP, SP) is explicitly forced.");
	/*
	 * The images of deferred stacks are known only when they are read, so all build-ids are
	 * recorded.
	 */
	o->rq.output.buildid_all |= o->rq.sampling.callgraph.choice.defer;
	output_options_settle(&o->rq.output);
	callgraph_settle(&o->rq.sampling.callgraph);
	o->rq.sampling.sideband.tail_synthesize |= o->rq.buffer.overwrite;
}

/*
 * Ends by the signal, so that the caller sees that we were interrupted: a shell then stops its
 * loop.
 */
static void record_die_of(int signal_number)
{
	fflush(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/*
 * Returns the signal by which we end, so that the shell's loop around us ends too; or 0. A workload
 * that we ended ourselves, on request, has not failed.
 */
static int fatal_signal(const struct record_result *r)
{
	if (r->signal)
		return r->signal;
	return r->end == LOOP_END_WORKLOAD && WIFSIGNALED(r->wait_status) ? WTERMSIG(r->wait_status)
									  : 0;
}

static void record_print_note(void *arg, const struct note *note)
{
	const struct invocation *inv = arg;
	const struct record_opts *o = inv->opts;

	/* Scripts expect a known set of lines. */
	if (note->kind == NOTE_REMARK && !terminal_is(inv->err))
		return;
	if (note->kind == NOTE_DETAIL || !o->verbosity.quiet)
		command_note(inv, note);
}

static void record_print_event(void *arg, const struct event *e, bool with_attr)
{
	const struct invocation *inv = arg;
	struct attr a = e->attr;

	fputs(e->name, command_err(inv));
	if (with_attr) {
		a.size = perf_event_attr_size(&a);
		fputs(": ", command_err(inv));
		attr_print(&a, command_err(inv));
	}
	fputc('\n', command_err(inv));
}

/* The minimum number of samples from which the share of shallow stacks is meaningful. */
#define STACKS_LEAST 100

/* True if most stacks of -g are cut off, as in programs without frame pointers. */
static bool lacks_frame_pointers(const struct invocation *inv, const struct stack_depths *d)
{
	const struct record_opts *o = inv->opts;

	return o->rq.sampling.callgraph.choice.mode == CALLGRAPH_FP && d->stacks >= STACKS_LEAST &&
	       d->shallow >= d->stacks - d->stacks / 4 && terminal_is(inv->err);
}

/*
 * Notes that stacks of -g that are as deep as the kernel permits have lost their outermost callers.
 */
static void note_cut_stacks(const struct invocation *inv, const struct record_result *result,
			    struct notes *notes)
{
	const struct record_opts *o = inv->opts;
	const struct stack_depths *d = &result->depths;
	struct diag diag = { 0 };

	if (o->rq.sampling.callgraph.choice.mode != CALLGRAPH_FP || !result->max_stack ||
	    d->deepest < result->max_stack)
		return;
	diag_set(&diag, 0,
		 "%" PRIu64 " of %" PRIu64 " stacks have %u frames, and may have more: the kernel "
		 "takes no more of a stack",
		 d->n_deepest, d->stacks, result->max_stack);
	diag_hint(&diag,
		  "sudo sysctl kernel.perf_event_max_stack=%u, when no event is open, "
		  "takes more.",
		  4 * result->max_stack);
	notes_take(notes, NOTE_WARNING, &diag);
}

static int tools_record(struct invocation *inv, struct notes *notes, struct diag *diag)
{
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct record_opts *o = inv->opts;
	struct record_result result;
	int r;

	o->rq.argv = inv->argv;
	o->rq.events.worlds = command_worlds(inv);
	o->rq.guests = command_guests(inv);
	o->rq.buildid_dir = dir;
	/* When files are switched, the command continues meanwhile and may print. */
	if (o->rq.output.rotate.kind == SWITCH_NEVER)
		o->rq.progress = command_progress(inv, o->verbosity.quiet, false);
	o->rq.verbose = o->verbosity.verbose;
	o->rq.on_list = record_print_event;
	o->rq.arg = inv;
	r = record_run(&o->rq, notes, &result, diag);
	if (r < 0) {
		command_fail(inv, r, diag);
		return result.planned ? EXIT_NOT_RUN : EXIT_USAGE;
	}
	if (lacks_frame_pointers(inv, &result.depths))
		notes_add(notes, NOTE_WARNING,
			  "most stacks have at most %d frames in user mode, as of programs without "
			  "frame pointers: --call-graph dwarf does without them",
			  SHALLOW_FRAMES);
	note_cut_stacks(inv, &result, notes);
	if (fatal_signal(&result))
		record_die_of(fatal_signal(&result));
	return record_result_status(&result);
}

/* Returns the registers to list for --user-regs=? or --intr-regs=?, or 0 if neither was given. */
static uint64_t registers_asked_for(const struct sample_request *rq)
{
	if (rq->user_regs && !strcmp(rq->user_regs, "?"))
		return record_user_registers();
	if (rq->intr_regs && !strcmp(rq->intr_regs, "?"))
		return sampling_regs_all(arch_host());
	return 0;
}

static void print_registers(uint64_t mask, FILE *out)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	sampling_regs_list(arch_host(), mask, &names);
	fprintf(out, "available registers: %s\n", names.chars);
}

static int setup_filter(struct invocation *inv, const char *action)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	if (!strcmp(action, "pin"))
		r = bpf_sample_filter_pin(&diag);
	else if (!strcmp(action, "unpin"))
		r = bpf_sample_filter_unpin(&diag);
	else {
		diag_set(&diag, -EINVAL, "--setup-filter takes pin or unpin, not '%s'", action);
		return command_usage(inv, &diag);
	}
	if (r < 0) {
		command_fail(inv, r, &diag);
		return EXIT_NOT_RUN;
	}
	return EXIT_OK;
}

/*
 * True if the command is sleep. `perf record sleep 10` is usually meant to record the whole system,
 * or a process that was not named, because sleep itself does nothing. Users are told, scripts are
 * not.
 */
static bool records_sleep(const struct invocation *inv)
{
	const struct record_opts *o = inv->opts;
	const char *slash = inv->argc ? strrchr(inv->argv[0], '/') : NULL;

	return inv->argc && !strcmp(slash ? slash + 1 : inv->argv[0], "sleep") && !o->rq.events.n &&
	       !o->rq.off_cpu.wanted && !o->rq.target.pids.n && !o->rq.target.tids.n &&
	       !o->rq.target.user.given && !target_is_system(&o->rq.target, true) &&
	       terminal_is(inv->err);
}

static int tools_record_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = { .listener = record_print_note, .arg = inv };
	struct record_opts *o = inv->opts;
	uint64_t registers = registers_asked_for(&o->rq.sampling.sample);

	if (registers) {
		print_registers(registers, command_err(inv));
		return EXIT_USAGE;
	}
	if (o->setup_filter)
		return setup_filter(inv, o->setup_filter);
	record_settle(o, &notes);
	if (record_check(o, inv->argc > 0, &diag) < 0)
		return command_usage(inv, &diag);
	if (records_sleep(inv))
		notes_add(&notes, NOTE_WARNING,
			  "only sleep itself is recorded, which does nothing: -a records the whole "
			  "system, -p PID a process");
	return tools_record(inv, &notes, &diag);
}

static void tools_record_done(void *opts)
{
	struct record_opts *o = opts;

	record_request_done(&o->rq);
}

static const struct record_opts defaults = {
	.rq.off_cpu.threshold_ms = OFF_CPU_THRESHOLD_MS,
};

static const char *const usage[] = {
	"[<options>] [<command>]",
	"[<options>] -- <command> [<options>]",
	NULL,
};

const struct command cmd_record = {
	.name = "record",
	.summary = "run a command and record its profile into perf.data",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct record_opts),
	.defaults = &defaults,
	.flags = COMMAND_WORKLOAD,
	.run = tools_record_run,
	.done = tools_record_done,
};
