/* SPDX-License-Identifier: MIT */
/* perf inject: a recording written anew, with more in it, or the same in another form. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cmd/buildid-dir.h"
#include "cmd/opt/input.h"
#include "cmd/opt/symbols.h"
#include "datafile/writer.h"
#include "job/reading.h"
#include "session/session.h"
#include "session/stack-unwind.h"
#include "symbol/symbolizer.h"
#include "transform/build-id-marks.h"
#include "transform/jit-images.h"
#include "transform/known-build-ids.h"
#include "transform/output.h"
#include "transform/rewrite.h"
#include "transform/sleep-times.h"
#include "transform/transform.h"
#include "transform/unwind-stacks.h"

struct opts {
	const char *input, *output;
	bool build_ids, buildid_all, sched_stat, jit, unwind, force, strip, ignore_vmlinux;
	const char *known_build_ids, *vmlinux, *kallsyms;
	const char *itrace, *vm_time_correlation, *guest_data, *guest_mount;
	unsigned verbose;
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct opts, input, "file",
		   "profile to read (default: - is standard input)"),
	OPT_STRING('o', "output", struct opts, output, "file",
		   "profile to write (default: - is standard output)"),
	OPT_FORCE(struct opts, force),
	OPT_COUNT('v', "verbose", struct opts, verbose, "tell what was added"),

	OPT_HEADING("Build-ids:"),
	OPT_FLAG('b', "build-ids", struct opts, build_ids,
		 "add the build-ids of images that have samples"),
	OPT_FLAG(0, "buildid-all", struct opts, buildid_all,
		 "add the build-ids of all images, without looking at samples"),
	OPT_STRING(0, "known-build-ids", struct opts, known_build_ids,
		   "buildid path[,buildid path...]",
		   "use these, whatever files have; file://name reads them from a file"),

	OPT_HEADING("Samples:"),
	OPT_FLAG('j', "jit", struct opts, jit,
		 "make an ELF file of each function in jit-PID.dump files, and map it"),
	OPT_FLAG('s', "sched-stat", struct opts, sched_stat,
		 "merge sched_switch and sched_stat: where tasks slept, and how long"),
	OPT_FLAG(0, "unwind", struct opts, unwind,
		 "turn copied stacks (record --call-graph dwarf) into call chains"),

	OPT_HEADING("Kernel:"),
	OPT_STRING('k', "vmlinux", struct opts, vmlinux, "file",
		   "the kernel's file, whose build-id is taken"),
	OPT_STRING(0, "kallsyms", struct opts, kallsyms, "file",
		   "accepted, as no symbols are needed"),
	OPT_FLAG(0, "ignore-vmlinux", struct opts, ignore_vmlinux,
		 "accepted, as no symbols are needed"),

	OPT_HEADING("Hardware traces and guests:"),
	OPT_STRING(0, "itrace", struct opts, itrace, "opts", "decode hardware traces",
		   .missing = "", .flags = OPTION_OPTIONAL),
	OPT_FLAG(0, "strip", struct opts, strip, "with --itrace, leave out all else"),
	OPT_STRING(0, "vm-time-correlation", struct opts, vm_time_correlation, "opts",
		   "adjust the times in traces of guests", .missing = "", .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "guest-data", struct opts, guest_data, "path,pid[,offset[,scale]]",
		   "add the records of a guest's profile"),
	OPT_STRING(0, "guestmount", struct opts, guest_mount, "directory",
		   "where the root of each guest is mounted, by the guest's pid"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

/* What the options make of the recording, in the order of the chain. */
struct job {
	const struct opts *opts;
	char *buildid_dir;
	struct symbolizer *symbols;
	struct session *session;
	struct writer *writer;
	struct known_build_ids known;
	struct unwind_stacks *stacks;
	struct jit_images *jit;
	struct sleep_times *sleeps;
	struct build_id_marks *marks;
	struct output *output;
	struct transform *first;
};

static void job_done(struct job *j)
{
	output_free(j->output);
	build_id_marks_free(j->marks);
	sleep_times_free(j->sleeps);
	jit_images_free(j->jit);
	unwind_stacks_free(j->stacks);
	known_build_ids_done(&j->known);
	writer_free(j->writer);
	session_free(j->session);
	symbolizer_free(j->symbols);
	free(j->buildid_dir);
}

static int refuse(const struct opts *o, const struct invocation *inv, struct diag *d)
{
	if (inv->argc)
		return diag_set(d, -EINVAL, "'%s' is too much: -i names the profile", inv->argv[0]);
	if (o->strip && !o->itrace)
		return diag_set(d, -EINVAL, "--strip option requires --itrace option");
	if (o->vm_time_correlation || o->strip)
		return diag_set(d, -EINVAL, "hardware traces cannot be decoded in this version");
	if (o->guest_data)
		return diag_set(d, -EINVAL, "profiles of guests cannot be merged in this version");
	if (!o->output && isatty(STDOUT_FILENO))
		return diag_set(d, -EINVAL, "-o is missing: a terminal cannot show a profile");
	if (!o->input && isatty(STDIN_FILENO))
		return diag_set(d, -EINVAL, "-i is missing: a terminal has no profile");
	return 0;
}

/* The records of several files, or new ones among them, need the order of time. */
static bool needs_order(const struct opts *o, const char *path)
{
	struct stat st;

	return o->build_ids || o->buildid_all || o->sched_stat || o->jit || o->unwind ||
	       (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static int open_input(struct job *j, const struct invocation *inv, struct diag *d)
{
	const char *path = j->opts->input ? j->opts->input : "-";
	const struct symbol_request symbols = { .vmlinux = j->opts->vmlinux,
						.kallsyms = j->opts->kallsyms };
	j->buildid_dir = command_symbols_dir(inv, &symbols);

	const struct reading_symbols names = { .request = &symbols,
					       .buildid_dir = j->buildid_dir,
					       .ignore_vmlinux = j->opts->ignore_vmlinux,
					       .guest_mount = j->opts->guest_mount,
					       .any_owner = j->opts->force,
					       .progress = command_progress(inv, false, false) };
	struct session_options how = { .path = path,
				       .force = j->opts->force,
				       .in_file_order = !needs_order(j->opts, path),
				       .progress = command_progress(inv, false, false) };
	int r = symbol_files_check(&names, d);

	if (r < 0)
		return r;
	/* Only unwind rules are looked for in the files of images. */
	if (j->opts->unwind)
		how.symbolizer = j->symbols = reading_symbolizer(&names);
	r = session_open(&how, &j->session, d);
	if (r >= 0 && j->opts->itrace &&
	    features_have(session_features(j->session), FEATURE_AUXTRACE))
		return diag_set(d, -EOPNOTSUPP,
				"hardware traces cannot be decoded in this version");
	return r;
}

static int open_output(struct job *j, struct diag *d)
{
	const char *path = j->opts->output ? j->opts->output : "-";
	bool is_stdout = !strcmp(path, "-");
	const struct writer_options how = { .form = is_stdout ? WRITER_PIPE : WRITER_FILE,
					    .keep_old = true };

	return writer_open(path, is_stdout ? STDOUT_FILENO : -1, &how, &j->writer, d);
}

/* @t becomes the head of the chain, so what comes first is put in last. */
static void chain(struct job *j, struct transform *t)
{
	t->next = j->first;
	j->first = t;
}

static void build_chain(struct job *j, struct diag *d)
{
	const struct opts *o = j->opts;

	j->output = output_new(j->session, j->writer, &j->known, d);
	if (o->build_ids || o->buildid_all) {
		j->marks = build_id_marks_new(&(struct build_id_marks_options){
			.session = j->session,
			.all_images = o->buildid_all,
			.known = &j->known,
			.vmlinux = o->vmlinux,
		});
		chain(j, build_id_marks_transform(j->marks));
	}
	if (o->unwind) {
		j->stacks = unwind_stacks_new(j->session);
		chain(j, unwind_stacks_transform(j->stacks));
	}
	if (o->sched_stat) {
		j->sleeps = sleep_times_new(j->session);
		chain(j, sleep_times_transform(j->sleeps));
	}
	if (o->jit) {
		j->jit = jit_images_new(o->force, d);
		chain(j, jit_images_transform(j->jit));
	}
	j->first = output_close_chain(j->output, j->first);
}

static void tell_jit(const struct invocation *inv, const struct job *j)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	for (size_t i = 0; i < jit_images_dumps(j->jit); i++)
		if (jit_images_remark(j->jit, i)) {
			diag_set(&d, 0, "%s", jit_images_remark(j->jit, i));
			command_warn(inv, &d);
		}
	if (j->opts->verbose)
		fprintf(inv->err, "%" PRIu64 " compiled functions written\n",
			jit_images_made(j->jit));
}

static void tell_unwinding(const struct invocation *inv, const struct job *j)
{
	struct unwind_counts c = session_unwind_counts(j->session);
	struct notes notes = command_notes(inv);
	_cleanup_(diag_done) struct diag d = { 0 };

	if (!c.stacks) {
		diag_set(&d, 0, "no sample has a copy of its stack");
		diag_hint(&d, "record --call-graph dwarf makes such.");
		command_warn(inv, &d);
	}
	reading_note_stacks(j->session, &notes);
	if (j->opts->verbose)
		fprintf(inv->err, "%" PRIu64 " stacks unwound\n", c.stacks);
}

static void tell(const struct invocation *inv, const struct job *j, uint64_t left_out)
{
	struct notes notes = command_notes(inv);
	_cleanup_(diag_done) struct diag d = { 0 };

	reading_note_damage(j->session, &notes);
	if (left_out) {
		diag_set(&d, 0,
			 "%" PRIu64 " records of an unknown kind are left out: their byte "
			 "order cannot be changed",
			 left_out);
		command_warn(inv, &d);
	}
	if (j->jit)
		tell_jit(inv, j);
	if (j->stacks)
		tell_unwinding(inv, j);
	if (!j->opts->verbose)
		return;
	if (j->marks)
		fprintf(inv->err, "%" PRIu64 " build-ids added, %" PRIu64 " not known\n",
			build_id_marks_made(j->marks), build_id_marks_missed(j->marks));
	if (j->sleeps)
		fprintf(inv->err, "%" PRIu64 " sleeps\n", sleep_times_merged(j->sleeps));
}

static int run(struct invocation *inv)
{
	_cleanup_(job_done) struct job j = { .opts = inv->opts };
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out = 0;
	int r = refuse(j.opts, inv, &d);

	if (r < 0)
		return command_usage(inv, &d);
	if (j.opts->known_build_ids)
		r = known_build_ids_parse(&j.known, j.opts->known_build_ids, &d);
	if (r >= 0)
		r = open_input(&j, inv, &d);
	if (r >= 0)
		r = open_output(&j, &d);
	if (r >= 0) {
		build_chain(&j, &d);
		r = rewrite(j.session, j.first, &left_out, &d);
	}
	if (r < 0)
		return command_fail(inv, r, &d);
	tell(inv, &j, left_out);
	return EXIT_OK;
}

const struct command cmd_inject = {
	.name = "inject",
	.summary = "rewrite a profile with more information in it",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = run,
};
