/* SPDX-License-Identifier: MIT */
/* perf inject: writes a recording anew, with additional data or in another form. */
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/itrace.h"
#include "options/symbols.h"
#include "session/reading.h"
#include "transform/inject.h"

struct opts {
	struct inject_request rq;
	const char *vm_time_correlation, *guest_data;
	unsigned verbose;
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct opts, rq.input, "file",
		   "profile to read (default: - is standard input)"),
	OPT_STRING('o', "output", struct opts, rq.output, "file",
		   "profile to write (default: - is standard output)"),
	OPT_FORCE(struct opts, rq.force),
	OPT_COUNT('v', "verbose", struct opts, verbose, "say what was added"),

	OPT_HEADING("Build-ids:"),
	OPT_FLAG('b', "build-ids", struct opts, rq.build_ids,
		 "add the build-ids of images that have samples"),
	OPT_FLAG(0, "buildid-all", struct opts, rq.buildid_all,
		 "add the build-ids of all images, without looking at samples"),
	OPT_FLAG('B', "mmap2-buildids", struct opts, rq.map_build_ids,
		 "put them into the records of maps, and leave out maps without samples"),
	OPT_FLAG(0, "mmap2-buildid-all", struct opts, rq.map_build_ids_all,
		 "put them into the records of all maps"),
	OPT_STRING(0, "known-build-ids", struct opts, rq.known_build_ids,
		   "buildid path[,buildid path...]",
		   "use these, whatever files have; file://name reads them from a file"),

	OPT_HEADING("Samples:"),
	OPT_FLAG('j', "jit", struct opts, rq.jit,
		 "make an ELF file of each function in jit-PID.dump files, and map it"),
	OPT_FLAG('s', "sched-stat", struct opts, rq.sched_stat,
		 "merge sched_switch and sched_stat: where tasks slept, and how long"),
	OPT_FLAG(0, "unwind", struct opts, rq.unwind,
		 "turn copied stacks (record --call-graph dwarf) into call chains"),
	OPT_FLAG(0, "convert-callchain", struct opts, rq.unwind, "the same as --unwind"),
	OPT_UNWIND_STYLE,
	OPT_FLAG(0, "aslr", struct opts, rq.new_addresses,
		 "move programs and the kernel to other addresses, which reveal nothing"),

	OPT_HEADING("Kernel:"),
	OPT_STRING('k', "vmlinux", struct opts, rq.symbols.vmlinux, "file",
		   "the kernel's file, whose build-id is taken"),
	OPT_STRING(0, "kallsyms", struct opts, rq.symbols.kallsyms, "file",
		   "accepted, as no symbols are needed"),
	OPT_FLAG(0, "ignore-vmlinux", struct opts, rq.ignore_vmlinux,
		 "accepted, as no symbols are needed"),

	OPT_HEADING("Hardware traces and guests:"),
	OPT_CALL(0, "itrace", struct opts, rq.itrace, "opts",
		 "decode hardware traces: samples take their place", .set = itrace_set,
		 .missing = "", .flags = OPTION_OPTIONAL),
	OPT_FLAG(0, "strip", struct opts, rq.strip,
		 "with --itrace, leave out all other samples, and context switches"),
	OPT_STRING(0, "vm-time-correlation", struct opts, vm_time_correlation, "opts",
		   "adjust the times in traces of guests", .missing = "", .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "guest-data", struct opts, guest_data, "path,pid[,offset[,scale]]",
		   "add the records of a guest's profile"),
	OPT_STRING(0, "guestmount", struct opts, rq.symbols.guest_mount, "directory",
		   "where the root of each guest is mounted, by the guest's pid"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

static int inject_refuse(const struct opts *o, const struct invocation *inv, struct diag *d)
{
	if (inv->argc)
		return diag_set(d, -EINVAL, "'%s' is too much: -i names the profile", inv->argv[0]);
	if (o->rq.strip && !o->rq.itrace.asked)
		return diag_set(d, -EINVAL, "--strip option requires --itrace option");
	if (o->rq.new_addresses && o->rq.jit)
		return diag_set(d, -EINVAL,
				"--aslr and -j cannot be used together: use one on the "
				"output of the other");
	if (o->rq.new_addresses && o->rq.itrace.asked)
		return diag_set(d, -EINVAL,
				"--aslr and --itrace cannot be used together: use one on "
				"the output of the other");
	if (o->vm_time_correlation)
		return diag_set(
			d, -EINVAL,
			"times in the traces of guests cannot be corrected in this version: "
			"that would change the bytes of Intel PT packets in place");
	if (o->guest_data)
		return diag_set(d, -EINVAL, "profiles of guests cannot be merged in this version");
	if (!o->rq.output && isatty(STDOUT_FILENO))
		return diag_set(d, -EINVAL, "-o is missing: a terminal cannot show a profile");
	if (!o->rq.input && isatty(STDIN_FILENO))
		return diag_set(d, -EINVAL, "-i is missing: a terminal has no profile");
	return 0;
}

static int tools_inject_run(struct invocation *inv)
{
	struct opts *o = inv->opts;
	_cleanup_(freep) char *dir = command_buildid_dir(inv);
	struct notes notes = command_notes(inv);
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = inject_refuse(o, inv, &d);

	if (r < 0)
		return command_usage(inv, &d);
	o->rq.buildid_dir = dir;
	o->rq.progress = command_progress(inv, false, false);
	o->rq.verbose = o->verbose;
	r = reading_check_files(&(struct reading_symbols){ .request = &o->rq.symbols }, &d);
	if (r >= 0)
		r = inject_run(&o->rq, &notes, &d);
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

const struct command cmd_inject = {
	.name = "inject",
	.summary = "rewrite a profile with more information in it",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = tools_inject_run,
};
