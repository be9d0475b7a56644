/* SPDX-License-Identifier: MIT */
/* perf record: samples of a command, of processes or of the system, into a file. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cmd/opt-branch.h"
#include "cmd/opt-buffer.h"
#include "cmd/opt-callgraph.h"
#include "cmd/opt-control.h"
#include "cmd/opt-events.h"
#include "cmd/opt-output.h"
#include "cmd/opt-sample.h"
#include "cmd/opt-sampling.h"
#include "cmd/opt-sideband.h"
#include "cmd/opt-target.h"
#include "cmd/opt-verbosity.h"
#include "event/env.h"

struct opts {
	struct target_opts target;
	struct event_opts events;
	struct sampling_opts sampling;
	struct callgraph_opts callgraph;
	struct sample_opts sample;
	struct branch_opts branch;
	struct control_opts control;
	struct output_opts output;
	struct buffer_opts buffer;
	struct sideband_opts sideband;
	struct verbosity_opts verbosity;
	enum choice no_inherit; /* unsaid: children inherit, but not those of -t */
	bool group;
	bool all_user;
	bool all_kernel;
	bool off_cpu;
	const char *snapshot;   /* "": by the defaults; NULL: no snapshots of hardware traces */
	const char *aux_sample; /* likewise */
	const char *clang_path;
	const char *clang_opt;
	const char *vmlinux;
	bool dry_run;
	bool old; /* switches that once meant something */
};

static const struct option options[] = {
	OPT_SET(struct opts, target, target_options),
	OPT_FLAG(0, "per-thread", struct opts, target.per_thread,
		 "one buffer per thread; children are not followed"),
	OPT_CALL('i', "no-inherit", struct opts, no_inherit, NULL,
		 "only the process itself, not its children", .set = choice_set,
		 .flags = OPTION_NO_VALUE),

	OPT_SET(struct opts, events, event_options),
	OPT_CALL(0, "exclude-perf", struct opts, events, NULL,
		 "the -e before it, but not when perf itself causes it",
		 .set = event_opts_set_exclude_perf, .flags = OPTION_NO_VALUE | OPTION_NO_NEGATION),
	OPT_FLAG(0, "group", struct opts, group, "count the events of -e as one group"),
	OPT_FLAG(0, "all-user", struct opts, all_user, "all events in user space only"),
	OPT_FLAG(0, "all-kernel", struct opts, all_kernel, "all events in the kernel only"),
	OPT_FLAG(0, "off-cpu", struct opts, off_cpu, "also the time that tasks wait, by BPF"),

	OPT_SET(struct opts, sampling, sampling_options),
	OPT_SET(struct opts, callgraph, callgraph_options),
	OPT_SET(struct opts, sample, sample_options),
	OPT_SET(struct opts, branch, branch_options),
	OPT_SET(struct opts, control, control_options_with_ranges),
	OPT_SET(struct opts, output, output_options),
	OPT_SET(struct opts, buffer, buffer_options),
	OPT_SET(struct opts, sideband, sideband_options),

	OPT_HEADING("Hardware traces and BPF:"),
	OPT_STRING('S', "snapshot", struct opts, snapshot, "opts",
		   "keep a hardware trace only on SIGUSR2; e: at exit too", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "aux-sample", struct opts, aux_sample, "opts",
		   "a piece of the hardware trace with each sample", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "clang-path", struct opts, clang_path, "path", "clang for BPF sources in -e"),
	OPT_STRING(0, "clang-opt", struct opts, clang_opt, "options", "options for that clang"),
	OPT_STRING(0, "vmlinux", struct opts, vmlinux, "file", "vmlinux with debug information"),

	OPT_HEADING("Messages:"),
	OPT_SET(struct opts, verbosity, verbosity_options),
	OPT_FLAG(0, "dry-run", struct opts, dry_run, "check the options and end"),
	OPT_FLAG('f', NULL, struct opts, old, "overwrite perf.data: always so",
		 .flags = OPTION_HIDDEN),
	OPT_FLAG('l', NULL, struct opts, old, "scale counts: always so", .flags = OPTION_HIDDEN),
	OPT_END
};

static int check(const struct opts *o, bool has_command, struct diag *diag)
{
	const char *path = o->output.path;

	if (o->all_user && o->all_kernel)
		return diag_set(diag, -EINVAL, "option `all-kernel' cannot be used with all-user");
	if (event_opts_have(&o->events, EVENT_OPT_CGROUP) &&
	    !target_opts_is_system(&o->target, has_command)) {
		diag_set(diag, -EINVAL, "cgroup monitoring only available in system-wide mode");
		diag_hint(diag, "Add -a: only the tasks of the cgroup are measured all the same.");
		return -EINVAL;
	}
	if (o->buffer.threads.kind != THREADS_ONE && o->buffer.aio)
		return diag_set(diag, -EINVAL, "--aio cannot be used with --threads");
	if (o->buffer.threads.kind != THREADS_ONE && path && !strcmp(path, "-"))
		return diag_set(diag, -EINVAL, "--threads writes a directory, not standard output");
	return sampling_opts_check(&o->sampling, diag);
}

static void warn(const struct invocation *inv, const char *sentence)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };

	if (o->verbosity.quiet)
		return;
	diag_set(&d, 0, "%s", sentence);
	command_warn(inv, &d);
}

/* Draws the consequences that some options have for others. */
static void settle(const struct invocation *inv, struct opts *o)
{
	const char *overridden = target_opts_settle(&o->target);

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
	output_opts_settle(&o->output);
	o->sideband.tail_synthesize |= o->buffer.overwrite;
}

static int run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct opts *o = inv->opts;

	settle(inv, o);
	if (check(o, inv->argc > 0, &diag) < 0)
		return command_usage(inv, &diag);

	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(event_list_done) struct event_list events = { 0 };
	int r = event_opts_resolve(&o->events, env, EVENT_USE_SAMPLING, &events, &diag);

	return r < 0 ? event_opts_refuse(inv, r, &diag) : EXIT_OK;
}

static void done(void *opts)
{
	struct opts *o = opts;

	target_opts_done(&o->target);
	event_opts_done(&o->events);
	control_opts_done(&o->control);
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
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_WORKLOAD | COMMAND_PENDING,
	.run = run,
	.done = done,
};
