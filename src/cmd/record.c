/* SPDX-License-Identifier: MIT */
/* perf record: samples of a command, of processes or of the system, into a file. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/sampling-regs.h"
#include "cli/command.h"
#include "cmd/record-job.h"
#include "cmd/record-notes.h"
#include "cmd/record-opts.h"
#include "cmd/record-sampling.h"

/* What Linux's perf returns when it could not record at all. */
#define EXIT_NOT_RUN 255

#define NO_BPF_SOURCES "this version does not compile BPF sources"

static const struct option options[] = {
	OPT_SET(struct record_opts, target, target_options),
	OPT_FLAG(0, "per-thread", struct record_opts, target.per_thread,
		 "one buffer per thread; children are not followed"),
	OPT_CALL('i', "no-inherit", struct record_opts, no_inherit, NULL,
		 "only the process itself, not its children", .set = choice_set,
		 .flags = OPTION_NO_VALUE),

	OPT_SET(struct record_opts, events, event_options),
	OPT_CALL(0, "exclude-perf", struct record_opts, events, NULL,
		 "the -e before it, but not when perf itself causes it",
		 .set = event_words_set_exclude_perf,
		 .flags = OPTION_NO_VALUE | OPTION_NO_NEGATION),
	OPT_FLAG(0, "group", struct record_opts, group, "count the events of -e as one group"),
	OPT_FLAG(0, "all-user", struct record_opts, all_user, "all events in user space only"),
	OPT_FLAG(0, "all-kernel", struct record_opts, all_kernel, "all events in the kernel only"),
	OPT_NOTHING(0, "off-cpu", NULL, "also the time that tasks wait, by BPF",
		    "this version has no BPF programs; -e sched:sched_switch -g shows where tasks "
		    "begin to wait"),

	OPT_SET(struct record_opts, sampling, sampling_options),
	OPT_SET(struct record_opts, callgraph, callgraph_options),
	OPT_CALL(0, "unwind", struct record_opts, unwind, "now|later",
		 "unwind the stacks of dwarf while recording, or copy them into the file",
		 .set = record_unwind_set),
	OPT_SET(struct record_opts, sample, sample_options),
	OPT_SET(struct record_opts, branch, branch_options),
	OPT_SET(struct record_opts, control, control_options_with_ranges),
	OPT_SET(struct record_opts, output, output_options),
	OPT_SET(struct record_opts, buffer, buffer_options),
	OPT_SET(struct record_opts, sideband, sideband_options),

	OPT_HEADING("Hardware traces and BPF:"),
	OPT_STRING('S', "snapshot", struct record_opts, snapshot, "opts",
		   "keep a hardware trace only on SIGUSR2; e: at exit too", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "aux-sample", struct record_opts, aux_sample, "opts",
		   "a piece of the hardware trace with each sample", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_NOTHING(0, "clang-path", "path", "clang for BPF sources in -e", NO_BPF_SOURCES),
	OPT_NOTHING(0, "clang-opt", "options", "options for that clang", NO_BPF_SOURCES),
	OPT_NOTHING(0, "vmlinux", "file", "vmlinux with debug information, for BPF sources in -e",
		    NO_BPF_SOURCES),

	OPT_HEADING("Messages:"),
	OPT_SET(struct record_opts, verbosity, verbosity_options),
	OPT_FLAG(0, "dry-run", struct record_opts, dry_run, "check the options and end"),
	OPT_NOTHING('f', NULL, NULL, "overwrite perf.data: always so", NULL,
		    .flags = OPTION_HIDDEN),
	OPT_NOTHING('l', NULL, NULL, "scale counts: always so", NULL, .flags = OPTION_HIDDEN),
	OPT_END
};

/* What is understood, but not done by this version: saying so beats a recording without it. */
static int check_supported(const struct record_opts *o, struct diag *diag)
{
	if (o->snapshot || o->aux_sample) {
		diag_set(diag, -EOPNOTSUPP, "No AUX area event to sample");
		diag_hint(diag, "-S and --aux-sample go with hardware traces (intel_pt, arm_spe), "
				"which this version does not record.");
		return -EOPNOTSUPP;
	}
	if (o->output.kcore)
		return diag_set(diag, -EOPNOTSUPP, "--kcore is not in this version");
	return 0;
}

static int check(const struct record_opts *o, bool has_command, struct diag *diag)
{
	const char *path = o->output.path;

	if (o->all_user && o->all_kernel)
		return diag_set(diag, -EINVAL, "option `all-kernel' cannot be used with all-user");
	if (event_words_have(&o->events, EVENT_WORD_CGROUP) &&
	    !target_is_system(&o->target, has_command)) {
		diag_set(diag, -EINVAL, "cgroup monitoring only available in system-wide mode");
		diag_hint(diag, "Add -a: only the tasks of the cgroup are measured all the same.");
		return -EINVAL;
	}
	if (o->buffer.threads.kind != THREADS_ONE && path && !strcmp(path, "-"))
		return diag_set(diag, -EINVAL, "--threads writes a directory, not standard output");
	return sampling_opts_check(&o->sampling, diag);
}

static void warn(const struct invocation *inv, const char *sentence)
{
	const struct record_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (o->verbosity.quiet)
		return;
	diag_set(&d, 0, "%s", sentence);
	command_warn(inv, &d);
}

/* Draws the consequences that some options have for others. */
static void settle(const struct invocation *inv, struct record_opts *o)
{
	const char *overridden = target_settle(&o->target);

	if (overridden)
		warn(inv, overridden);
	if (o->callgraph.choice.mode == CALLGRAPH_LBR && o->branch.filter) {
		warn(inv,
		     "Cannot use LBR callstack with branch stack. Falling back to framepointers.");
		o->callgraph.choice.mode = CALLGRAPH_FP;
	}
	if (o->callgraph.kernel_only && o->callgraph.user_only)
		warn(inv, "--kernel-callchains and --user-callchains together leave no stacks");
	if (o->buffer.threads.kind != THREADS_ONE && o->output.rotate.kind != SWITCH_NEVER) {
		warn(inv, "--switch-output option is not available in parallel streaming mode.");
		o->output.rotate.kind = SWITCH_NEVER;
	}
	if (o->callgraph.choice.mode == CALLGRAPH_DWARF && o->sample.user_regs &&
	    *o->sample.user_regs)
		warn(inv,
		     "The use of --call-graph=dwarf may require all the user registers, "
		     "specifying a subset with --user-regs may render DWARF unwinding "
		     "unreliable, so the minimal registers set (IP, SP) is explicitly forced.");
	output_opts_settle(&o->output);
	o->sideband.tail_synthesize |= o->buffer.overwrite;
}

/* Whoever interrupted us shall see that we were: the shell stops its loop then. */
static void die_of(int signal_number)
{
	fflush(NULL);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/*
 * The signal that we end by, as the shell's loop around us should end too; or 0. A workload that we
 * ended ourselves, as we were told, has not failed.
 */
static int fatal_signal(const struct record_job *j)
{
	const struct record_loop *l = &j->loop;

	if (l->signal)
		return l->signal;
	return l->end == RECORD_END_WORKLOAD && WIFSIGNALED(l->wait_status)
		       ? WTERMSIG(l->wait_status)
		       : 0;
}

static int exit_status(const struct record_job *j)
{
	return j->loop.reaped && j->loop.end == RECORD_END_WORKLOAD
		       ? WEXITSTATUS(j->loop.wait_status)
		       : EXIT_OK;
}

static int record(struct invocation *inv, const struct record_opts *o, struct diag *diag)
{
	struct record_job j = { .inv = inv,
				.o = o,
				.diag = diag,
				.argv = inv->argv,
				.signals = SIGNALS_NONE,
				.workload = WORKLOAD_NONE,
				.trigger = RECORD_TRIGGER_NONE,
				.system = target_is_system(&o->target, inv->argc > 0) };
	int status = EXIT_OK, number = 0;
	int r = record_job_prepare(&j);

	if (r >= 0 && !o->dry_run) {
		r = record_job_run(&j);
		if (j.loop.data_bytes)
			record_notes_after(&j);
		status = exit_status(&j);
		number = fatal_signal(&j);
	}
	if (r < 0) {
		command_fail(inv, r, diag);
		status = j.planned ? EXIT_NOT_RUN : EXIT_USAGE;
	}
	record_job_done(&j);
	if (r >= 0 && number)
		die_of(number);
	return status;
}

/* The registers to list for --user-regs=? or --intr-regs=?, or 0 if neither was given. */
static uint64_t registers_asked_for(const struct sample_opts *o)
{
	if (o->user_regs && !strcmp(o->user_regs, "?"))
		return record_user_registers();
	if (o->intr_regs && !strcmp(o->intr_regs, "?"))
		return sampling_regs_all(arch_host());
	return 0;
}

static int run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct record_opts *o = inv->opts;

	uint64_t registers = registers_asked_for(&o->sample);

	if (registers) {
		record_notes_registers(registers, inv->err);
		return EXIT_USAGE;
	}
	settle(inv, o);
	if (record_unwind_config(inv->config, &o->unwind, &diag) < 0) {
		command_fail(inv, -EINVAL, &diag);
		return EXIT_USAGE;
	}
	if (check(o, inv->argc > 0, &diag) < 0)
		return command_usage(inv, &diag);
	if (check_supported(o, &diag) < 0) {
		command_fail(inv, -EOPNOTSUPP, &diag);
		return EXIT_NOT_RUN;
	}
	return record(inv, o, &diag);
}

static void done(void *opts)
{
	struct record_opts *o = opts;

	target_done(&o->target);
	event_words_done(&o->events);
	control_request_done(&o->control);
	buffer_opts_done(&o->buffer);
}

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
	.flags = COMMAND_WORKLOAD,
	.run = run,
	.done = done,
};
